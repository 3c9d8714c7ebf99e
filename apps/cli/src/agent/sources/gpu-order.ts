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

const INDEX = /^\d{1,3}$/;

/** A GPU by what is known of it. */
export interface UsedGpu {
  readonly uuid: string | null;
  /** As `nvidia-smi` counts. */
  readonly index: number | null;
}

/** What a process may use, as its environment says. */
export interface VisibleDevices {
  /** `CUDA_VISIBLE_DEVICES`: indices count within what the container was given. */
  readonly cuda: string | undefined;
  /** `NVIDIA_VISIBLE_DEVICES`: what the container was given of the node. */
  readonly container: string | undefined;
}

/** Which GPU a process of a local rank uses: its visible devices by UUID or index, else all of the node in order. */
export function gpuOfRank(localRank: number, { cuda, container }: VisibleDevices, uuids: readonly string[]): UsedGpu {
  const [own, given] = [listOf(cuda), listOf(container)];
  const listed = own ?? given;
  // One device for each process is seen as device 0 by every rank.
  const seen = listed === null ? String(localRank) : listed.length === 1 ? listed[0] : listed[localRank];
  const entry = own !== null && given !== null && seen !== undefined && INDEX.test(seen) ? givenAt(given, seen) : seen;
  if (entry !== undefined && /^(GPU|MIG)-/.test(entry)) {
    const index = uuids.indexOf(entry);
    return { uuid: entry, index: index < 0 ? null : index };
  }
  if (entry === undefined || !INDEX.test(entry)) return { uuid: null, index: null };
  return { uuid: uuids[Number(entry)] ?? null, index: Number(entry) };
}

/** Null: all of them. */
function listOf(visible: string | undefined): readonly string[] | null {
  return visible === undefined || visible === "" || visible === "all" ? null : visible.split(",").map((each) => each.trim());
}

/** CUDA's index among what the container was given. One beyond it, that was given under this number, is the node's: a launcher has set both alike. */
function givenAt(given: readonly string[], index: string): string | undefined {
  return given[Number(index)] ?? (given.includes(index) ? index : undefined);
}
