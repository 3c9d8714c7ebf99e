import type { Decision } from "@trainwatch/core";
import type { Decision as DecisionRow } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { withMerged } from "./merge-incidents.ts";

export interface NewDecision extends Omit<Decision, "id"> {
  readonly incidentId: number;
}

export interface DecisionRecords {
  /** Null where the advice has been decided already: one decision an advice, however many ask at once. */
  create(decision: NewDecision): Promise<Decision | null>;
  /** Newest first, with those on what was merged into it. */
  ofIncident(incidentId: number): Promise<readonly Decision[]>;
}

export function createDecisionRecords(db: Db): DecisionRecords {
  return {
    async create(decision) {
      // `ON CONFLICT DO NOTHING`: a unique violation would abort the transaction around it.
      const [row] = await db.decision.createManyAndReturn({ data: [decision], skipDuplicates: true });
      return row === undefined ? null : decisionOf(row);
    },
    async ofIncident(incidentId) {
      const where = { incidentId: { in: await withMerged(db, incidentId) } };
      return (await db.decision.findMany({ where, orderBy: { id: "desc" } })).map(decisionOf);
    },
  };
}

export function decisionOf({ id, adviceId, verdict, reason, actor, atMs }: DecisionRow): Decision {
  return { id, adviceId, verdict: verdict === "accepted" ? "accepted" : "declined", reason, actor, atMs };
}
