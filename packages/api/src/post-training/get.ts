import { POST_TRAINING_DETECTORS, textSchema, type Finding, type PostTrainingView } from "@trainwatch/core";
import { HELD_OUT_PREFIX } from "@trainwatch/detect";
import { leastSquaresTrend } from "@trainwatch/stats";
import type { Store } from "@trainwatch/store";
import { z } from "zod";
import { MARKS_LIMIT } from "../marks-limit.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { reachesTo } from "../checkpoints/weights-path.ts";
import { curveOf, meanBefore, type Curve } from "./curve.ts";
import { heldOutScorecards } from "./held-out-scorecards.ts";
import { heldOutLog, type HeldOutPoints } from "./held-out-series.ts";
import { LANE_METRICS, lanesOf } from "./lanes.ts";
import { openingEnd, rewardCeilingOf } from "./reward-ceiling-of.ts";
import { turnOf, turnsOn, type Turn } from "./turn-of.ts";

/** Without an attempt: the effective view, what the weights of today have seen. */
const postTrainingInput = z.object({ runId: idInput, attempt: textSchema.min(1).max(128).optional() });

/** What makes a run post-training: the marks that the detectors go by. */
const MARKS = ["reward", "kl"];
const ENTROPY = "entropy";
/** Metrics of a run that are looked through, those with the most points. */
const MOST_NAMES = 10_000;
const BUCKETS = 512;
/** Standard errors of the reward's slope since the peak from which it is said to rise, as the detector has it. */
const PROXY_Z = 3;

/** Signals of a post-training run, its held-out evaluations with the fitted curve, the turning point, and what its entropy can still buy. */
export const getPostTraining = readVerb.input(postTrainingInput).query(async ({ ctx, input }): Promise<PostTrainingView> => {
  const { store } = ctx;
  const { runId } = input;
  required(await store.records.runs.facts(runId), "run", runId);
  const attempt = input.attempt ?? null;
  const logged = await store.records.runs.loggedMetrics({
    runId,
    names: [...MARKS, ...LANE_METRICS],
    prefix: HELD_OUT_PREFIX,
    attempts: attempt === null ? null : [attempt],
    limit: MOST_NAMES,
  });
  if (!MARKS.some((name) => logged.has(name))) return notPostTraining(attempt);
  const attempts = await store.records.runs.attempts(runId);
  const { line } = reachesTo(runId, attempts, { attempt, step: Number.POSITIVE_INFINITY });
  const findings = await findingsOf(store, runId, attempt);
  const turns = turnsOn(findings, line);
  const asked: AskedCurves = { runId, attempts: attempt === null ? "effective" : [attempt] };
  const heldOut =
    (await heldOutLog(store, { ...asked, logged, turned: turns.map(({ metric }) => metric) })) ??
    (await heldOutScorecards(store.records, { runId, attempts, line }));
  const { kl, reward, entropy } = await curvesOf(store, asked);
  const turn = heldOut === null ? NO_TURN : turnIn(heldOut, turns, { kl, reward });
  const checkpoint = turn.point === null ? null : await store.records.checkpoints.newestAt(runId, attempt, turn.point.peakStep);
  return {
    isPostTraining: true,
    attempt,
    lanes: lanesOf(logged, heldOut?.metric ?? null),
    heldOut: heldOut === null ? null : shownOf(heldOut, turn),
    turningPoint: turn.point === null ? null : { ...turn.point, checkpoint },
    why: turn.why,
    rewardCeiling: rewardCeilingOf(entropy, reward, await openingOf(store, asked, entropy)),
    findings,
  };
});

const NO_TURN: Turn = { point: null, fit: [], why: null };

function notPostTraining(attempt: string | null): PostTrainingView {
  return {
    isPostTraining: false,
    attempt,
    lanes: [],
    heldOut: null,
    turningPoint: null,
    why: null,
    rewardCeiling: null,
    findings: [],
  };
}

/** Of which run and which of its weights curves are read. */
interface AskedCurves {
  readonly runId: number;
  readonly attempts: "effective" | readonly string[];
}

async function curvesOf({ samples }: Store, asked: AskedCurves): Promise<Readonly<Record<"kl" | "reward" | "entropy", Curve>>> {
  const { lines } = await samples.window({ ...asked, metrics: [...MARKS, ENTROPY], axis: "step", from: null, to: null, buckets: BUCKETS });
  const of = (metric: string): Curve => curveOf(lines.filter((each) => each.metric === metric && !each.superseded));
  return { kl: of("kl"), reward: of("reward"), entropy: of(ENTROPY) };
}

/** The first points of the entropy alone, where bins of the whole run hold more: it falls fastest there. */
async function openingOf({ samples }: Store, asked: AskedCurves, entropy: Curve): Promise<Curve | null> {
  const to = openingEnd(entropy);
  if (to === null) return null;
  const { lines } = await samples.window({ ...asked, metrics: [ENTROPY], axis: "step", from: null, to, buckets: BUCKETS });
  return curveOf(lines.filter(({ superseded }) => !superseded));
}

function turnIn(heldOut: HeldOutPoints, turns: readonly Finding[], { kl, reward }: Readonly<Record<"kl" | "reward", Curve>>): Turn {
  return turnOf(heldOut, {
    klAt: kl.steps.length === 0 ? null : (step) => meanBefore(kl, step),
    finding: heldOut.source === "log" ? (turns.find(({ metric }) => metric === heldOut.metric) ?? null) : null,
    proxyRisesSince: (step) => rises(reward, step),
  });
}

function shownOf({ source, metric, scores, prompts, points }: HeldOutPoints, { fit }: Turn): PostTrainingView["heldOut"] {
  return { source, metric, scores, prompts, points, fit };
}

async function findingsOf({ records }: Store, runId: number, attempt: string | null): Promise<readonly Finding[]> {
  const { items } = await records.findings.ofRun(runId, MARKS_LIMIT);
  return items.filter((finding) => POST_TRAINING_DETECTORS.has(finding.detector) && (attempt === null || finding.attempt === attempt));
}

/** Whether the reward has risen since a step; null where too few points tell. */
function rises({ steps, values }: Curve, since: number): boolean | null {
  const from = steps.findIndex((step) => step >= since);
  if (from < 0 || steps.length - from < 8) return null;
  const { slope, slopeError } = leastSquaresTrend(steps.slice(from), values.slice(from));
  return slopeError > 0 ? slope / slopeError > PROXY_Z : slope > 0;
}
