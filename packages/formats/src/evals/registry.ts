import { bigscienceSeries } from "./bigscience/checkpoint-series.ts";
import { bigsciencePrompted } from "./bigscience/prompted-results.ts";
import { dclm } from "./dclm/dclm.ts";
import type { EvalFormat, EvalRefusal } from "./format.ts";
import { lmEvalResults } from "./lm-eval/results.ts";
import { lmEvalSamples } from "./lm-eval/samples.ts";

/** Every evaluation format, one line each. `conformance.test.ts` runs over all of them. */
export const EVAL_FORMATS = [lmEvalResults, lmEvalSamples, bigscienceSeries, bigsciencePrompted, dclm, ] satisfies readonly EvalFormat[];

/** Files that lie beside evaluations, are known, and hold none: each is refused with its reason. */
export const EVAL_REFUSALS = [] satisfies readonly EvalRefusal[];
