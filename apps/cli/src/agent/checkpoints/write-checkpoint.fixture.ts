import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A checkpoint of a layout as its framework lays it down: file names with their content. */
export interface WrittenLayout {
  readonly id: string;
  folder(step: number): string;
  readonly files: Readonly<Record<string, string>>;
  /** One of the shards. */
  readonly shard: string;
  /** Without these it cannot be loaded. */
  readonly metadata: readonly string[];
  /** Points at a step. */
  point(dir: string, step: number): Promise<void>;
}

const SHARDS = ["__0_0.distcp", "__0_1.distcp", "__1_0.distcp", "__1_1.distcp"];
/** Strings stand in a pickle as they are, each behind its length. */
const PICKLE = `\u0080\u0004storage_data${SHARDS.map((name) => `X\u000c\u0000\u0000\u0000${name}q`).join("")}.`;
const shards = (prefix = ""): Record<string, string> => Object.fromEntries(SHARDS.map((name) => [`${prefix}${name}`, "weights"]));
const PARTS = [1, 2, 3, 4].map((part) => `model-0000${part}-of-00004.safetensors`);

export const WRITTEN_LAYOUTS: readonly WrittenLayout[] = [
  {
    id: "megatron",
    folder: (step) => `iter_${String(step).padStart(7, "0")}`,
    files: { ...shards(), ".metadata": PICKLE, "common.pt": "state", "metadata.json": "{}" },
    shard: "__1_0.distcp",
    metadata: [".metadata", "metadata.json"],
    point: (dir, step) => writeFile(join(dir, "latest_checkpointed_iteration.txt"), `${step}\n`),
  },
  {
    id: "dcp",
    folder: (step) => `step-${step}`,
    files: { ...shards(), ".metadata": PICKLE },
    shard: "__1_1.distcp",
    metadata: [".metadata"],
    point: (dir, step) => writeFile(join(dir, "latest"), `step-${step}`),
  },
  {
    id: "huggingface",
    folder: (step) => `checkpoint-${step}`,
    files: {
      "config.json": "{}",
      "trainer_state.json": "{}",
      "optimizer.pt": "state",
      "model.safetensors.index.json": JSON.stringify({ weight_map: Object.fromEntries(PARTS.map((name, at) => [`layer.${at}`, name])) }),
      ...Object.fromEntries(PARTS.map((name) => [name, "weights"])),
    },
    shard: "model-00004-of-00004.safetensors",
    metadata: ["trainer_state.json", "model.safetensors.index.json"],
    point: (dir, step) => symlink(`checkpoint-${step}`, join(dir, "latest")),
  },
  {
    id: "olmo",
    folder: (step) => `step${step}`,
    files: {
      "config.json": "{}",
      ...shards("model_and_optim/"),
      "model_and_optim/.metadata": PICKLE,
      "train/rank0.pt": "state",
      "train/rank1.pt": "state",
    },
    shard: "model_and_optim/__0_1.distcp",
    metadata: ["model_and_optim/.metadata"],
    point: (dir, step) => symlink(`step${step}`, join(dir, "latest")),
  },
];

/** @param over files that are otherwise; null leaves one out */
export async function writeCheckpoint(
  dir: string,
  layout: WrittenLayout,
  step: number,
  over: Readonly<Record<string, string | null>> = {},
): Promise<void> {
  for (const [name, content] of Object.entries({ ...layout.files, ...over })) {
    if (content === null) continue;
    const path = join(dir, layout.folder(step), name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
