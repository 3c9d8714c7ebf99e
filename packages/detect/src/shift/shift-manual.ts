import type { DetectorEntry } from "../contract.ts";
import type { ShiftParameters } from "./parameters.ts";

/** The engine's parameters as a detector's manual lists them. */
export function shiftParameters(parameters: ShiftParameters): DetectorEntry["parameters"] {
  const { design } = parameters;
  return [
    { name: "k", value: design.k, unit: "σ", meaning: "Reference value: half of the shift found soonest" },
    { name: "h", value: design.h, unit: "σ", meaning: "Sum at which the alarm is raised" },
    { name: "clip", value: design.clip, unit: "σ", meaning: "Scores are clipped to this, so that one point cannot raise the alarm" },
    {
      name: "window",
      value: parameters.window,
      unit: "logged points",
      meaning: "Length of the baseline; shorter logs get one in proportion",
    },
    { name: "lag", value: parameters.lag, unit: "logged points", meaning: "Newest points kept out of the baseline" },
    { name: "min_window", value: parameters.minWindow, unit: "logged points", meaning: "Fewest points a baseline may rest on" },
    {
      name: "scale_floor",
      value: parameters.scaleFloor,
      unit: "log units",
      meaning: "Least scale, beside half a step of the printed grid",
    },
    { name: "wait", value: parameters.waitSteps, unit: "steps", meaning: "After so long without recovery waiting is over" },
    { name: "wait_points", value: parameters.waitSamples, unit: "logged points", meaning: "And after at least so many points" },
    { name: "diverged", value: parameters.divergedSigma, unit: "σ", meaning: "A level so far out after the wait is a divergence" },
    { name: "diverged_ratio", value: Math.exp(parameters.divergedLog), unit: "× baseline", meaning: "And at least so high" },
    {
      name: "climbing_ratio",
      value: Math.exp(parameters.climbingLog),
      unit: "× baseline",
      meaning: "Or so high and still climbing after the wait",
    },
  ];
}
