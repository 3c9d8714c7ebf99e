import type { Db } from "./db.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";
import type { StoredRelease } from "./stored-release.ts";

export interface ReleaseListQuestion {
  readonly limit: number;
  readonly cursor: string | null;
}

/** Newest first. */
export async function listReleases(
  db: Db,
  { limit, cursor }: ReleaseListQuestion,
  read: (ids: readonly number[]) => Promise<readonly StoredRelease[]>,
): Promise<{ readonly items: readonly StoredRelease[]; readonly total: number; readonly next: string | null }> {
  const before = cursor === null ? null : Number(decodeCursor(cursor, 1)[0]);
  const where = before === null ? {} : { id: { lt: before } };
  const rows = await db.release.findMany({ where, orderBy: { id: "desc" }, take: limit + 1, select: { id: true } });
  const page = rows.slice(0, limit).map(({ id }) => id);
  const last = page.at(-1);
  return {
    items: await read(page),
    total: await db.release.count(),
    next: rows.length > limit && last !== undefined ? encodeCursor([last]) : null,
  };
}
