import { keyOf, uniform } from "../fleet/noise.ts";
import type { ClusterFault } from "./cluster-fault.ts";
import type { ClusterPlan } from "./cluster-plan.ts";
import { CLUSTER_FAULT_KINDS } from "./fault-kinds.ts";
import type { ClusterFaultKind, ParameterOf } from "./fault-kinds.ts";

/** A fault with its place spelt out. */
export interface PlacedFault {
  /** Place among the plan's faults. */
  readonly index: number;
  readonly fault: ClusterFault;
  readonly kind: ClusterFaultKind;
  /** Ranks that it strikes first; all of them where it sits nowhere. */
  readonly ranks: readonly number[];
  readonly node: number | null;
  readonly gpu: number | null;
  readonly link: number | null;
  readonly port: number | null;
  readonly key: number;
}

export function placeFaults({ faults, seed, ranks, gpusPerNode }: ClusterPlan): readonly PlacedFault[] {
  return faults.map((fault, index): PlacedFault => {
    const rank = fault.rank ?? (fault.node === undefined || fault.gpu === undefined ? null : fault.node * gpusPerNode + fault.gpu);
    const node = rank === null ? (fault.node ?? null) : Math.floor(rank / gpusPerNode);
    const first = rank ?? (node ?? 0) * gpusPerNode;
    const count = rank === null ? (node === null ? ranks : gpusPerNode) : 1;
    return {
      index,
      fault,
      kind: fault.kind,
      ranks: Array.from({ length: count }, (_, place) => first + place),
      node,
      gpu: rank === null ? null : rank % gpusPerNode,
      link: fault.link ?? null,
      port: fault.port ?? null,
      key: keyOf(seed, 0xfa17, index),
    };
  });
}

/** A number of a fault, its kind's default where the entry has none. */
export function numberOf<K extends ClusterFaultKind>(placed: PlacedFault, kind: K, name: ParameterOf<K>): number {
  const given: unknown = Reflect.get(placed.fault, name);
  if (typeof given === "number") return given;
  const parameter = CLUSTER_FAULT_KINDS.find((entry) => entry.kind === kind)?.parameters.find((one) => one.name === name);
  if (parameter === undefined) throw new Error(`${kind} has no ${name}`);
  return parameter.value;
}

/** Whether a fault that strikes a share of the steps strikes this one. `tick` counts the steps that the run has executed, repeats included. */
export function isStruck(placed: PlacedFault, share: number, tick: number): boolean {
  return share >= 1 || uniform(placed.key, tick) < share;
}
