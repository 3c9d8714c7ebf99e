import type { CheckpointFile, CheckpointFolder, CheckpointLayout, Inspection } from "./layout.ts";
import { namesIn } from "./shard-names.ts";

const SHARD = /^__\d+_\d+\.distcp$/;
/** As they stand in the pickle that `torch.distributed.checkpoint` writes last: `X\x0b\x00\x00\x00__0_0.distcp`. */
const NAMED_SHARD = /__\d+_\d+\.distcp/g;

/** Files of torch.distributed.checkpoint below a prefix: `.metadata` names every shard that a tensor lies in. */
export async function inspectDistributed(folder: CheckpointFolder, prefix: string): Promise<Inspection> {
  const own = folder.files.filter(({ path }) => path.startsWith(prefix));
  const shards = own.filter(({ path }) => SHARD.test(path.slice(prefix.length)));
  const metadata = own.find(({ path }) => path === `${prefix}.metadata`);
  if (metadata === undefined || metadata.bytes === 0)
    return { shards, missing: [], missingMetadata: [`${prefix}.metadata`], knowsItsShards: false };
  const named = await namesIn(folder, metadata.path, NAMED_SHARD);
  const there = new Set(shards.map(({ path }) => path.slice(prefix.length)));
  return {
    shards,
    missing: [...named].filter((name) => !there.has(name)),
    missingMetadata: [],
    knowsItsShards: named.size > 0,
  };
}

export function hasShards(files: readonly CheckpointFile[], prefix: string): boolean {
  return files.some(({ path }) => path.startsWith(prefix) && (SHARD.test(path.slice(prefix.length)) || path === `${prefix}.metadata`));
}

/** torchtitan and others that save with torch.distributed.checkpoint: `step-1000/__0_0.distcp … .metadata`. */
export const dcp = {
  id: "dcp",
  title: "torch.distributed.checkpoint (torchtitan)",
  pointers: ["latest"],
  stepOf: (folder) => stepAfter(/^step[-_](\d+)$/, folder),
  inspect: (folder) => inspectDistributed(folder, ""),
} as const satisfies CheckpointLayout;

export function stepAfter(pattern: RegExp, folder: string): number | null {
  const step = Number(pattern.exec(folder)?.[1] ?? Number.NaN);
  return Number.isSafeInteger(step) ? step : null;
}
