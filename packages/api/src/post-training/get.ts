import { POST_TRAINING_DETECTORS, textSchema, type Finding, type PostTrainingView, type SeriesLine } from "@trainwatch/core";
import { leastSquaresTrend } from "@trainwatch/stats";
import type { Store } from "@trainwatch/store";
import { z } from "zod";
import { MARKS_LIMIT } from "../marks-limit.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { reachesTo } from "../checkpoints/weights-path.ts";
import { heldOutScorecards } from "./held-out-scorecards.ts";
import { heldOutLog } from "./held-out-series.ts";
import { lanesOf } from "./lanes.ts";
import { turnOf, turnsOn } from "./turn-of.ts";

/** Without an attempt: the effective view, what the weights of today have seen. */
const postTrainingInput = z.object({ runId: idInput, attempt: textSchema.min(1).max(128).optional() });

/** What makes a run post-training: the marks that the detectors go by. */
const MARKS = ["reward", "kl"];
const PAGE = 200;
/** Names that are looked through; a run of ten thousand metrics has the ones that matter among the first by name or not at all. */
const MOST_NAMES = 10_000;
const BUCKETS = 512;
/** Standard errors of the reward's slope since the peak from which it is said to rise, as the detector has it. */
const PROXY_Z = 3;

/** Signals of a post-training run, its held-out evaluations with the fitted curve, and the turning point. */
export const getPostTraining = readVerb.input(postTrainingInput).query(async ({ ctx, input }): Promise<PostTrainingView> => {
  const { store } = ctx;
  const { runId } = input;
  required(await store.records.runs.facts(runId), "run", runId);
  const attempt = input.attempt ?? null;
  const logged = await metricNames(store, runId);
  if (!MARKS.some((name) => logged.has(name))) return notPostTraining(attempt);
  const attempts = await store.records.runs.attempts(runId);
  const { line } = reachesTo(runId, attempts, { attempt, step: Number.POSITIVE_INFINITY });
  const findings = await findingsOf(store, runId, attempt);
  const turns = turnsOn(findings, line);
  const window = attempt === null ? ("effective" as const) : [attempt];
  const heldOut =
    (await heldOutLog(store, { runId, attempts: window, logged, turned: turns.map(({ metric }) => metric) })) ??
    (await heldOutScorecards(store.records, { runId, attempts, line }));
  const lanes = lanesOf(logged, heldOut?.metric ?? null);
  if (heldOut === null) return { isPostTraining: true, attempt, lanes, heldOut: null, turningPoint: null, why: null, findings };
  const { lines } = await store.samples.window({
    runId,
    metrics: MARKS,
    axis: "step",
    from: null,
    to: null,
    buckets: BUCKETS,
    attempts: window,
  });
  const of = (metric: string): Curve => curveOf(lines.filter((each) => each.metric === metric && !each.superseded));
  const [kl, reward] = [of("kl"), of("reward")];
  const turn = turnOf(heldOut, {
    klAt: kl.steps.length === 0 ? null : (step) => meanBefore(kl, step),
    finding: heldOut.source === "log" ? (turns.find(({ metric }) => metric === heldOut.metric) ?? null) : null,
    proxyRisesSince: (step) => rises(reward, step),
  });
  const checkpoint = turn.point === null ? null : await store.records.checkpoints.newestAt(runId, attempt, turn.point.peakStep);
  return {
    isPostTraining: true,
    attempt,
    lanes,
    heldOut: { source: heldOut.source, metric: heldOut.metric, prompts: heldOut.prompts, points: heldOut.points, fit: turn.fit },
    turningPoint: turn.point === null ? null : { ...turn.point, checkpoint },
    why: turn.why,
    findings,
  };
});

function notPostTraining(attempt: string | null): PostTrainingView {
  return { isPostTraining: false, attempt, lanes: [], heldOut: null, turningPoint: null, why: null, findings: [] };
}

async function metricNames({ records }: Store, runId: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof records.runs.metricKeys>> = await records.runs.metricKeys({
      runId,
      search: "",
      limit: PAGE,
      cursor,
    });
    for (const { metric } of page.items) names.add(metric);
    cursor = page.next;
  } while (cursor !== null && names.size < MOST_NAMES);
  return names;
}

async function findingsOf({ records }: Store, runId: number, attempt: string | null): Promise<readonly Finding[]> {
  const { items } = await records.findings.ofRun(runId, MARKS_LIMIT);
  return items.filter((finding) => POST_TRAINING_DETECTORS.has(finding.detector) && (attempt === null || finding.attempt === attempt));
}

/** Means of bins of a metric, in ascending steps. */
interface Curve {
  readonly steps: readonly number[];
  readonly values: readonly number[];
}

function curveOf(lines: readonly Pick<SeriesLine, "stepLast" | "mean">[]): Curve {
  const points = lines
    .flatMap(({ stepLast, mean }) => mean.flatMap((value, index) => (value === null ? [] : [{ step: stepLast[index] ?? 0, value }])))
    .toSorted((a, b) => a.step - b.step);
  return { steps: points.map(({ step }) => step), values: points.map(({ value }) => value) };
}

/** The newest bin at or before a step; the first one before any. */
function meanBefore({ steps, values }: Curve, step: number): number {
  const after = steps.findIndex((each) => each > step);
  return Math.max(0, values[Math.max(0, (after < 0 ? steps.length : after) - 1)] ?? Number.NaN);
}

/** Whether the reward has risen since a step; null where too few points tell. */
function rises({ steps, values }: Curve, since: number): boolean | null {
  const from = steps.findIndex((step) => step >= since);
  if (from < 0 || steps.length - from < 8) return null;
  const { slope, slopeError } = leastSquaresTrend(steps.slice(from), values.slice(from));
  return slopeError > 0 ? slope / slopeError > PROXY_Z : slope > 0;
}
