import type { CheckpointFolder, CheckpointLayout, Inspection } from "./layout.ts";
import { hasShards, inspectDistributed, stepAfter } from "./distributed.ts";
import { gaps } from "./shard-names.ts";

/** `mp_rank_03` (tensor parallel only) or `mp_rank_03_001` (tensor and pipeline parallel). */
const RANK = /^mp_rank_(\d{2,3})(?:_(\d{3}))?\//;

/**
 * Megatron-LM: `iter_0001000/` beside `latest_checkpointed_iteration.txt`. Either torch.distributed.checkpoint files with `common.pt` and
 * `metadata.json`, or one folder a model-parallel rank.
 */
export const megatron = {
  id: "megatron",
  title: "Megatron-LM",
  pointers: ["latest_checkpointed_iteration.txt"],
  stepOf: (folder) => stepAfter(/^iter_(\d{7,})$/, folder),
  inspect: (folder) => (isLegacy(folder) ? Promise.resolve(inspectLegacy(folder)) : inspectNew(folder)),
} as const satisfies CheckpointLayout;

function isLegacy({ files }: CheckpointFolder): boolean {
  return !hasShards(files, "") && files.some(({ path }) => RANK.test(path));
}

async function inspectNew(folder: CheckpointFolder): Promise<Inspection> {
  const inspection = await inspectDistributed(folder, "");
  const sizes = new Map(folder.files.map(({ path, bytes }) => [path, bytes]));
  const absent = ["common.pt", "metadata.json"].filter((name) => (sizes.get(name) ?? 0) === 0);
  return { ...inspection, missingMetadata: [...inspection.missingMetadata, ...absent] };
}

/** Without any metadata: what is missing shows by gaps in the ranks, by ranks that have fewer files, and by the neighbours. */
function inspectLegacy({ files }: CheckpointFolder): Inspection {
  const shards = files.filter(({ path }) => RANK.test(path) && path.endsWith(".pt"));
  const tensor = new Set<number>();
  const pipeline = new Set<number>();
  const names = new Set<string>();
  for (const { path } of shards) {
    const [, tp = "0", pp] = RANK.exec(path) ?? [];
    tensor.add(Number(tp));
    if (pp !== undefined) pipeline.add(Number(pp));
    names.add(path.slice(path.indexOf("/") + 1));
  }
  const there = new Set(shards.map(({ path }) => path));
  const folders = foldersOf(tensor, pipeline);
  const missing = folders.flatMap((folder) => [...names].map((name) => `${folder}/${name}`)).filter((path) => !there.has(path));
  return { shards, missing, missingMetadata: [], knowsItsShards: false };
}

function foldersOf(tensor: ReadonlySet<number>, pipeline: ReadonlySet<number>): readonly string[] {
  const all = (numbers: ReadonlySet<number>): readonly number[] => [...numbers, ...gaps([...numbers], String).map(Number)];
  return all(tensor).flatMap((tp) => {
    const name = `mp_rank_${String(tp).padStart(2, "0")}`;
    return pipeline.size === 0 ? [name] : all(pipeline).map((pp) => `${name}_${String(pp).padStart(3, "0")}`);
  });
}
