import { sayInteger, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, Severity } from "@trainwatch/core";
import type { DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { parametersOf } from "../parameters.ts";
import type { ParameterValues } from "../parameters.ts";
import type { ClockFacts } from "./contract.ts";
import type { ClockDetectorEntry } from "./entry.ts";
import { areFew, ranksBehind, sayRanks } from "./ranks-behind.ts";
import type { RanksBehind } from "./ranks-behind.ts";
import { sayDuration } from "./say-duration.ts";

const ID = "hang";
const VERSION = 1;
const MS = 1_000;

const PARAMETERS = [
  { name: "least", value: 60, unit: "s", meaning: "No step for so long is a hang", least: 1 },
  { name: "steps", value: 5, unit: "× median step", meaning: "And for so many of the run's own steps", least: 1 },
  {
    name: "suspect_share",
    value: 0.5,
    unit: "of the limit",
    meaning: "Where no byte moves or ranks stand at different steps, a warning is given this early",
    least: 0.1,
    most: 1,
  },
  {
    name: "doubt",
    value: 3,
    unit: "× limit",
    meaning: "Where bytes still move, or a save is due at this very step and nobody tells of it, a page waits so long",
    least: 1,
  },
  {
    name: "phase",
    value: 1_800,
    unit: "s",
    meaning: "A checkpoint or an evaluation that has been announced excuses a standing step for so long",
  },
  {
    name: "still_traffic",
    value: 0.05,
    unit: "of the GPUs",
    meaning: "At most so many move bytes when communication stands still",
    most: 1,
  },
] as const satisfies readonly DetectorParameter[];

export const hang = {
  id: ID,
  version: VERSION,
  title: "Hang",
  finds: "A run that is heard of and makes no step, outside checkpoints and evaluations; with the ranks that are behind the others.",
  source:
    "detection.md C.4 and goal 9: no step for max(60 s, 5 × median step); ByteRobust needs 10 min of zero traffic, NCCL's own time-out 10 to 30 min",
  parameters: PARAMETERS,
} satisfies ClockDetectorEntry;

type Rules = ParameterValues<typeof PARAMETERS>;

/** A hang that goes on. JSON-safe. */
export interface OpenHang {
  readonly step: number;
  readonly sinceMs: number;
  readonly detectedMs: number;
  severity: Severity;
  /** The finding is told again when what it says has changed. */
  told: string;
}

export interface HangState {
  open: OpenHang | null;
}

export const newHang = (): HangState => ({ open: null });

/** Where only each n-th step is logged nothing is seen of those between; they may take half as long again before it counts. */
const LOGGING_MARGIN = 1.5;

/** What the hang looks like now. */
interface Stand {
  readonly limitMs: number;
  /** From here on it is suspected where something else speaks for it. */
  readonly suspectMs: number;
  readonly stillMs: number;
  readonly behind: RanksBehind | null;
  readonly isStill: boolean;
  readonly isMoving: boolean;
  readonly saveIsDue: boolean;
}

export function observeHang(
  context: MonitorContext,
  state: HangState,
  facts: ClockFacts,
  rankSteps: ReadonlyMap<number, number>,
): readonly Finding[] {
  const rules = parametersOf(hang, context);
  const { open } = state;
  if (open !== null && hasMoved(open, facts)) {
    state.open = null;
    return [finding(context, rules, open, facts, standOf(rules, facts, rankSteps), facts.stepMovedAtMs ?? facts.nowMs)];
  }
  if (open !== null && facts.ended) {
    state.open = null;
    return [finding(context, rules, open, facts, standOf(rules, facts, rankSteps), facts.nowMs)];
  }
  const { lastStep, stepMovedAtMs } = facts;
  if (facts.ended || lastStep === null || stepMovedAtMs === null || isExcused(rules, facts)) return [];
  const stand = standOf(rules, facts, rankSteps);
  const severity = severityOf(rules, stand);
  // A run of which nothing is heard is silent; what its ranks do nobody knows (D1).
  if (severity === null || !isHeard(stand, facts)) return [];
  const now = open ?? { step: lastStep, sinceMs: stepMovedAtMs, detectedMs: facts.nowMs, severity, told: "" };
  state.open = now;
  if (severity === "critical") now.severity = "critical";
  const told = [now.severity, stand.behind === null ? "" : sayRanks(stand.behind.ranks), String(stand.isStill), doublings(stand)].join();
  if (told === now.told) return [];
  now.told = told;
  return [finding(context, rules, now, facts, stand, null)];
}

function isExcused(rules: Rules, { phase, nowMs }: ClockFacts): boolean {
  return phase !== null && nowMs - phase.sinceMs <= MS * rules.phase;
}

function hasMoved(open: OpenHang, { lastStep, stepMovedAtMs }: ClockFacts): boolean {
  return (lastStep !== null && lastStep > open.step) || (stepMovedAtMs !== null && stepMovedAtMs > open.sinceMs);
}

function standOf(rules: Rules, facts: ClockFacts, rankSteps: ReadonlyMap<number, number>): Stand {
  const { trafficShare, stepTimeS, checkpoint, checkpointEvery, lastStep } = facts;
  const sinceSave = checkpoint === null || lastStep === null ? null : lastStep - checkpoint.step;
  const logEvery = facts.logEvery ?? 1;
  const unseenMs = MS * LOGGING_MARGIN * (logEvery - 1) * (stepTimeS ?? 0);
  const ownMs = MS * Math.max(rules.least, rules.steps * (stepTimeS ?? 0));
  return {
    limitMs: unseenMs + ownMs,
    suspectMs: unseenMs + rules.suspect_share * ownMs,
    stillMs: facts.nowMs - (facts.stepMovedAtMs ?? facts.nowMs),
    behind: ranksBehind(rankSteps, logEvery),
    isStill: trafficShare !== null && trafficShare <= rules.still_traffic,
    isMoving: trafficShare !== null && trafficShare > 0.5,
    saveIsDue: checkpointEvery !== null && sinceSave !== null && sinceSave > 0 && sinceSave % checkpointEvery === 0,
  };
}

function severityOf(rules: Rules, { limitMs, suspectMs, stillMs, behind, isStill, isMoving, saveIsDue }: Stand): Severity | null {
  const isBacked = isStill || (behind !== null && areFew(behind));
  if (stillMs < (isBacked ? suspectMs : limitMs)) return null;
  if (stillMs < limitMs) return "warning";
  const isDoubtful = !isBacked && (isMoving || saveIsDue);
  return isDoubtful && stillMs < rules.doubt * limitMs ? "warning" : "critical";
}

/** Something of the run came after its step stood still, and not longer ago than a hang needs. */
function isHeard({ limitMs, isStill }: Stand, { nowMs, lastReceivedAtMs, stepMovedAtMs, trafficShare }: ClockFacts): boolean {
  if (trafficShare !== null) return true;
  return lastReceivedAtMs !== null && lastReceivedAtMs > (stepMovedAtMs ?? nowMs) && (isStill || nowMs - lastReceivedAtMs <= limitMs);
}

/** Limits that have passed, in powers of two: a hang that lasts is told of again as it doubles. */
function doublings({ stillMs, limitMs }: Stand): string {
  return String(Math.floor(Math.log2(Math.max(1, stillMs / limitMs))));
}

function finding(context: MonitorContext, rules: Rules, open: OpenHang, facts: ClockFacts, stand: Stand, endMs: number | null): Finding {
  const { behind } = stand;
  const lastedS = ((endMs ?? facts.nowMs) - open.sinceMs) / MS;
  const [only] = behind?.ranks ?? [];
  const isOver = endMs !== null && !facts.ended;
  const standing = isOver ? "; it has gone on since" : facts.ended ? ", until the attempt ended" : "";
  const suspects =
    behind === null || !areFew(behind) || endMs !== null
      ? ""
      : `; ${sayRanks(behind.ranks)} ${behind.ranks.length === 1 ? "is" : "are"} behind`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: "progress",
    severity: open.severity,
    state: isOver ? "recovered" : "stalled",
    onsetStep: open.step,
    onsetLowerStep: open.step,
    onsetTimeMs: open.sinceMs,
    detectedStep: open.step,
    detectedTimeMs: open.detectedMs,
    peakStep: null,
    endStep: isOver ? Math.max(open.step, facts.lastStep ?? open.step) : null,
    endTimeMs: endMs,
    shape: "jump",
    peakValue: null,
    baselineValue: facts.stepTimeS,
    levelShift: null,
    identityStep: open.sinceMs,
    summary: `No step for ${sayDuration(lastedS)} at ${sayInteger(open.step)}${standing}${suspects}.`,
    evidence: hangEvidence(rules, facts, stand, lastedS),
    ...(behind !== null && areFew(behind) && behind.ranks.length === 1 && only !== undefined
      ? { place: { rank: only, gpuId: null, nodeId: null, host: null } }
      : {}),
    facts: behind === null || !areFew(behind) ? [] : [{ fact: "ranks-behind", value: behind.ranks.length }],
  });
}

function hangEvidence(rules: Rules, facts: ClockFacts, stand: Stand, lastedS: number): Evidence[] {
  const { behind, limitMs, isStill, isMoving, saveIsDue } = stand;
  const pace =
    facts.stepTimeS === null
      ? `The run's pace is not known, so the least of ${sayValue(rules.least)} s holds`
      : `The limit is ${sayDuration(limitMs / MS)}: a step takes ${sayValue(facts.stepTimeS)} s`;
  const list = [evidence("for", `No step for ${sayDuration(lastedS)}. ${pace}`, lastedS, "s", "detection.md C.4")];
  if (behind !== null) list.push(behindEvidence(behind));
  if (facts.phase !== null)
    list.push(
      evidence(
        "for",
        `Its ${PHASE_WORDS[facts.phase.kind]} began ${sayDuration((facts.nowMs - facts.phase.sinceMs) / MS)} ago and has not been told to have ended`,
        (facts.nowMs - facts.phase.sinceMs) / MS,
        "s",
      ),
    );
  if (isStill)
    list.push(
      evidence("for", "Hardly any GPU of the run moves bytes over NVLink or the network", 100 * (facts.trafficShare ?? 0), "% of GPUs"),
    );
  else if (isMoving)
    list.push(
      evidence("against", "Most of its GPUs still move bytes over NVLink or the network", 100 * (facts.trafficShare ?? 0), "% of GPUs"),
    );
  if (facts.lastReceivedAtMs !== null)
    list.push(
      evidence(
        "for",
        "The run is still heard of: it is not the way to us that is broken",
        (facts.nowMs - facts.lastReceivedAtMs) / MS,
        "s ago",
      ),
    );
  if (saveIsDue)
    list.push(
      evidence(
        "against",
        "A checkpoint is due at this very step: a long save that nobody announces looks the same",
        facts.lastStep,
        "step",
      ),
    );
  if (list.every(({ weight }) => weight !== "against"))
    list.push(evidence("against", "A save or an evaluation that nobody announces, or a long compilation, would look the same"));
  return list;
}

const PHASE_WORDS = { checkpoint: "checkpoint", eval: "evaluation" } as const;

function behindEvidence(behind: RanksBehind): Evidence {
  const { ranks, step, front, known, between, gone } = behind;
  const others = between === 0 ? "" : `, and ${sayInteger(between)} more between`;
  const lost = gone === 0 ? "" : `; ${sayInteger(gone)} more ranks were last heard of long before`;
  const text = `Of ${sayInteger(known)} ranks, ${sayRanks(ranks)} stand at step ${sayInteger(step)} and the foremost at ${sayInteger(front)}${others}${lost}`;
  // Where most are behind, the few that have run ahead are as odd as they.
  return areFew(behind)
    ? evidence("for", text, ranks.length, "ranks")
    : evidence("neutral", `${text}: most are behind, so those ahead may only log more often`, ranks.length, "ranks");
}
