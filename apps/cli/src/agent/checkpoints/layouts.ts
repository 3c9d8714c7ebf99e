import { dcp } from "./distributed.ts";
import { huggingFace } from "./hugging-face.ts";
import type { CheckpointLayout } from "./layout.ts";
import { megatron } from "./megatron.ts";
import { olmo } from "./olmo.ts";

/** Every layout; their folder names exclude each other. */
export const CHECKPOINT_LAYOUTS = [megatron, dcp, huggingFace, olmo] as const satisfies readonly CheckpointLayout[];
