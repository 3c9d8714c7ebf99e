import type { Cause } from "@trainwatch/core";
import { bootAt } from "../fleet/inventory.ts";
import type { NodeIdentity } from "../fleet/inventory.ts";
import type { FaultClock, FaultSpan } from "./fault-clock.ts";
import { CLUSTER_FAULT_KINDS } from "./fault-kinds.ts";
import type { ClusterFaultKind } from "./fault-kinds.ts";
import type { PlacedFault } from "./placed-fault.ts";
import { endsAttempt } from "./stops.ts";

/** What was done to a cluster run, for judging what is said about it: one JSON object a line. Ids are those of entities. */
export interface ClusterTruth {
  readonly kind: ClusterFaultKind;
  /** In the words of `CAUSES`; null where nothing is wrong with the run. */
  readonly cause: Cause | null;
  /** First step that is not as it would have been, in `attempt`, and when it began, epoch ms. Null where the fault never came. */
  readonly attempt: string | null;
  readonly onsetStep: number | null;
  readonly onsetMs: number | null;
  /** The last struck step and when it was over; null to the end. */
  readonly endAttempt: string | null;
  readonly endStep: number | null;
  readonly endMs: number | null;
  /** Ranks that are to blame: one, a node's, or none where the fault sits nowhere. */
  readonly ranks: readonly number[];
  readonly gpuIds: readonly string[];
  readonly nodeId: string | null;
  readonly host: string | null;
  readonly linkId: string | null;
  readonly portId: string | null;
}

export function truthOfFault(
  placed: PlacedFault,
  clock: Pick<FaultClock, "spans">,
  nodes: readonly NodeIdentity[],
  gpusPerNode: number,
): ClusterTruth {
  const entry = CLUSTER_FAULT_KINDS.find(({ kind }) => kind === placed.kind);
  const span = clock.spans.get(placed.index);
  const isEverywhere = placed.node === null;
  const ranks = isEverywhere ? [] : placed.ranks;
  const onsetMs = span === undefined ? null : Math.round(span.onset.startMs);
  const chips = ranks.map((rank) => chipOf(nodes, gpusPerNode, rank, onsetMs));
  const node = placed.node === null ? undefined : nodes[placed.node];
  const gpuIds = chips.filter((uuid) => uuid !== null);
  return {
    kind: placed.kind,
    cause: entry?.cause ?? null,
    attempt: span?.onset.attemptName ?? null,
    onsetStep: span?.onset.step ?? null,
    onsetMs,
    ...endOf(span, endsAttempt(placed)),
    ranks,
    gpuIds,
    nodeId: node?.machineId ?? null,
    host: node?.host ?? null,
    linkId: placed.link === null ? null : `${gpuIds[0] ?? ""}/link/${placed.link}`,
    portId: placed.port === null ? null : `${node?.machineId ?? ""}/port/mlx5_${placed.port}:1`,
  };
}

function endOf(span: FaultSpan | undefined, hasEndedAttempt: boolean): Pick<ClusterTruth, "endAttempt" | "endStep" | "endMs"> {
  const end = span?.end ?? null;
  if (span === undefined || end === null) return { endAttempt: null, endStep: null, endMs: null };
  const endMs = Math.round(end.startMs);
  // The step that was never done is the last of what it struck.
  if (hasEndedAttempt && end.attempt > span.onset.attempt) return { endAttempt: span.onset.attemptName, endStep: span.onset.step, endMs };
  return { endAttempt: end.attemptName, endStep: end.step - 1, endMs };
}

function chipOf(nodes: readonly NodeIdentity[], gpusPerNode: number, rank: number, timeMs: number | null): string | null {
  const node = nodes[Math.floor(rank / gpusPerNode)];
  if (node === undefined) return null;
  const { slots, chips } = timeMs === null ? (node.boots[0] ?? { slots: [], chips: [] }) : bootAt(node, timeMs);
  return chips[slots[rank % gpusPerNode] ?? -1]?.uuid ?? null;
}
