export { demoRelease, type DemoRelease } from "./demo-release.ts";
export { simulateEvaluation, type SimulatedSubject, type SimulatedTask } from "./evaluations.ts";
export { accuracyAt, klAt, rlPlan, type RlPlan } from "./rl-plan.ts";
export { rlPushes } from "./rl-run.ts";
