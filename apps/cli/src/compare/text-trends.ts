import { DIMENSIONS, DIMENSION_TITLES, sayFixed, sayInteger, type TrendView } from "@trainwatch/core";
import { textTable } from "../frame/text-table.ts";
import type { ModelTrend } from "./trends.ts";

/** Every measure over the steps of its checkpoints, a model after the other: first, last, peak. Values that are missing are "–". */
export function textTrends(trends: readonly ModelTrend[]): string {
  const models = [...new Set(trends.map(({ model }) => model))];
  return models
    .map((model) => {
      const tables = textTables(trends.filter((trend) => trend.model === model));
      return models.length === 1 ? tables : `${model}\n\n${tables}`;
    })
    .join("\n");
}

function textTables(trends: readonly TrendView[]): string {
  return DIMENSIONS.flatMap((dimension) => {
    const own = trends.filter((trend) => trend.dimension === dimension);
    return own.length === 0 ? [] : [textTable([DIMENSION_TITLES[dimension], "checkpoints", "first", "last", "peak"], own.map(lineOf))];
  }).join("\n");
}

function lineOf(trend: TrendView): readonly string[] {
  const { title, points, peak, why } = trend;
  return [title, sayInteger(points.length), valueOf(trend, points.at(0)), valueOf(trend, points.at(-1)), peak?.text ?? why ?? "–"];
}

function valueOf({ scale, digits, unit }: TrendView, point: TrendView["points"][number] | undefined): string {
  if (point === undefined || point.value === null) return "–";
  return `${sayFixed(point.value * scale, digits)}${unit === "" ? "" : ` ${unit}`} at ${sayInteger(point.step)}`;
}
