export * from "./incident.ts";
export * from "./actions.ts";
export * from "./fold.ts";
export * from "./describe.ts";
export { announcedSteps, findingIsOn, forerunnerSteps, quietSteps } from "./span.ts";
export { causeFamily, isForerunner } from "./family.ts";
