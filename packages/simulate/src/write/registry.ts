import { jsonlWriter } from "./jsonl-writer.ts";
import type { LogWriter } from "./log-writer.ts";
import { megatronWriter } from "./megatron-writer.ts";

/** Every log that a simulated run can be written as. */
export const LOG_WRITERS = [jsonlWriter, megatronWriter] as const satisfies readonly LogWriter[];
