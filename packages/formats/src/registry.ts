import { algoperf } from "./algoperf.ts";
import { deepspeed } from "./deepspeed.ts";
import type { LogFormat } from "./format.ts";
import { llmC } from "./llm-c.ts";
import { megatron } from "./megatron.ts";
import { mlperf } from "./mlperf.ts";
import { moddedNanogpt } from "./modded-nanogpt.ts";
import { stepLossList } from "./step-loss-list.ts";
import { torchtitan } from "./torchtitan.ts";
import { verl } from "./verl.ts";

/** Every log format, one line each. `conformance.test.ts` runs over all of them. */
export const FORMATS = [
  megatron,
  torchtitan,
  stepLossList,
  deepspeed,
  llmC,
  moddedNanogpt,
  mlperf,
  algoperf,
  verl,
] satisfies readonly LogFormat[];
