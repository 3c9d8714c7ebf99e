import { AppError, stepOfText, type TrendView } from "@trainwatch/core";
import { type ColumnInput, type TrendOptions, trendViews } from "@trainwatch/decide";
import { columnName, listed } from "./choose-baseline.ts";

/** A trend over the steps of one model. */
export interface ModelTrend extends TrendView {
  readonly model: string;
}

/** Trends, a model after the other: two models at one step are no two points of one line. @param only these models; null: all */
export function modelTrends(columns: readonly ColumnInput[], only: readonly string[] | null, options: TrendOptions): readonly ModelTrend[] {
  const groups = new Map<string, ColumnInput[]>();
  for (const column of columns) {
    const name = seriesName(column);
    if (only !== null && ![name, column.model, columnName(column)].some((each) => only.includes(each))) continue;
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [column]);
    else known.push(column);
  }
  if (groups.size === 0) throw new AppError("bad-request", `--only ${(only ?? []).join(" ")} names none of ${listed(columns)}.`);
  return [...groups].flatMap(([name, own]) => {
    const model = own.every((column) => column.model === own[0]?.model) ? (own[0]?.model ?? name) : name;
    return trendViews(own, options).map((trend) => ({ ...trend, model }));
  });
}

/** Checkpoints that are called by their step are of one model: "out/checkpoint-200" and "out/checkpoint-400" are "out/checkpoint-*". */
function seriesName({ model, step }: ColumnInput): string {
  if (step === null || stepOfText(model) !== step) return model;
  return model.replace(new RegExp(`(?<!\\d)0*${step}(?!\\d)`, "g"), "*");
}
