import { isBurstOver } from "../engine/burst-over.ts";

/**
 * What is remembered of XIDs between ticks. Plain JSON, bounded by time: nothing in it was told longer ago than the repeat window. Times of events say nothing of that: a node
 * that was cut off for hours brings its events late, and piece by piece.
 */
export interface XidMemory {
  /** By burst: how many of it have been counted, the key of the finding they were counted into ("" while it is held back), and the tick that told of it last. */
  bursts: Record<string, { counted: number; lastMs: number; into: string; toldMs?: number }>;
  /** Errors that may have begun others, newest last, with the tick that told of each. */
  initiators: { gpuId: string; nodeId: string; runId: number | null; code: number; atMs: number; key: string; toldMs?: number }[];
  /** Times of one code on one GPU, newest last: repeats. By `<gpu>|<code>`. */
  occurrences: Record<string, number[]>;
  /** Notes that wait: they may turn out to follow from another, or to be the application's. */
  held: HeldXid[];
  /** Application errors a run has shown of late, by `<run>|<code>`: last time on each node. */
  application: Record<string, Record<string, number>>;
}

export interface HeldXid {
  id: number;
  code: number;
  firstMs: number;
  lastMs: number;
  count: number;
  gpuId: string;
  nodeId: string;
  host: string;
  runId: number | null;
  run: string | null;
  text: string;
  /** When it was first held, by the clock of the ticks. */
  heldMs: number;
}

export function newXidMemory(): XidMemory {
  return { bursts: {}, initiators: [], occurrences: {}, held: [], application: {} };
}

/** Forgets what can bear on nothing any more. */
export function forget(memory: XidMemory, nowMs: number, windowMs: number, silenceMs: number): void {
  for (const [id, burst] of Object.entries(memory.bursts)) if (isBurstOver(burst, nowMs, silenceMs)) delete memory.bursts[id];
  memory.initiators = memory.initiators.filter(({ atMs, toldMs = atMs }) => nowMs - Math.max(atMs, toldMs) <= windowMs);
  for (const [key, times] of Object.entries(memory.occurrences)) {
    const recent = times.filter((timeMs) => nowMs - timeMs <= windowMs);
    if (recent.length === 0) delete memory.occurrences[key];
    else memory.occurrences[key] = recent;
  }
  for (const [key, nodes] of Object.entries(memory.application)) {
    for (const [node, lastMs] of Object.entries(nodes)) if (nowMs - lastMs > windowMs) delete nodes[node];
    if (Object.keys(nodes).length === 0) delete memory.application[key];
  }
}
