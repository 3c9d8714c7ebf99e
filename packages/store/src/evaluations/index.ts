export * from "./contract.ts";
export { createEvaluations } from "./evaluations.ts";
