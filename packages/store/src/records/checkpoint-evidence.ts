import { adviceSchema, causeAssessmentSchema, type Advice, type CauseAssessment } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { AttemptReach } from "./stored-checkpoint.ts";
import { coverageOf, type CoverageEntry } from "./cursor-records.ts";
import type { Db } from "./db.ts";

/** A decision of a person on an advice of a run's incident. */
export interface RunDecision {
  readonly incidentId: number;
  readonly attempt: string;
  readonly onsetStep: number | null;
  readonly advice: Advice;
  readonly verdict: "accepted" | "declined";
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
}

export interface PathAssessment {
  readonly incidentId: number;
  readonly title: string;
  readonly assessment: CauseAssessment;
}

/** What is stored of the way to a checkpoint beside its incidents. */
export interface CheckpointEvidence {
  /** Distinct GPUs by UUID and distinct nodes that sources have told of these attempts. */
  gpus(runId: number, attempts: readonly string[]): Promise<{ readonly known: number; readonly nodes: number }>;
  /** Cause assessments of incidents within these reaches, newest first. An incident that a person has called wrong accuses nobody. */
  assessments(path: readonly AttemptReach[], limit: number): Promise<readonly PathAssessment[]>;
  /** Decisions on incidents of these attempts, newest first. */
  decisions(runId: number, attempts: readonly string[], limit: number): Promise<readonly RunDecision[]>;
  /** What the detectors saw of each of these attempts; no entry for one that they have not read. */
  coverage(runId: number, attempts: readonly string[]): Promise<ReadonlyMap<string, readonly CoverageEntry[]>>;
}

export function createCheckpointEvidence(db: Db): CheckpointEvidence {
  return {
    async gpus(runId, attempts) {
      const [row] = await db.$queryRaw<{ known: number; nodes: number }[]>`
        SELECT count(DISTINCT gpu_uuid)::int AS known, count(DISTINCT node)::int AS nodes FROM assignment WHERE run_id = ${runId} AND attempt = ANY(${[...attempts]}::text[])`;
      return row ?? { known: 0, nodes: 0 };
    },
    async assessments(path, limit) {
      if (path.length === 0) return [];
      const within = path.map(
        ({ runId, attempt, throughStep }) =>
          Prisma.sql`(i.run_id = ${runId} AND i.attempt = ${attempt} AND i.onset_step <= ${Math.min(throughStep, Number.MAX_SAFE_INTEGER)}::float8)`,
      );
      const rows = await db.$queryRaw<{ incidentId: number; title: string; assessment: unknown }[]>`
        SELECT i.id AS "incidentId", i.title, i.assessment FROM incident i
        WHERE i.assessment IS NOT NULL AND i.label IS DISTINCT FROM 'wrong' AND i.merged_into IS NULL AND (${Prisma.join(within, " OR ")}) ORDER BY i.id DESC LIMIT ${limit}`;
      return rows.map((row) => ({ ...row, assessment: causeAssessmentSchema.parse(row.assessment) }));
    },
    async decisions(runId, attempts, limit) {
      const rows = await db.$queryRaw<(Omit<RunDecision, "advice" | "verdict"> & { readonly body: unknown; readonly verdict: string })[]>`
        SELECT i.id AS "incidentId", i.attempt, i.onset_step AS "onsetStep", a.body, d.verdict, d.reason, d.actor, d.at_ms AS "atMs"
        FROM decision d JOIN advice a ON a.id = d.advice_id JOIN incident i ON i.id = d.incident_id
        WHERE i.run_id = ${runId} AND i.attempt = ANY(${[...attempts]}::text[]) ORDER BY d.at_ms DESC, d.id DESC LIMIT ${limit}`;
      return rows.map(({ body, verdict, ...row }) => ({
        ...row,
        advice: adviceSchema.parse(body),
        verdict: verdict === "accepted" ? "accepted" : "declined",
      }));
    },
    async coverage(runId, attempts) {
      const rows = await db.detectState.findMany({
        where: { runId, attempt: { in: [...attempts] } },
        select: { attempt: true, coverage: true },
      });
      return new Map(rows.map(({ attempt, coverage }) => [attempt, coverageOf(coverage)]));
    },
  };
}
