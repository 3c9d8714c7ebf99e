export type { AdviceInput, ProposeAdvice } from "./contract.ts";
export { proposeAdvice } from "./propose.ts";
export { describeAction } from "./describe-action.ts";
export { adviceSeed } from "./advice-seed.ts";
export * from "./cause/index.ts";
export * from "./release/index.ts";
