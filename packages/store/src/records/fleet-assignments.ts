import { assignmentRulesSchema, type AssignmentRule } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";

/** What a source has told of one rank of a run's attempt. */
export interface StoredAssignment {
  readonly runId: number;
  /** `project/name`. */
  readonly run: string;
  readonly attempt: string;
  /** As sent; `readAssignment` of core reads it. */
  readonly facts: unknown;
  /** Of the attempt, for facts without a time range of their own; null where no sample has told. It ends as the next one begins, or with the run. */
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Larger is a later launch of the run. */
  readonly ordinal: number;
}

export interface FleetAssignmentRecords {
  /** Those of the `limit` newest ones of runs that are not archived, oldest first. */
  assignments(limit: number): Promise<readonly StoredAssignment[]>;
  /** Runs that are called so, by `name` or `project/name`; newest first where two projects have one name. */
  runsNamed(names: readonly string[]): Promise<readonly { readonly id: number; readonly name: string; readonly fullName: string }[]>;
  /** How labels of GPUs tell ranks. */
  assignmentRules(): Promise<readonly AssignmentRule[]>;
  setAssignmentRules(rules: readonly AssignmentRule[], nowMs: number): Promise<void>;
}

const RULES_KEY = "assignmentRules";

export function createFleetAssignmentRecords(db: Db): FleetAssignmentRecords {
  return {
    async assignments(limit) {
      return db.$queryRaw<StoredAssignment[]>`
        SELECT s.run_id AS "runId", r.project || '/' || r.name AS run, s.attempt, s.facts, t.started_at_ms AS "startedAtMs",
          -- A rank is there until the next attempt begins: one that hangs has sent its newest sample long ago.
          coalesce((SELECT min(n.started_at_ms) FROM attempt n WHERE n.run_id = s.run_id AND n.ordinal > t.ordinal), r.ended_at_ms) AS "endedAtMs",
          coalesce(t.ordinal, 0) AS ordinal
        FROM (SELECT * FROM assignment ORDER BY id DESC LIMIT ${limit}) s JOIN run r ON r.id = s.run_id
        LEFT JOIN attempt t ON t.run_id = s.run_id AND t.name = s.attempt
        WHERE r.archived_at_ms IS NULL ORDER BY s.id`;
    },
    async runsNamed(names) {
      return db.$queryRaw<{ id: number; name: string; fullName: string }[]>`
        SELECT id, name, project || '/' || name AS "fullName" FROM run
        WHERE archived_at_ms IS NULL AND (name = ANY(${[...names]}::text[]) OR project || '/' || name = ANY(${[...names]}::text[])) ORDER BY id DESC`;
    },
    async assignmentRules() {
      const row = await db.setting.findUnique({ where: { key: RULES_KEY } });
      // Rules that an older version has kept and this one does not understand are none.
      return assignmentRulesSchema.safeParse(row?.value ?? []).data ?? [];
    },
    async setAssignmentRules(rules, nowMs) {
      const value = { value: asJson(rules), updatedAtMs: nowMs };
      await db.setting.upsert({ where: { key: RULES_KEY }, create: { key: RULES_KEY, ...value }, update: value });
    },
  };
}
