import { isAppError, type ReleaseComparison, type ScorecardSummary } from "@trainwatch/core";
import type {
  CheckpointEvidence,
  PathAssessment,
  Records,
  RunDecision,
  StoredAttempt,
  StoredCheckpoint,
  StoredRelease,
  TrainingEvent,
} from "@trainwatch/store";
import type { ApiContext } from "../context.ts";
import { loadComparison } from "../releases/load-comparison.ts";
import { findTurn, type FoundTurn } from "./turning-point.ts";
import { reachesTo, type WeightsPath } from "./weights-path.ts";

/** Lines of a passport that are listed; how many there are is told beside them. */
const MOST_EVENTS = 100;
const MOST_ASSESSMENTS = 200;
const MOST_DECISIONS = 200;

/** All that is stored of one checkpoint, before anything is concluded from it. */
export interface PassportFacts {
  readonly stored: StoredCheckpoint;
  readonly attempts: readonly StoredAttempt[];
  readonly path: WeightsPath;
  readonly tokens: number | null;
  readonly events: { readonly items: readonly TrainingEvent[]; readonly total: number };
  readonly assessments: readonly PathAssessment[];
  readonly decisions: readonly RunDecision[];
  readonly coverage: Awaited<ReturnType<CheckpointEvidence["coverage"]>>;
  readonly turn: FoundTurn;
  readonly gpus: { readonly known: number; readonly nodes: number };
  /** Scorecards that speak of it, the one with most results first. */
  readonly cards: readonly ScorecardSummary[];
  /** The newest release that has it as a candidate, compared as of now; without a comparison where that is too large to be made. */
  readonly compared: { readonly release: StoredRelease; readonly comparison: ReleaseComparison | null; readonly column: number } | null;
  /** Signed releases that chose it, newest first. */
  readonly chosenBy: readonly StoredRelease[];
}

export async function passportFacts(ctx: ApiContext, stored: StoredCheckpoint): Promise<PassportFacts> {
  const { records, samples } = ctx.store;
  const { run, checkpoint, checkpointId } = stored;
  const attempts = await records.runs.attempts(run.runId);
  const path = reachesTo(run.runId, attempts, checkpoint);
  const names = path.line.map(({ attempt }) => attempt);
  const [tokens, events, assessments, decisions, coverage, gpus, cardIds] = await Promise.all([
    samples.tokensAt(run.runId, [checkpoint]),
    records.checkpoints.events(path.toStep, MOST_EVENTS),
    records.checkpoints.assessments(path.toStep, MOST_ASSESSMENTS),
    records.checkpoints.decisions(run.runId, names, MOST_DECISIONS),
    records.checkpoints.coverage(run.runId, names),
    records.checkpoints.gpus(run.runId, names),
    records.scorecards.ofCheckpoints([checkpointId]),
  ]);
  const cards = await records.scorecards.summaries(cardIds.get(checkpointId) ?? []);
  const ids = cards.map(({ scorecardId }) => scorecardId);
  return {
    stored,
    attempts,
    path,
    tokens: tokens[0] ?? null,
    events,
    assessments,
    decisions,
    coverage,
    turn: await findTurn(records, path.line, coverage),
    gpus,
    cards: cards.toSorted((a, b) => b.results - a.results || b.scorecardId - a.scorecardId),
    compared: await newestComparison(ctx, ids),
    chosenBy: await chosenBy(records, ids),
  };
}

async function newestComparison(ctx: ApiContext, scorecardIds: readonly number[]): Promise<PassportFacts["compared"]> {
  const { records } = ctx.store;
  const release = await records.releases.newestWith(scorecardIds);
  if (release === null) return null;
  const overrides = await records.releases.overrides(release.releaseId);
  const comparison = await loadComparison(ctx, { release, overrides, records }).then(
    (loaded) => loaded.comparison,
    (error: unknown) => {
      // What is too much for the release's own page is no reason to know nothing of the checkpoint.
      if (isAppError(error) && error.code === "too-large") return null;
      throw error;
    },
  );
  const column = release.columns.findIndex(({ scorecardId }, place) => place > 0 && scorecardIds.includes(scorecardId));
  return { release, comparison, column };
}

async function chosenBy(records: Records, scorecardIds: readonly number[]): Promise<readonly StoredRelease[]> {
  const chosen = await records.releases.choosing(scorecardIds);
  return records.releases.known(chosen.map(({ releaseId }) => releaseId));
}
