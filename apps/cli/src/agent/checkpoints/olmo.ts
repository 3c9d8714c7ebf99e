import type { CheckpointFolder, CheckpointLayout, Inspection } from "./layout.ts";
import { hasShards, inspectDistributed, stepAfter } from "./distributed.ts";
import { gaps } from "./shard-names.ts";

const RANK_FILE = /^(model|optim|train)\/rank(\d+)\.pt$/;
const CONFIGS = ["config.yaml", "config.json"] as const;

/**
 * OLMo: `step1000/` beside a link `latest`. OLMo-core keeps torch.distributed.checkpoint files in `model_and_optim/`; OLMo one file a rank
 * in `model/`, `optim/` and `train/`; an unsharded one whole files.
 */
export const olmo = {
  id: "olmo",
  title: "OLMo and OLMo-core",
  pointers: ["latest", "latest-unsharded"],
  stepOf: (folder) => stepAfter(/^step(\d+)(?:-unsharded)?$/, folder),
  inspect,
} as const satisfies CheckpointLayout;

async function inspect(folder: CheckpointFolder): Promise<Inspection> {
  const sizes = new Map(folder.files.map(({ path, bytes }) => [path, bytes]));
  const config = CONFIGS.some((name) => (sizes.get(name) ?? 0) > 0) ? [] : ["config.yaml or config.json"];
  const found = await inspectShards(folder, sizes);
  return { ...found, missingMetadata: [...found.missingMetadata, ...config] };
}

async function inspectShards(folder: CheckpointFolder, sizes: ReadonlyMap<string, number>): Promise<Inspection> {
  const { files } = folder;
  if (hasShards(files, "model_and_optim/")) {
    const core = await inspectDistributed(folder, "model_and_optim/");
    const ranks = files.filter(({ path }) => RANK_FILE.test(path));
    return { ...core, shards: [...core.shards, ...ranks], missing: [...core.missing, ...missingRanks(folder)] };
  }
  const ranks = files.filter(({ path }) => RANK_FILE.test(path));
  if (ranks.length > 0) return { shards: ranks, missing: missingRanks(folder), missingMetadata: [], knowsItsShards: false };
  const whole = ["model", "optim"].map((name) => (sizes.has(`${name}.safetensors`) ? `${name}.safetensors` : `${name}.pt`));
  return {
    shards: files.filter(({ path }) => /\.(?:pt|safetensors)$/.test(path)),
    missing: whole.filter((name) => !sizes.has(name)),
    missingMetadata: [],
    knowsItsShards: true,
  };
}

/** Ranks that some folder has and another lacks, and gaps. */
function missingRanks({ files }: CheckpointFolder): readonly string[] {
  const kinds = new Map<string, number[]>();
  for (const { path } of files) {
    const [, kind, rank] = RANK_FILE.exec(path) ?? [];
    if (kind !== undefined) kinds.set(kind, [...(kinds.get(kind) ?? []), Number(rank)]);
  }
  const highest = Math.max(-1, ...[...kinds.values()].flat());
  return [...kinds].flatMap(([kind, ranks]) => [...gaps([...ranks, highest + 1], (rank) => `${kind}/rank${rank}.pt`)]);
}
