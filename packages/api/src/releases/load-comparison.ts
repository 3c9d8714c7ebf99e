import { AppError, sayInteger } from "@trainwatch/core";
import { type ColumnInput, compareForGates, type ComparedForGates, type GateFacts, type ReleaseInput } from "@trainwatch/decide";
import type { Records, StoredRelease, StoredReleaseGate, StoredReleaseOverride, StoredScorecard } from "@trainwatch/store";
import type { ApiContext } from "../context.ts";
import { loadExamplePrompts } from "./example-prompts.ts";
import { measureInputs, pairColumns } from "./measure-inputs.ts";
import { trainingFacts, type TrainingFacts } from "./training-facts.ts";

/** Of bootstrap and weightings: the same release compares the same at any time. */
const SEED = 20_261_130;

/** An answer has a cell a result, of about 1 kB; a comparison holds each sample's key and score in memory. */
const MOST_RESULTS = 60_000;
const MOST_SAMPLES = 5_000_000;

interface KnownColumn extends TrainingFacts {
  readonly scorecardId: number;
  readonly model: string;
  /** Null: it was deleted with its run. */
  readonly card: StoredScorecard | null;
}

export interface LoadedComparison extends ComparedForGates {
  readonly gates: readonly StoredReleaseGate[];
  /** By column, the baseline first. */
  readonly facts: readonly GateFacts[];
}

export interface ComparisonQuestion {
  readonly release: StoredRelease;
  readonly overrides: readonly StoredReleaseOverride[];
  /** Those of a transaction, where one is under way. */
  readonly records: Records;
}

/** The release's comparison by what is stored now; one that was made of the same is given again. */
export async function loadComparison(
  { store, comparisons }: Pick<ApiContext, "store" | "comparisons">,
  { release, overrides, records }: ComparisonQuestion,
): Promise<LoadedComparison> {
  const columns = await knownColumns(records, release);
  const ids = columns.map(({ scorecardId }) => scorecardId);
  const { word, results, samples } = await records.scorecards.version(ids);
  if (results > MOST_RESULTS || samples > MOST_SAMPLES)
    throw new AppError(
      "too-large",
      `Release "${release.spec.name}" would compare ${sayInteger(results)} results with ${sayInteger(samples)} samples; ${sayInteger(MOST_RESULTS)} and ${sayInteger(MOST_SAMPLES)} are the most. Choose fewer candidates.`,
      { details: { results, samples } },
    );
  const allowed = overrides.flatMap(({ rowKey, scorecardId }) => (rowKey === null ? [] : [{ rowKey, scorecardId }]));
  const { correction, level, margin, taskWeights } = release.spec;
  // The word comes before the columns are read: what is stored in between makes another word the next time.
  const gates = await records.releases.gates(release.releaseId);
  const asked = gates.map(({ gate }) => gate);
  const key = JSON.stringify([word, columns, allowed, correction, level, margin, taskWeights, asked]);
  const compared = await comparisons.get(key, results, async () => {
    const stored = await store.evaluations.columns(ids);
    const input: ReleaseInput = {
      columns: columns.map(({ card, scorecardId, model, turningPointStep, warnings }): ColumnInput => ({
        scorecardId,
        model: card?.model ?? model,
        run: card?.run ?? null,
        step: card?.step ?? null,
        checkpointId: card?.checkpointId ?? null,
        checkpointState: card?.checkpointState ?? null,
        turningPointStep,
        warnings,
        measures: measureInputs(scorecardId, stored),
        pairs: pairColumns(scorecardId, stored),
      })),
      correction,
      level,
      margin,
      seed: SEED,
      allowed,
      taskWeights,
    };
    const made = compareForGates(input, asked);
    return { ...made, comparison: await loadExamplePrompts(store.evaluations, made.comparison, stored) };
  });
  return {
    ...compared,
    gates,
    facts: columns.map(({ card, turningPointStep, isTurnWatched }) => ({
      // A gate on the turning point takes a column without a run for one that nobody watches: what nobody could see was not found absent.
      run: isTurnWatched ? (card?.run ?? null) : null,
      step: card?.step ?? null,
      checkpointState: card?.checkpointState ?? null,
      turningPointStep,
    })),
  };
}

async function knownColumns(records: Records, release: StoredRelease): Promise<readonly KnownColumn[]> {
  const cards = await records.scorecards.known(release.columns.map(({ scorecardId }) => scorecardId));
  const byId = new Map(cards.map((card) => [card.scorecardId, card]));
  const columns: KnownColumn[] = [];
  for (const { scorecardId, model } of release.columns) {
    const card = byId.get(scorecardId) ?? null;
    const facts =
      card === null
        ? { turningPointStep: null, isTurnWatched: false, warnings: ["its results were deleted with their run"] }
        : await trainingFacts(records, card);
    columns.push({ scorecardId, model, card, ...facts });
  }
  return columns;
}
