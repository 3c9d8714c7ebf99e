import { xidEntry } from "@trainwatch/core";
import type { Severity } from "@trainwatch/core";
import type { FleetTick } from "../contract.ts";
import type { Chosen } from "../engine/choose.ts";
import { indexOf } from "../engine/topology.ts";
import type { XidBurst } from "./xid-bursts.ts";
import { isFollowerCode, severityNumber } from "./xid-bursts.ts";
import type { XidMemory } from "./xid-memory.ts";
import type { XidParameterName } from "./xid-parameters.ts";

/** Lines of one fault are not always in order: what stands so much before its cause still follows from it. */
const DISORDER_MS = 5_000;
/** Test messages, what a recovery action says of another XID, and what takes another back begin nothing. */
const BEGIN_NOTHING: readonly number[] = [106, 107, 154, 162];

type Chooser = Chosen<XidParameterName>;

/** The error that this one follows from: the worst, then the earliest, on the same GPU, or, for 45, anywhere in the same job. */
export function initiatorOf(
  memory: XidMemory,
  burst: Pick<XidBurst, "code" | "gpuId" | "nodeId" | "runId" | "firstMs">,
  chosen: Chooser,
): XidMemory["initiators"][number] | null {
  if (!isFollowerCode(burst.code)) return null;
  const followMs = chosen("follow_s") * 1000;
  const before = memory.initiators.filter(({ atMs }) => burst.firstMs >= atMs - DISORDER_MS && burst.firstMs <= atMs + followMs);
  const own = before.filter((each) => thingOf(each) === thingOf(burst));
  const ofJob = burst.code === 45 ? before.filter(({ runId }) => runId === burst.runId) : [];
  const candidates = ofJob.length > 0 ? ofJob : own;
  return candidates.toSorted((a, b) => weight(b.code) - weight(a.code) || a.atMs - b.atMs)[0] ?? null;
}

/** The GPU that is accused, or its node where nobody knows which GPU it is. */
export function thingOf({ gpuId, nodeId }: { readonly gpuId: string; readonly nodeId: string }): string {
  return gpuId === "" ? nodeId : gpuId;
}

function weight(code: number): number {
  const policy = xidEntry(code)?.policy ?? "ticket";
  return policy === "page" ? 2 : policy === "ticket" ? 1 : 0;
}

/** @param as the key of its finding, and the tick that tells of it */
export function noteInitiator(memory: XidMemory, burst: XidBurst, as: { readonly key: string; readonly toldMs: number }): void {
  if (isFollowerCode(burst.code) || BEGIN_NOTHING.includes(burst.code)) return;
  const { gpuId, nodeId, runId, code, firstMs } = burst;
  memory.initiators.push({ gpuId, nodeId, runId, code, atMs: firstMs, ...as });
}

/** Notes the times of a burst that is new or has grown. */
export function noteOccurrence(memory: XidMemory, burst: XidBurst, chosen: Chooser): void {
  const key = `${thingOf(burst)}|${burst.code}`;
  const times = memory.occurrences[key] ?? [];
  for (const timeMs of [burst.firstMs, burst.lastMs])
    if (timeMs - (times.at(-1) ?? Number.NEGATIVE_INFINITY) > chosen("merge_s") * 1000) times.push(timeMs);
  memory.occurrences[key] = times.slice(-chosen("repeats") - 1);
}

export interface Escalation {
  readonly severity: Severity;
  /** Why it is more than one of it alone would be; empty where it is not. */
  readonly why: string;
  /** How often the code came on the GPU of late. */
  readonly occurrences: number;
}

/** Repeats on one GPU make more of an error that may be the application's (NVSentinel): three of it, or a 13 and then a 31, within the window. */
export function escalated(memory: XidMemory, burst: XidBurst, chosen: Chooser): Escalation {
  const { severity } = burst.verdict;
  const occurrences = memory.occurrences[`${thingOf(burst)}|${burst.code}`]?.length ?? 0;
  const minutes = Math.round(chosen("repeat_s") / 60);
  const mayBeGpu = burst.verdict.class === "ambiguous" || burst.code === 45;
  if (mayBeGpu && occurrences >= chosen("repeats")) {
    const up: Severity = burst.code === 109 ? "critical" : severity === "critical" ? "critical" : "warning";
    return { severity: up, why: `${occurrences} times on this GPU within ${minutes} minutes: suspect the GPU`, occurrences };
  }
  const thirteen = memory.occurrences[`${thingOf(burst)}|13`]?.at(-1);
  if (burst.code === 31 && thirteen !== undefined && thirteen <= burst.lastMs + DISORDER_MS && severityNumber(severity) < 1)
    return { severity: "warning", why: `XID 13 came before it on this GPU within ${minutes} minutes: suspect the GPU`, occurrences };
  return { severity, why: "", occurrences };
}

/** Notes an application error of a job's node; the share of the job's nodes that have shown it within the follow time, or null below the limit. */
export function applicationShare(
  memory: XidMemory,
  burst: Pick<XidBurst, "code" | "runId" | "nodeId" | "lastMs">,
  tick: FleetTick,
  chosen: Chooser,
): number | null {
  if (burst.runId === null) return null;
  const nodes = (memory.application[`${burst.runId}|${burst.code}`] ??= {});
  nodes[burst.nodeId] = Math.max(nodes[burst.nodeId] ?? 0, burst.lastMs);
  const newest = Math.max(...Object.values(nodes));
  const recent = Object.values(nodes).filter((lastMs) => newest - lastMs <= chosen("follow_s") * 1000).length;
  const all = nodesOfRun(tick, burst.runId);
  return recent >= 2 && recent > chosen("job_share") * all ? recent / Math.max(all, recent) : null;
}

const NODES_OF_RUNS = new WeakMap<object, Map<number, number>>();

function nodesOfRun(tick: FleetTick, runId: number): number {
  const { topology } = indexOf(tick.topology);
  let counts = NODES_OF_RUNS.get(topology);
  if (counts === undefined) {
    const nodes = new Map<number, Set<string>>();
    for (const gpu of topology.gpus) {
      if (gpu.runId === null) continue;
      const own = nodes.get(gpu.runId) ?? new Set<string>();
      nodes.set(gpu.runId, own.add(gpu.nodeId));
    }
    counts = new Map([...nodes].map(([run, own]) => [run, own.size]));
    NODES_OF_RUNS.set(topology, counts);
  }
  return counts.get(runId) ?? 0;
}
