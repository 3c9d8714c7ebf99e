import { isAppError, isFleetSubject, sayInteger, type ExportedSeries, type Finding, type SeriesLine } from "@trainwatch/core";
import type { StoredIncident } from "@trainwatch/store";
import type { ApiContext } from "../../context.ts";

/** Steps before the onset, and after it where nothing ended later: with both, and as many bins, each step is a bin of its own. */
const LEAD_STEPS = 512;
const TAIL_STEPS = 1_535;
const BINS = 2_048;
const MOST_METRICS = 8;
const MOST_RANKS = 4;
export const MOST_LINES = 48;

export interface SeriesPart<Series> {
  readonly series: readonly Series[];
  readonly total: number;
  readonly leftOut: readonly string[];
}

type Asked = Pick<ApiContext, "store">;

/**
 * What the run logged around the onset: loss, gradient norm and what the findings speak of, as the run has it, all ranks as a band, and the suspected ranks each by themselves. Every step by itself up to
 * 2,048 of them; a longer stretch in as many bins.
 */
export async function runSeries(
  { store }: Asked,
  stored: StoredIncident,
  findings: readonly Finding[],
): Promise<SeriesPart<ExportedSeries>> {
  const { run, attempt, onsetStep } = stored;
  if (run === null) return { series: [], total: 0, leftOut: [] };
  if (onsetStep === null) return { series: [], total: 0, leftOut: ["The run's series: the step at which it began is not known."] };
  const last = stored.endStep ?? stored.attemptLastStep ?? onsetStep;
  const stretch = { from: Math.max(0, onsetStep - LEAD_STEPS), to: Math.max(last + LEAD_STEPS, onsetStep + TAIL_STEPS) };
  // What was read of the fleet is no series of the run.
  const ofRun = findings.filter(({ subject }) => !isFleetSubject(subject));
  const spokenOf = [...new Set(["loss", "grad_norm", ...ofRun.map(({ metric }) => metric)])];
  const suspected = [...new Set(findings.flatMap(rankOf))];
  const [metrics, ranks] = [spokenOf.slice(0, MOST_METRICS), suspected.slice(0, MOST_RANKS)];
  const leftOut = [
    ...beyond(spokenOf, MOST_METRICS, "metrics that findings speak of"),
    ...beyond(suspected, MOST_RANKS, "suspected ranks"),
  ];
  const lines: ExportedSeries[] = [];
  for (const metric of metrics) {
    const question = { runId: run.id, metrics: [metric], attempts: [attempt], axis: "step" as const, ...stretch, buckets: BINS };
    try {
      const window = await store.samples.window(question);
      lines.push(...[...window.lines, ...window.spreads].map(exported));
    } catch (error) {
      if (!isAppError(error) || error.code !== "too-large") throw error;
      leftOut.push(`${metric} over all ranks: ${error.message}`);
    }
    if (ranks.length > 0) lines.push(...(await store.samples.window({ ...question, ranks })).lines.map(exported));
  }
  return { series: lines.slice(0, MOST_LINES), total: lines.length, leftOut };
}

/** What a bound has cut off, in words. */
export function beyond(all: readonly string[], most: number, noun: string): readonly string[] {
  return all.length <= most ? [] : [`The series of ${sayInteger(all.length - most)} of ${sayInteger(all.length)} ${noun}.`];
}

function rankOf({ subject, place }: Finding): string[] {
  if (subject.kind === "rank") return [subject.id.replace(/^rank\s*/, "")];
  return place?.rank === undefined || place.rank === null ? [] : [String(place.rank)];
}

function exported(line: SeriesLine): ExportedSeries {
  const { metric, unit, attempt, labels, members, superseded, stepFirst, stepLast, count, mean, min, max, nonFinite } = line;
  return {
    metric,
    unit,
    attempt,
    labels: { ...labels },
    members,
    superseded,
    stepsPerBin: stepFirst.reduce((most, first, bin) => Math.max(most, (stepLast[bin] ?? first) - first + 1), 1),
    firstStep: [...stepFirst],
    lastStep: [...stepLast],
    points: [...count],
    mean: [...mean],
    min: [...min],
    max: [...max],
    nonFinite: nonFinite.map(([bin, word, times, step]) => [bin, word, times, step]),
  };
}
