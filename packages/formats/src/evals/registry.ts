import { bfclOverall } from "./bfcl/overall-csv.ts";
import { bfclScore } from "./bfcl/score-file.ts";
import { bigcode } from "./bigcode.ts";
import { bigscienceSeries } from "./bigscience/checkpoint-series.ts";
import { bigsciencePrompted } from "./bigscience/prompted-results.ts";
import { checkpointCsv } from "./checkpoint-csv.ts";
import { dclm } from "./dclm/dclm.ts";
import type { EvalFormat, EvalRefusal } from "./format.ts";
import { genericCsv, genericJsonLines } from "./generic/generic-formats.ts";
import { inspectArchive } from "./inspect/archive.ts";
import { inspectJson } from "./inspect/json-log.ts";
import { jailbreakBench } from "./jailbreakbench.ts";
import { alpacaEval1, alpacaEval2, arenaHard, lmArena } from "./leaderboard/boards.ts";
import { lmEvalResults } from "./lm-eval/results.ts";
import { lmEvalSamples } from "./lm-eval/samples.ts";
import { mlperfRcp } from "./mlperf-rcp.ts";
import { withPercentUnits } from "./percent-units.ts";
import { alpacaAnnotations } from "./pairwise/alpaca-annotations.ts";
import { arenaBattles, arenaTable } from "./pairwise/arena-battles.ts";
import { refusalTable } from "./refusal/refusal-table.ts";

/** Every evaluation format, one line each. `conformance.test.ts` runs over all of them. */
const FORMATS = [
  lmEvalResults,
  lmEvalSamples,
  bigscienceSeries,
  bigsciencePrompted,
  dclm,
  inspectJson,
  inspectArchive,
  bfclOverall,
  bfclScore,
  bigcode,
  refusalTable,
  alpacaAnnotations,
  alpacaEval1,
  alpacaEval2,
  arenaHard,
  lmArena,
  arenaBattles,
  arenaTable,
  jailbreakBench,
  checkpointCsv,
  genericCsv,
  genericJsonLines,
] satisfies readonly EvalFormat[];

export const EVAL_FORMATS: readonly EvalFormat[] = FORMATS.map(withPercentUnits);

/** Files that lie beside evaluations, are known, and hold none: each is refused with its reason. */
export const EVAL_REFUSALS = [mlperfRcp] satisfies readonly EvalRefusal[];
