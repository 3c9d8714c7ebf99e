import { ruleSchema, type Rule, type StoredRule } from "@trainwatch/core";
import type { Rule as RuleRow } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";
import { lockNames } from "./name-lock.ts";
import { scopeColumns } from "./scope-columns.ts";

export interface RuleRecords {
  /** All, oldest first: verbs see to it that there are never more than a few hundred. */
  list(): Promise<readonly StoredRule[]>;
  get(id: number): Promise<StoredRule | null>;
  /** Waits for others that add or change rules until their transactions end, so that what `list` then says still holds when one is added. */
  lock(): Promise<void>;
  create(rule: Rule, actor: string, nowMs: number): Promise<StoredRule>;
  /** Null where it is gone. */
  update(id: number, rule: Rule, nowMs: number): Promise<StoredRule | null>;
  /** False where it is gone already. */
  delete(id: number): Promise<boolean>;
}

export function createRuleRecords(db: Db): RuleRecords {
  const get = async (id: number): Promise<StoredRule | null> => {
    const row = await db.rule.findUnique({ where: { id } });
    return row === null ? null : storedRule(row);
  };
  return {
    get,
    async list() {
      return (await db.rule.findMany({ orderBy: { id: "asc" } })).map(storedRule);
    },
    lock: () => lockNames(db),
    async create(rule, actor, nowMs) {
      const data = { ...scopeColumns(rule), body: asJson(rule), createdBy: actor, createdAtMs: nowMs, updatedAtMs: nowMs };
      return storedRule(await db.rule.create({ data }));
    },
    async update(id, rule, nowMs) {
      await db.rule.updateMany({ where: { id }, data: { ...scopeColumns(rule), body: asJson(rule), updatedAtMs: nowMs } });
      return get(id);
    },
    async delete(id) {
      return (await db.rule.deleteMany({ where: { id } })).count === 1;
    },
  };
}

function storedRule({ id, createdBy, createdAtMs, updatedAtMs, body }: RuleRow): StoredRule {
  return { id, createdBy, createdAtMs, updatedAtMs, rule: ruleSchema.parse(body) };
}
