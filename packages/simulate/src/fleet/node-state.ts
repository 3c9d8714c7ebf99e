import { isActive } from "./fleet-fault.ts";
import type { FaultOf, FleetFault, FleetFaultKind } from "./fleet-fault.ts";
import type { FleetPlan } from "./fleet-plan.ts";
import type { Spelling } from "./spelling.ts";
import { bootAt, nodeIdentity } from "./inventory.ts";
import type { Boot, NodeIdentity } from "./inventory.ts";
import type { Load, LoadCurve, Work } from "./load-curve.ts";
import { keyOf, uniform } from "./noise.ts";

/** An XID that the driver of a node has reported. */
export interface XidAt {
  readonly timeMs: number;
  readonly slot: number;
  readonly code: number;
}

/** What does not change about a node, drawn up once. */
export interface NodeState {
  readonly plan: FleetPlan;
  readonly identity: NodeIdentity;
  readonly faults: readonly FleetFault[];
  /** By slot. */
  readonly gpuFaults: readonly (readonly FleetFault[])[];
  /** In order of time. */
  readonly xids: readonly XidAt[];
  readonly curve: LoadCurve;
}

/** A node at a time, by the true clock. */
export interface NodeMoment {
  readonly state: NodeState;
  readonly timeMs: number;
  readonly boot: Boot;
  readonly load: Load;
  /** Since the boot. */
  readonly work: Work;
}

export function nodeState(plan: FleetPlan, index: number, curves: { readonly job: LoadCurve; readonly idle: LoadCurve }): NodeState {
  const identity = nodeIdentity(plan, index);
  const faults = plan.faults.filter((fault) => fault.node === index);
  return {
    plan,
    identity,
    faults,
    gpuFaults: Array.from({ length: plan.gpusPerNode }, (_, slot) => faults.filter((fault) => "gpu" in fault && fault.gpu === slot)),
    xids: xidsOf(plan, index),
    curve: isInJob(plan, index) ? curves.job : curves.idle,
  };
}

export function momentOf(state: NodeState, timeMs: number): NodeMoment {
  const boot = bootAt(state.identity, timeMs);
  const [now, then] = [state.curve.work(timeMs), state.curve.work(boot.bootMs)];
  const work = { compute: now.compute - then.compute, net: now.net - then.net, busy: now.busy - then.busy };
  return { state, timeMs, boot, load: state.curve.at(timeMs), work };
}

export function isInJob({ run, nodes }: FleetPlan, node: number): boolean {
  return node < (run?.nodes ?? nodes);
}

/** When the processes of a job that has lost a GPU have been torn down everywhere. */
const TEARDOWN_MS = 28_000;
export const TEARDOWN_XID = 45;

function xidsOf(plan: FleetPlan, node: number): readonly XidAt[] {
  const own: XidAt[] = [];
  for (const [place, fault] of plan.faults.entries()) {
    if (fault.kind === "row-remap" && fault.node === node) own.push({ timeMs: fault.atMs, slot: fault.gpu, code: fault.failed ? 64 : 63 });
    if (fault.kind === "ecc" && fault.uncorrected > 0 && fault.node === node) own.push({ timeMs: fault.atMs, slot: fault.gpu, code: 48 });
    if (fault.kind === "link-down" && fault.node === node) own.push({ timeMs: fault.atMs, slot: fault.gpu, code: 74 });
    if (fault.kind !== "xid") continue;
    if (fault.node === node) own.push({ timeMs: fault.atMs, slot: fault.gpu, code: fault.code });
    if (fault.teardown === true && isInJob(plan, fault.node) && isInJob(plan, node)) own.push(...teardown(plan, node, fault, place));
  }
  return own.sort((a, b) => a.timeMs - b.timeMs || a.slot - b.slot);
}

function teardown(plan: FleetPlan, node: number, fault: FaultOf<"xid">, place: number): readonly XidAt[] {
  const key = keyOf(plan.seed, 7, place, node);
  return Array.from({ length: plan.gpusPerNode }, (_, slot) => ({
    timeMs: fault.atMs + 1000 + Math.round(TEARDOWN_MS * uniform(key, slot)),
    slot,
    code: TEARDOWN_XID,
  })).filter(({ slot }) => node !== fault.node || slot !== fault.gpu);
}

/** The newest XID of a GPU since the node has booted; 0 where there was none. The driver keeps it for ever (E1). */
export function lastXid({ state, boot, timeMs }: NodeMoment, slot: number): number {
  return state.xids.findLast((xid) => xid.slot === slot && xid.timeMs <= timeMs && xid.timeMs >= boot.bootMs)?.code ?? 0;
}

/** Whether a GPU has fallen off the bus: it answers nothing until the next boot. */
export function isGone({ state, boot, timeMs }: NodeMoment, slot: number): boolean {
  return (state.gpuFaults[slot] ?? []).some(
    (fault) => fault.kind === "xid" && fault.code === 79 && isActive(fault, timeMs) && fault.atMs >= boot.bootMs,
  );
}

/** dcgm-exporter's and node_exporter's process is away for so long after a restart. */
export const RESTART_MS = 12_000;

export function answers({ identity, faults }: NodeState, timeMs: number): boolean {
  const boot = bootAt(identity, timeMs);
  if (timeMs < boot.upMs || timeMs >= boot.downMs) return false;
  return !faults.some(
    (fault) =>
      (fault.kind === "exporter-silent" && isActive(fault, timeMs)) ||
      (fault.kind === "exporter-restart" && timeMs >= fault.atMs && timeMs < fault.atMs + RESTART_MS),
  );
}

export function hasFault({ faults }: NodeState, kind: FleetFaultKind, timeMs: number): boolean {
  return faults.some((fault) => fault.kind === kind && isActive(fault, timeMs));
}

export function spellingAt(state: NodeState, timeMs: number): Spelling {
  return hasFault(state, "exporter-upgrade", timeMs) ? "renamed" : state.plan.spelling;
}

/** What the node's own clock says, epoch ms. */
export function clockAt({ faults }: NodeState, timeMs: number): number {
  return faults.reduce(
    (clock, fault) => (fault.kind === "clock-off" && isActive(fault, timeMs) ? clock + fault.seconds * 1000 : clock),
    timeMs,
  );
}
