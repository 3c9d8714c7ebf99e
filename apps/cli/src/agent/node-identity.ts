import { readFile } from "node:fs/promises";
import { hostname } from "node:os";

/** The node an agent runs on, as `ingest.events` and the labels of readings name it. */
export interface NodeIdentity {
  readonly machineId: string | null;
  readonly host: string;
  /** Changes with every boot. */
  readonly bootId: string | null;
  /** Where it stands; absent where the configuration does not say. */
  readonly rack?: string;
}

/** The kernel's own; in a container the node's as well. */
export const BOOT_ID_FILE = "/proc/sys/kernel/random/boot_id";

export interface NodeFiles {
  readonly machineId: string;
  readonly bootId: string;
}

export interface NodeWords {
  /** Overrides the host name; null takes the system's. */
  readonly host: string | null;
  readonly rack?: string;
}

export async function readNodeIdentity({ machineId, bootId }: NodeFiles, { host, rack }: NodeWords): Promise<NodeIdentity> {
  const node = { machineId: await firstLine(machineId), host: host ?? hostname(), bootId: await firstLine(bootId) };
  return rack === undefined ? node : { ...node, rack };
}

async function firstLine(path: string): Promise<string | null> {
  try {
    const line = (await readFile(path, "utf8")).split("\n", 1)[0]?.trim() ?? "";
    return line === "" ? null : line;
  } catch {
    // A container without /etc/machine-id: the node is known by its name.
    return null;
  }
}
