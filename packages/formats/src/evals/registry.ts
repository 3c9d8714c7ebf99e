import type { EvalFormat, EvalRefusal } from "./format.ts";

/** Every evaluation format, one line each. `conformance.test.ts` runs over all of them. */
export const EVAL_FORMATS = [] satisfies readonly EvalFormat[];

/** Files that lie beside evaluations, are known, and hold none: each is refused with its reason. */
export const EVAL_REFUSALS = [] satisfies readonly EvalRefusal[];
