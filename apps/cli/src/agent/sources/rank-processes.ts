import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { gpuOfRank, gpuUuids } from "./gpu-order.ts";
import type { UsedGpu } from "./gpu-order.ts";

/** A rank of a training run, as the environment of its process tells it. */
export interface RankProcess {
  readonly rank: number;
  readonly localRank: number;
  readonly gpu: UsedGpu;
  /** When the process has started, epoch ms. */
  readonly sinceMs: number;
  readonly facts: Readonly<Record<string, string>>;
}

/** Ranks as torchrun and most launchers set them, then as Slurm does. */
const RANK_NAMES = [
  ["RANK", "LOCAL_RANK"],
  ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"],
  ["SLURM_PROCID", "SLURM_LOCALID"],
] as const;

/** What is worth keeping of the environment: names, never values of others (they hold secrets). */
const FACTS: Readonly<Record<string, string>> = {
  SLURM_JOB_ID: "slurmJobId",
  SLURM_JOB_NAME: "slurmJobName",
  SLURM_RESTART_COUNT: "slurmRestarts",
  POD_NAME: "pod",
  POD_NAMESPACE: "namespace",
  TORCHELASTIC_RUN_ID: "torchelasticRunId",
  TORCHELASTIC_RESTART_COUNT: "torchelasticRestarts",
};

/** Kernel ticks a second of `/proc/<pid>/stat`: fixed by the ABI on every architecture that carries GPUs. */
const TICKS_A_SECOND = 100;

/** Processes of a node that are ranks and whose environment holds `wanted`. Those of other users are seen by root only. */
export async function rankProcesses(proc: string, wanted: Readonly<Record<string, string>>): Promise<readonly RankProcess[]> {
  const bootMs = await bootTimeMs(proc);
  const uuids = await gpuUuids(proc);
  const found = new Map<number, RankProcess>();
  for (const pid of await readdir(proc)) {
    if (!/^\d+$/.test(pid)) continue;
    const process = await readProcess(join(proc, pid), wanted, bootMs, uuids);
    if (process === null) continue;
    const known = found.get(process.rank);
    // Data loaders inherit the environment of their rank: the first one started is the rank itself.
    if (known === undefined || process.sinceMs < known.sinceMs) found.set(process.rank, process);
  }
  return [...found.values()].toSorted((a, b) => a.rank - b.rank);
}

async function readProcess(
  dir: string,
  wanted: Readonly<Record<string, string>>,
  bootMs: number,
  uuids: readonly string[],
): Promise<RankProcess | null> {
  const environment = parseEnvironment(await readFile(join(dir, "environ"), "latin1").catch(() => ""));
  if (Object.entries(wanted).some(([name, value]) => environment.get(name) !== value)) return null;
  for (const [rankName, localName] of RANK_NAMES) {
    const rank = wholeNumber(environment.get(rankName));
    const localRank = wholeNumber(environment.get(localName));
    if (rank === null || localRank === null) continue;
    const visible = { cuda: environment.get("CUDA_VISIBLE_DEVICES"), container: environment.get("NVIDIA_VISIBLE_DEVICES") };
    const facts = Object.entries(FACTS).flatMap(([name, fact]) => {
      const value = environment.get(name);
      return value === undefined || value === "" ? [] : [[fact, value.slice(0, 256)] as const];
    });
    const sinceMs = bootMs + (await startTicks(dir)) * (1000 / TICKS_A_SECOND);
    return { rank, localRank, gpu: gpuOfRank(localRank, visible, uuids), sinceMs, facts: Object.fromEntries(facts) };
  }
  return null;
}

function parseEnvironment(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split("\u0000").flatMap((entry) => {
      const at = entry.indexOf("=");
      return at < 1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
    }),
  );
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Field 22 of `/proc/<pid>/stat`; the name in field 2 may hold blanks and brackets. */
async function startTicks(dir: string): Promise<number> {
  const stat = await readFile(join(dir, "stat"), "latin1").catch(() => "");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? 0);
}

/** `btime 1764453000` of `/proc/stat`. */
async function bootTimeMs(proc: string): Promise<number> {
  const stat = await readFile(join(proc, "stat"), "latin1").catch(() => "");
  return Number(/^btime (\d+)$/m.exec(stat)?.[1] ?? 0) * 1000;
}
