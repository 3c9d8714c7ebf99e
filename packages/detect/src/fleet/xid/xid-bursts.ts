import { gpuOf, xidEntry, xidVerdict } from "@trainwatch/core";
import type { FleetEventView, XidVerdict } from "@trainwatch/core";
import type { FleetTick } from "../contract.ts";
import { gpuPlace, indexOf } from "../engine/topology.ts";

/** A burst of one XID as it stands, with what is known of its GPU at the time. */
export interface XidBurst {
  readonly id: number;
  readonly code: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
  /** Empty where no source has told which GPU sits at the PCI address that the kernel names: the node is accused then. */
  readonly gpuId: string;
  readonly nodeId: string;
  readonly host: string;
  readonly runId: number | null;
  readonly run: string | null;
  readonly text: string;
  readonly verdict: XidVerdict;
}

/** Bursts of XIDs of a tick, initiators before what may follow from them, by time. */
export function xidBursts(tick: FleetTick): readonly XidBurst[] {
  const index = indexOf(tick.topology);
  return tick.events
    .flatMap((event) => {
      if (event.kind !== "xid" || event.code === null) return [];
      const gpuId = event.entity === null || event.entity.id.startsWith("pci:") ? "" : gpuOf(event.entity.id);
      const place = gpuPlace(index, gpuId);
      return [burstOf(event, event.code, gpuId, place?.runId ?? runOfNode(event, index), place?.run ?? null)];
    })
    .sort((a, b) => Number(isFollowerCode(a.code)) - Number(isFollowerCode(b.code)) || a.firstMs - b.firstMs || a.id - b.id);
}

function burstOf(event: FleetEventView, code: number, gpuId: string, runId: number | null, run: string | null): XidBurst {
  const { id, timeMs, lastTimeMs, count, nodeId, host, text } = event;
  const verdict = xidVerdict(code, text);
  return { id, code, firstMs: timeMs, lastMs: lastTimeMs, count, gpuId, nodeId, host, runId, run, text, verdict };
}

/** The run of a node whose GPU is not told apart: that of any of its GPUs. */
function runOfNode({ nodeId }: FleetEventView, index: ReturnType<typeof indexOf>): number | null {
  for (const at of index.gpusOf.get(nodeId) ?? []) {
    const runId = index.topology.gpus[at]?.runId ?? null;
    if (runId !== null) return runId;
  }
  return null;
}

/** Codes of a process that is being taken down: alone they accuse nobody. */
export function isFollowerCode(code: number): boolean {
  return code === 43 || code === 45;
}

/** Codes by which an application accuses itself: where most nodes of a job show one at once, it is the application. */
export function isApplicationCode(code: number): boolean {
  const kind = xidEntry(code)?.class;
  return kind === "application" || kind === "ambiguous";
}

export function severityNumber(severity: "critical" | "warning" | "info"): number {
  return severity === "critical" ? 2 : severity === "warning" ? 1 : 0;
}
