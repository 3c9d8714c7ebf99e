import type { Lane, PreparedStack } from "../prepare/index.ts";
import { xPixel, yPixel } from "./geometry.ts";

export interface TextBox {
  readonly fromPx: number;
  readonly toPx: number;
  readonly topPx: number;
  readonly footPx: number;
}

/** Letters stand about so far above their base line, and hang so far below it. */
const RISE_PX = 10;
const FALL_PX = 3;

/** @param y the base line */
export function textBox(fromPx: number, toPx: number, y: number): TextBox {
  return { fromPx, toPx, topPx: y - RISE_PX, footPx: y + FALL_PX };
}

/** Whether a line or an estimate of the lane would run through a text. */
export function isLineUnder(lane: Lane | undefined, stack: PreparedStack, box: TextBox): boolean {
  if (lane === undefined || lane.domain === null) return false;
  if (lane.estimates !== null) return lane.estimates.dots.some(({ x, y }) => isInside(xPixel(stack, x), yPixel(lane, y), box));
  return lane.lines.some(({ trace }) =>
    trace.some(({ x, y }, index) => {
      if (y === null) return false;
      const here = { x: xPixel(stack, x), y: yPixel(lane, y) };
      const next = trace[index + 1];
      if (next === undefined || next.y === null) return isInside(here.x, here.y, box);
      const there = { x: xPixel(stack, next.x), y: yPixel(lane, next.y) };
      return (
        there.x >= box.fromPx && here.x <= box.toPx && Math.max(here.y, there.y) >= box.topPx && Math.min(here.y, there.y) <= box.footPx
      );
    }),
  );
}

function isInside(x: number, y: number, { fromPx, toPx, topPx, footPx }: TextBox): boolean {
  return x >= fromPx && x <= toPx && y >= topPx && y <= footPx;
}
