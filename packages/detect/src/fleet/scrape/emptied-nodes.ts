import type { FleetTopology } from "../contract.ts";
import { indexOf } from "../engine/topology.ts";

/**
 * Nodes whose GPUs have all come to sit on others: a host that was renamed where no source tells its machine id, or one whose GPUs were moved. That nothing comes from
 * it any more is no loss, as long as nothing does. A move during a restart is not seen; for the rest what is known survives one.
 */
export class EmptiedNodes {
  /** The last reading of each when its GPUs were gone, epoch ms. */
  readonly #lastMs: Map<string, number>;
  #before: FleetTopology | null = null;

  constructor(stored: unknown) {
    this.#lastMs = new Map(emptiedIn(stored));
  }

  note(topology: FleetTopology, lastSampleAtMs: ReadonlyMap<string, number | null>): void {
    const before = this.#before;
    this.#before = topology;
    if (before !== null && before !== topology)
      for (const [id, gpus] of indexOf(before).gpusOf)
        if (gpus.every((gpu) => isElsewhere(topology, before.gpus[gpu]?.id ?? "", id))) this.#lastMs.set(id, lastSampleAtMs.get(id) ?? 0);
    const { gpusOf, nodeAt } = indexOf(topology);
    for (const [id, lastMs] of this.#lastMs)
      if (gpusOf.has(id) || !nodeAt.has(id) || (lastSampleAtMs.get(id) ?? 0) > lastMs) this.#lastMs.delete(id);
  }

  has(id: string): boolean {
    return this.#lastMs.has(id);
  }

  store(): readonly (readonly [id: string, lastMs: number])[] {
    return [...this.#lastMs];
  }
}

function isElsewhere(topology: FleetTopology, gpuId: string, nodeId: string): boolean {
  const at = indexOf(topology).gpuAt.get(gpuId);
  return at !== undefined && topology.gpus[at]?.nodeId !== nodeId;
}

function emptiedIn(stored: unknown): readonly (readonly [string, number])[] {
  if (typeof stored !== "object" || stored === null || !("emptied" in stored) || !Array.isArray(stored.emptied)) return [];
  return stored.emptied.flatMap((each: unknown) => {
    const [id, lastMs]: readonly unknown[] = Array.isArray(each) ? each : [];
    return typeof id === "string" && typeof lastMs === "number" ? [[id, lastMs] as const] : [];
  });
}
