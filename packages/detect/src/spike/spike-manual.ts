import type { DetectorEntry } from "../contract.ts";
import { LEVEL_SAMPLES, SCALE_SAMPLES, SETTLED_SAMPLES } from "./parameters.ts";
import type { SpikeParameters } from "./parameters.ts";

/** The outlier rule's parameters as a detector's manual lists them. */
export function spikeParameters(loss: SpikeParameters, norm: SpikeParameters): DetectorEntry["parameters"] {
  return [
    { name: "z", value: loss.materialZ, unit: "σ", meaning: "Robust z of a material outlier" },
    { name: "material_loss", value: Math.exp(loss.materialLog), unit: "× level", meaning: "How high a loss must jump to be material" },
    { name: "material_norm", value: Math.exp(norm.materialLog), unit: "× level", meaning: "How high a norm must jump to be material" },
    { name: "z_any", value: loss.anyZ, unit: "σ", meaning: "Robust z of an outlier that is not material" },
    { name: "longest", value: loss.longest, unit: "logged points", meaning: "A longer stay is no outlier but a shift" },
    { name: "level", value: LEVEL_SAMPLES, unit: "logged points", meaning: "Points before it whose median is the level" },
    { name: "scale", value: SCALE_SAMPLES, unit: "logged points", meaning: "Points whose deviations make the scale" },
    {
      name: "late",
      value: SETTLED_SAMPLES,
      unit: "logged points",
      meaning: "Points that must follow an early point before it is judged from both sides",
    },
  ];
}
