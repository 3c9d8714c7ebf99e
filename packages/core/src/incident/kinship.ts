import type { Finding } from "../finding.ts";
import { causeFamily, isForerunner } from "./family.ts";
import { isOneMemory } from "./memory.ts";
import { nodeOfFinding } from "./place.ts";
import { signalOf } from "./signal.ts";
import type { Signal } from "./signal.ts";
import { announcedSteps, findingSpan, findingTimes, forerunnerSteps, quietSteps, spanGap } from "./span.ts";

const MINUTE = 60_000;
/**
 * A broken device brings its run down within minutes: a hang is told after one, NVIDIA's tools and NCCL's watchdog take up to ten (detection.md C.4; NCCL's default
 * time-out for PyTorch is 10 min). Longer would draw in the next fault: 16,384 GPUs fail once in three hours (D.1).
 */
const FOLLOWS_MS = 10 * MINUTE;
/** What happens on many machines at once, from one cause: within a minute, the bound for followers and for application errors in detection.md C.2. */
const TOGETHER_MS = MINUTE;
/** A cause may be told of later than its effect: scrapes of 10 to 60 s, kernel lines sent in batches, clocks that differ. */
const LEAD_MS = 2 * MINUTE;
/** A fault of one thing that is over and comes again within an hour is the same fault (case G1: every 40 s). */
export const FLAP_MS = 60 * MINUTE;

/** How far an effect may lie from its cause. */
interface Reach {
  /** Its onset after that of the cause, at most. */
  readonly afterMs: number;
  /** And before it, at most. */
  readonly leadMs: number;
  /** A cause that goes on has effects as long as it does: a slow link, a hot GPU. */
  readonly whileOn?: true;
}

const FOLLOWS: Reach = { afterMs: FOLLOWS_MS, leadMs: LEAD_MS };
const TOGETHER: Reach = { afterMs: TOGETHER_MS, leadMs: TOGETHER_MS };
const HOLDS_BACK: Reach = { afterMs: FOLLOWS_MS, leadMs: FOLLOWS_MS, whileOn: true };

/** What brings what about, in one run, wherever its parts are. What is not here needs the same node, the same fingerprint, or neighbouring steps. */
const EFFECTS: Readonly<Partial<Record<Signal, Readonly<Partial<Record<Signal, Reach>>>>>> = {
  device: {
    stop: FOLLOWS,
    slow: FOLLOWS,
    learning: FOLLOWS,
    "not-finite": FOLLOWS,
    lost: FOLLOWS,
    teardown: FOLLOWS,
    application: TOGETHER,
    link: TOGETHER,
  },
  link: { stop: HOLDS_BACK, slow: HOLDS_BACK, lost: TOGETHER, teardown: FOLLOWS, application: TOGETHER, link: TOGETHER },
  "slow-device": { stop: FOLLOWS, slow: HOLDS_BACK },
  // Two nodes lost within a minute share a switch, a rack or a source: by chance it comes once in some 200 losses at 2,048 nodes and 3.8 per 1,000 node-days (D.1).
  lost: { stop: FOLLOWS, slow: FOLLOWS, teardown: FOLLOWS, application: TOGETHER, lost: TOGETHER },
  application: { stop: FOLLOWS, teardown: FOLLOWS, application: TOGETHER },
  // A job that stands is ended, and its nodes are cleared away: 10 to 30 min later where only NCCL's time-out does it, so as long as it stands.
  stop: { teardown: { ...FOLLOWS, whileOn: true }, lost: FOLLOWS, application: FOLLOWS, stop: FOLLOWS },
  slow: { stop: FOLLOWS },
  // A trainer gives up on what is not finite; a loss that is merely high stops nobody.
  "not-finite": { stop: FOLLOWS, teardown: FOLLOWS },
  teardown: { teardown: FOLLOWS, stop: FOLLOWS },
};

/** What tells on one node of one thing: an ECC error, its remap, the XID, the clocks, the rank that deviates. */
const ON_A_NODE = new Set<Signal>(["device", "link", "slow-device", "lost", "application", "teardown"]);

/** How near two findings are: the nearer the kind (3 the same fault again, 2 the same node, 1 neighbouring steps of one family, 0 cause and effect), then the gap in its own unit. */
export interface Kinship {
  readonly kind: 0 | 1 | 2 | 3;
  readonly gap: number;
  /** Only the memory of one GPU has it over more than minutes: what is told of it in the end belongs to what was told first, but shows nothing else of today to be a part of that. */
  readonly isFar?: true;
}

/** Whether one cause is behind both, taken that they are of one run or of one node; null where nothing says so. Symmetric. */
export function kinship(a: Finding, b: Finding, logEvery: number): Kinship | null {
  return again(a, b) ?? inOneMemory(a, b) ?? onOneNode(a, b) ?? inSteps(a, b, logEvery) ?? causal(a, b);
}

function again(a: Finding, b: Finding): Kinship | null {
  if (a.fingerprint !== b.fingerprint || (findingSpan(a) !== null && findingSpan(b) !== null)) return null;
  const gap = timeGap(a, b);
  if (gap === null) return { kind: 3, gap: 0 };
  return gap <= FLAP_MS ? { kind: 3, gap } : null;
}

function inOneMemory(a: Finding, b: Finding): Kinship | null {
  if (!isOneMemory(a, b)) return null;
  const [timesA, timesB] = [findingTimes(a), findingTimes(b)];
  // Between the beginnings: a row that waits for its reset goes on for weeks.
  const gap = timesA === null || timesB === null ? 0 : Math.abs(timesA.from - timesB.from);
  return { kind: 2, gap, ...(gap > FOLLOWS_MS ? { isFar: true } : {}) };
}

function onOneNode(a: Finding, b: Finding): Kinship | null {
  const node = nodeOfFinding(a);
  if (node === null || node !== nodeOfFinding(b)) return null;
  const [signalA, signalB] = [signalOf(a), signalOf(b)];
  if (!ON_A_NODE.has(signalA) || !ON_A_NODE.has(signalB)) return null;
  const [timesA, timesB] = [findingTimes(a), findingTimes(b)];
  if (timesA === null || timesB === null) return null;
  const holdsBack = (signalA === "slow-device" || signalB === "slow-device") && !isNote(a) && !isNote(b);
  const gap = holdsBack ? spanGap(timesA, timesB) : Math.abs(timesA.from - timesB.from);
  return gap <= FOLLOWS_MS ? { kind: 2, gap } : null;
}

function inSteps(a: Finding, b: Finding, logEvery: number): Kinship | null {
  if (causeFamily(a.metric) !== causeFamily(b.metric) || accusesOther(a, b)) return null;
  const [spanA, spanB] = [findingSpan(a), findingSpan(b)];
  if (spanA === null || spanB === null) return null;
  const gap = spanGap(spanA, spanB);
  if (isOutlier(a) || isOutlier(b)) {
    const reach = outlierReach(a, b, logEvery);
    return reach !== null && gap <= reach ? { kind: 1, gap } : null;
  }
  // A note may go on for a whole run. Only where both began together does its onset say anything about the other's.
  if (isNote(a) || isNote(b)) return Math.abs(onsetOf(a) - onsetOf(b)) <= announcedSteps(logEvery) ? { kind: 1, gap } : null;
  return gap <= quietSteps(logEvery) ? { kind: 1, gap } : null;
}

function causal(a: Finding, b: Finding): Kinship | null {
  const gap = effectGap(a, b) ?? effectGap(b, a);
  return gap === null ? null : { kind: 0, gap };
}

/** Ms between the onsets where `effect` may come of `cause`; null where it may not. */
function effectGap(cause: Finding, effect: Finding): number | null {
  const reach = EFFECTS[signalOf(cause)]?.[signalOf(effect)];
  const [from, to] = [findingTimes(cause), findingTimes(effect)];
  if (reach === undefined || from === null || to === null) return null;
  const after = to.from - from.from;
  const isLate = after > reach.afterMs;
  if (after < -reach.leadMs) return null;
  if (isLate && (reach.whileOn !== true || isNote(cause) || to.from > from.to + reach.afterMs)) return null;
  return Math.abs(after);
}

/** Both accuse a place, and not the same: rank 3's gradients and rank 99's are two faults though the metric is one. */
function accusesOther(a: Finding, b: Finding): boolean {
  if (a.subject.kind === "run" || b.subject.kind === "run") return false;
  const [nodeA, nodeB] = [nodeOfFinding(a), nodeOfFinding(b)];
  if (nodeA !== null && nodeB !== null) return nodeA !== nodeB;
  return a.subject.kind !== b.subject.kind || a.subject.id !== b.subject.id;
}

/** One-step outliers are mostly the data's (detection.md finding 2): they stay notes, save a norm's just beside a fault. */
function outlierReach(a: Finding, b: Finding, logEvery: number): number | null {
  if (isOutlier(a) && isOutlier(b)) return null;
  const outlier = isOutlier(a) ? a : b;
  return isForerunner(outlier.metric) ? forerunnerSteps(logEvery) : null;
}

function isOutlier(finding: Finding): boolean {
  return isNote(finding) && finding.shape === "point" && finding.subject.kind === "run";
}

function isNote(finding: Finding): boolean {
  return finding.severity === "info";
}

function timeGap(a: Finding, b: Finding): number | null {
  const [timesA, timesB] = [findingTimes(a), findingTimes(b)];
  return timesA === null || timesB === null ? null : spanGap(timesA, timesB);
}

function onsetOf(finding: Finding): number {
  return finding.onsetStep ?? finding.detectedStep ?? Number.POSITIVE_INFINITY;
}
