export { simulateRun } from "./simulate-run.ts";
export { groundTruth } from "./ground-truth.ts";
export { demoScenario } from "./demo-scenario.ts";
export type { DemoRun, DemoScenario } from "./demo-scenario.ts";
export type { SimulatedEvent, StartEvent, PointEvent, CheckpointEvent, EndEvent } from "./event.ts";
export type { Fault, GroundTruth } from "./fault.ts";
export { completePlan } from "./plan.ts";
export type { PlanInput, SimulationPlan } from "./plan.ts";
