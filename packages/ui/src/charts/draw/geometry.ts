import type { Lane, PreparedStack } from "../prepare/index.ts";

/** Pixel of an axis position within the plot. */
export function xPixel(stack: Pick<PreparedStack, "from" | "xPerPx">, x: number): number {
  return (x - stack.from) / stack.xPerPx;
}

/** Pixel of a scale-space value within a lane, 0 at the top. */
export function yPixel(lane: Lane, y: number): number {
  if (lane.domain === null) return 0;
  return ((lane.domain.high - y) / (lane.domain.high - lane.domain.low)) * plotHeight(lane);
}

/** A lane's own hairline takes one pixel. */
export function plotHeight(lane: Lane): number {
  return lane.spec.heightPx - 1;
}

/** A hairline of one device pixel stands on half a unit. */
export function crisp(pixel: number): number {
  return Math.round(pixel) + 0.5;
}
