import type { SpikeParameters } from "./parameters.ts";

/** Whether the point, `height` above its level on the judged scale, is an outlier for this metric. On a linear scale size says nothing, so only z counts. */
export function isOutlier(z: number, height: number, linear: boolean, parameters: SpikeParameters): boolean {
  if (z >= parameters.anyZ) return linear || height >= parameters.leastLog;
  return !linear && z >= parameters.materialZ && height >= parameters.materialLog;
}
