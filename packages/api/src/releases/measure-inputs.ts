import { rowKey } from "@trainwatch/core";
import type { MeasureInput, PairColumn, SampleColumn, SideJudgement } from "@trainwatch/decide";
import { ANSWER_LATENCY, ANSWER_TOKENS, measuredAlike, pairColumn, sideName } from "@trainwatch/decide";
import type { EvaluationColumns, PairSide, StoredPairSet, StoredResult, StoredSampleSet } from "@trainwatch/store";

/** What a comparison reads of one scorecard: its results in force, each with its samples, and what only its samples tell. */
export function measureInputs(scorecardId: number, { results, samples }: EvaluationColumns): readonly MeasureInput[] {
  const sets = samples.filter((set) => set.scorecardId === scorecardId);
  const own = results.filter((result) => result.scorecardId === scorecardId);
  const measures = own.map((result) => ({ ...namesOf(result), ...toldBy(result), samples: samplesOf(result, sets) }));
  const told = new Set(own.map(rowKey));
  const derived = newestOfEach(sets).flatMap((set) => perSample(set).filter((measure) => !told.has(rowKey(measure))));
  return [...measures, ...derived];
}

const namesOf = ({ task, metric, filter }: Pick<MeasureInput, "task" | "metric" | "filter">) => ({ task, metric, filter });

function toldBy(result: StoredResult): Omit<MeasureInput, "task" | "metric" | "filter" | "samples"> {
  const { value, stderr, interval, n, higherIsBetter, unit, dimension, group, settings, evaluatedAtMs } = result;
  return { value, stderr, interval, n, higherIsBetter, unit, dimension, group, settings, evaluatedAtMs };
}

/**
 * Those of the result's own file, else the newest; none under settings that forbid to compare the two. Whether the value is their mean is for the comparison
 * to check.
 */
function samplesOf({ fileId, task, metric, filter, settings }: StoredResult, sets: readonly StoredSampleSet[]): SampleColumn | null {
  const ofRow = sets.filter(
    (set) => set.task === task && set.filter === filter && set.scores.has(metric) && measuredAlike(settings, set.settings),
  );
  const set = ofRow.find((each) => each.fileId === fileId) ?? ofRow[0];
  const scores = set?.scores.get(metric);
  return set === undefined || scores === undefined ? null : columnOf(set, scores);
}

/** Epochs of one sample belong together where their source says nothing else. */
function columnOf({ keys, epochs, clusters, categories, prompts }: StoredSampleSet, scores: Float64Array): SampleColumn {
  if (epochs === 1 || clusters === null) return { keys, epochs, scores, clusters, categories, prompts };
  return {
    keys,
    epochs,
    scores,
    categories,
    prompts,
    clusters: clusters.map((cluster, place) => cluster ?? `sample ${(keys[place] ?? "").replace(/#\d+$/, "")}`),
  };
}

/** The sets come newest first. */
function newestOfEach(sets: readonly StoredSampleSet[]): readonly StoredSampleSet[] {
  const seen = new Set<string>();
  return sets.filter(({ task, filter }) => {
    const name = JSON.stringify([task, filter]);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** Measures whose value nobody has printed: the mean of their samples. */
function perSample(set: StoredSampleSet): readonly MeasureInput[] {
  const columns = [...set.scores, [ANSWER_TOKENS, set.tokens] as const, [ANSWER_LATENCY, set.latencies] as const];
  return columns.flatMap(([metric, scores]) =>
    scores === null
      ? []
      : [
          {
            ...namesOf({ ...set, metric }),
            value: null,
            stderr: null,
            interval: null,
            n: null,
            higherIsBetter: null,
            unit: null,
            dimension: null,
            group: null,
            settings: set.epochs > 1 ? { epochs: set.epochs, ...set.settings } : set.settings,
            evaluatedAtMs: null,
            samples: columnOf(set, scores),
          },
        ],
  );
}

/**
 * Judgements between a scorecard's answers and others', from its side. Of one task, opponent and judge the newest file's: whichever of the two answers
 * stood first.
 */
export function pairColumns(scorecardId: number, { pairs }: EvaluationColumns): readonly PairColumn[] {
  const groups = new Map<string, { readonly opponent: PairSide; readonly sets: StoredPairSet[] }>();
  for (const set of pairs) {
    const opponent = opponentOf(scorecardId, set);
    if (opponent === null) continue;
    const name = JSON.stringify([set.task, opponent.scorecardId, set.judge]);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, { opponent, sets: [set] });
    else if (known.sets[0]?.fileId === set.fileId) known.sets.push(set);
  }
  return [...groups.values()].flatMap(({ opponent, sets }) => {
    const [first] = sets;
    if (first === undefined) return [];
    const { task, judge } = first;
    const name = { task, judge, opponent: sideName(opponent), opponentId: opponent.scorecardId };
    return [
      pairColumn(
        name,
        sets.flatMap((set) => judgementsOf(set, set.right.scorecardId === scorecardId)),
      ),
    ];
  });
}

function opponentOf(scorecardId: number, { left, right }: StoredPairSet): PairSide | null {
  if (right.scorecardId === scorecardId) return left;
  return left.scorecardId === scorecardId ? right : null;
}

function judgementsOf({ keys, preferences, leftLengths, rightLengths }: StoredPairSet, isRight: boolean): readonly SideJudgement[] {
  return keys.map((key, place) => {
    const preference = preferences[place] ?? Number.NaN;
    const longer = (rightLengths[place] ?? Number.NaN) - (leftLengths[place] ?? Number.NaN);
    return { key, preference: isRight ? preference : 1 - preference, lengthDifference: isRight ? longer : -longer };
  });
}
