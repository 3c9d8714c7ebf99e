import { algoperf } from "./algoperf.ts";
import { csv, lightningCsv } from "./csv.ts";
import { deepspeed } from "./deepspeed.ts";
import type { LogFormat } from "./format.ts";
import { hfTrainerState } from "./hf-trainer-state.ts";
import { jsonLines } from "./json-lines.ts";
import { jsonList } from "./json-list.ts";
import { llamaFactory } from "./llama-factory.ts";
import { llmC } from "./llm-c.ts";
import { megatronGolden } from "./megatron-golden.ts";
import { megatron } from "./megatron.ts";
import { mlperf } from "./mlperf.ts";
import { moddedNanogpt } from "./modded-nanogpt.ts";
import { openrlhf } from "./openrlhf.ts";
import { stepLossList } from "./step-loss-list.ts";
import { tensorboard } from "./tensorboard.ts";
import { torchtitan } from "./torchtitan.ts";
import { verl } from "./verl.ts";
import { wandbCsv } from "./wandb-csv.ts";

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
  openrlhf,
  hfTrainerState,
  llamaFactory,
  megatronGolden,
  tensorboard,
  lightningCsv,
  wandbCsv,
  csv,
  jsonLines,
  jsonList,
] satisfies readonly LogFormat[];
