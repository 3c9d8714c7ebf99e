import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

/** UUIDs of the node's GPUs in the order of their PCI addresses, which is that of `nvidia-smi`. Empty where the driver is not loaded. */
export async function gpuUuids(proc: string): Promise<readonly string[]> {
  const root = join(proc, "driver/nvidia/gpus");
  const addresses = await readdir(root).catch(() => []);
  const uuids: string[] = [];
  for (const address of addresses.toSorted()) {
    const text = await readFile(join(root, address, "information"), "utf8").catch(() => "");
    // GPU UUID: 	 GPU-9b1f0c3e-0000-0000-0000-000000000000
    const uuid = /^GPU UUID:\s+(GPU-\S+)/m.exec(text)?.[1];
    if (uuid !== undefined) uuids.push(uuid);
  }
  return uuids;
}

/** A GPU by what is known of it. */
export interface UsedGpu {
  readonly uuid: string | null;
  /** As `nvidia-smi` counts. */
  readonly index: number | null;
}

/** Which GPU a process of a local rank uses: its visible devices by UUID or index, else all of the node in order. */
export function gpuOfRank(localRank: number, visible: string | undefined, uuids: readonly string[]): UsedGpu {
  const listed = visible === undefined || visible === "" || visible === "all" ? null : visible.split(",").map((each) => each.trim());
  // One device for each process is seen as device 0 by every rank.
  const entry = listed === null ? String(localRank) : listed.length === 1 ? listed[0] : listed[localRank];
  if (entry !== undefined && /^(GPU|MIG)-/.test(entry)) {
    const index = uuids.indexOf(entry);
    return { uuid: entry, index: index < 0 ? null : index };
  }
  if (entry === undefined || !/^\d{1,3}$/.test(entry)) return { uuid: null, index: null };
  return { uuid: uuids[Number(entry)] ?? null, index: Number(entry) };
}
