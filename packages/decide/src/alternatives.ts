import type { Advice } from "@trainwatch/core";
import type { Price } from "./cost.ts";
import type { RestartOption } from "./options.ts";
import type { Situation } from "./situation.ts";
import type { Weighed } from "./weigh.ts";

export function isWait(weighedOption: Weighed): boolean {
  return weighedOption.option.action === "wait";
}

export function isRestart(weighedOption: Weighed): weighedOption is Weighed<RestartOption> {
  return weighedOption.option.action !== "wait";
}

/** The cheapest of each other action, and a second checkpoint of the same one. */
export function alternativesTo(best: Weighed, ranked: readonly Weighed[], price: Price, situation: Situation): Advice["alternatives"] {
  const seen = new Set<string>();
  const others = ranked.filter((item) => {
    if (item === best || seen.has(item.option.action)) return false;
    seen.add(item.option.action);
    return true;
  });
  const list: Advice["alternatives"] = others.map((item) => ({
    action: item.option.action,
    checkpointStep: isRestart(item) ? item.option.checkpoint.step : null,
    expectedGpuHours: price.gpuHours(item.expectedSteps),
    expectedSteps: Math.round(item.expectedSteps),
    why: `expected to cost ${price.say(item.expectedSteps - best.expectedSteps)} more; cheapest in ${Math.round(100 * item.share)} % of draws`,
  }));
  if (situation.kind === "non-finite")
    list.push({
      action: "wait",
      checkpointStep: null,
      expectedGpuHours: null,
      expectedSteps: null,
      why: "never on weights that are not finite",
    });
  return list;
}
