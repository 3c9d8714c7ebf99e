import type { AuditEntry, AuditPage } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { asJson, asRecord } from "./json.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";

export interface AuditRecords {
  append(entry: Omit<AuditEntry, "id">): Promise<void>;
  /** Newest first. `target` narrows to one thing, such as `incident:12`. */
  list(question: { readonly target: string | null; readonly limit: number; readonly cursor: string | null }): Promise<AuditPage>;
}

export function createAuditRecords(db: Db): AuditRecords {
  return {
    async append({ atMs, actor, verb, target, details }) {
      await db.audit.create({ data: { atMs, actor, verb, target, details: asJson(details) } });
    },
    async list({ target, limit, cursor }) {
      const before = cursor === null ? null : Number(decodeCursor(cursor, 1)[0]);
      const rows = await db.audit.findMany({
        where: { ...(target === null ? {} : { target }), ...(before === null ? {} : { id: { lt: before } }) },
        orderBy: { id: "desc" },
        take: limit + 1,
      });
      const items = rows.slice(0, limit).map((row) => ({ ...row, details: asRecord(row.details) }));
      const last = items.at(-1);
      return { items, next: rows.length > limit && last !== undefined ? encodeCursor([last.id]) : null };
    },
  };
}
