import type { BandRow, Lane, PreparedStack } from "../prepare/index.ts";
import { plotHeight } from "./geometry.ts";

/**
 * The outline of a band: along the upper edge, back along the lower one, a closed piece for each unbroken stretch.
 * Drawn as one path of our own: a recharts area over the 2,048 vertices of a full lane costs more than all lines of a stack.
 */
export function bandPath(rows: readonly BandRow[], lane: Lane, stack: Pick<PreparedStack, "from" | "xPerPx">): string {
  const { domain } = lane;
  if (domain === null) return "";
  const perUnit = plotHeight(lane) / (domain.high - domain.low);
  const x = (row: BandRow): string => ((row.x - stack.from) / stack.xPerPx).toFixed(1);
  const y = (value: number): string => ((domain.high - value) * perUnit).toFixed(1);
  let path = "";
  let start = 0;
  for (let end = 0; end <= rows.length; end++) {
    if (rows[end]?.range) continue;
    for (let index = start; index < end; index++) {
      const row = rows[index];
      if (row?.range) path += `${index === start ? "M" : "L"}${x(row)} ${y(row.range[1])}`;
    }
    for (let index = end - 1; index >= start; index--) {
      const row = rows[index];
      if (row?.range) path += `L${x(row)} ${y(row.range[0])}`;
    }
    if (end > start) path += "Z";
    start = end + 1;
  }
  return path;
}
