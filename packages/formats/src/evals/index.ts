export type * from "./format.ts";
export * from "./detect.ts";
export { companionOf, type EvalPlan, type EvalSetFile, planEvalSet } from "./join/plan-eval-set.ts";
export { EVAL_FORMATS } from "./registry.ts";
