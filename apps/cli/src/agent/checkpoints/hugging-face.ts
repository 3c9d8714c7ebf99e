import type { CheckpointFolder, CheckpointLayout, Inspection } from "./layout.ts";
import { stepAfter } from "./distributed.ts";
import { missingOfSeries, namesIn } from "./shard-names.ts";

const WEIGHTS = /^(?:pytorch_model|model|adapter_model)(?:-\d{5}-of-\d{5})?\.(?:safetensors|bin)$/;
const OTHER_SHARDS = /(?:^|\/)[^/]+\.(?:pt|pth|bin|safetensors|distcp)$/;
const INDEXES = ["model.safetensors.index.json", "pytorch_model.bin.index.json"] as const;
/** Values of `weight_map` in an index: `"model.norm.weight": "model-00004-of-00004.safetensors"`. */
const NAMED_SHARD = /(?:pytorch_model|model)-\d{5}-of-\d{5}\.(?:safetensors|bin)/g;

/** Hugging Face Trainer: `checkpoint-1000/` with weights whole or in parts, optimizer, and `trainer_state.json`, which is written last. */
export const huggingFace = {
  id: "huggingface",
  title: "Hugging Face Trainer",
  pointers: ["latest"],
  stepOf: (folder) => stepAfter(/^checkpoint-(\d+)$/, folder),
  inspect,
} as const satisfies CheckpointLayout;

async function inspect(folder: CheckpointFolder): Promise<Inspection> {
  const { files } = folder;
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const weights = files.filter(({ path }) => WEIGHTS.test(path)).map(({ path }) => path);
  const index = INDEXES.find((name) => sizes.has(name));
  const named = index === undefined ? new Set<string>() : await namesIn(folder, index, NAMED_SHARD);
  const missing = new Set([...missingOfSeries(weights), ...[...named].filter((name) => !sizes.has(name))]);
  // DeepSpeed and FSDP keep the weights in a folder of their own.
  const hasOwnFormat = files.some(({ path }) => /^(?:global_step\d+|pytorch_model_fsdp_0)\//.test(path));
  if (weights.length === 0 && missing.size === 0 && !hasOwnFormat) missing.add("model.safetensors");
  const isSharded = weights.some((name) => name.includes("-of-"));
  const wanted = ["trainer_state.json", ...(isSharded && index === undefined ? [INDEXES[0]] : [])];
  return {
    shards: files.filter(({ path }) => OTHER_SHARDS.test(path)),
    missing: [...missing],
    missingMetadata: [...wanted, ...(index === undefined ? [] : [index])].filter((name) => (sizes.get(name) ?? 0) === 0),
    knowsItsShards: weights.length > 0,
  };
}
