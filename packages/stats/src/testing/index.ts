export { newCheckpointSource } from "./paired-checkpoints.ts";
export type { CheckpointSettings } from "./paired-checkpoints.ts";
