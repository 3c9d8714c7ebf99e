import { AppError, sayInteger } from "@trainwatch/core";
import type { ColumnInput } from "@trainwatch/decide";
import { isUnder, type ReadColumns } from "./read-columns.ts";

/** Most names in a message. */
const MOST_NAMES = 20;

/**
 * The column that the others are compared with: by model, `model@step`, step alone, or a path whose results are all of one column.
 * @throws AppError `bad-request` where no column, or more than one, is meant; names those that there are
 */
export function chooseBaseline({ columns, paths }: Pick<ReadColumns, "columns" | "paths">, name: string): number {
  const matches = [byName, byStep, byPath].map((rule) => rule(columns, paths, name)).find((found) => found.length > 0) ?? [];
  const [only, second] = matches;
  if (only !== undefined && second === undefined) return only;
  const what = only === undefined ? "is none of the columns" : `means ${sayInteger(matches.length)} columns`;
  throw new AppError("bad-request", `--baseline ${JSON.stringify(name)} ${what}; there are ${listed(columns)}.`);
}

type Rule = (columns: readonly ColumnInput[], paths: ReadColumns["paths"], name: string) => readonly number[];

const byName: Rule = (columns, _, name) => indices(columns, (column) => column.model === name || columnName(column) === name);
const byStep: Rule = (columns, _, name) => (/^\d+$/.test(name) ? indices(columns, ({ step }) => step === Number(name)) : []);
const byPath: Rule = (columns, paths, name) =>
  indices(columns, (_, index) => {
    const own = paths[index] ?? [];
    return own.length > 0 && own.every((path) => isUnder(path, name));
  });

function indices(columns: readonly ColumnInput[], isMeant: (column: ColumnInput, index: number) => boolean): readonly number[] {
  return columns.flatMap((column, index) => (isMeant(column, index) ? [index] : []));
}

/** `EleutherAI/pythia-160m@1000` */
export function columnName({ model, step }: Pick<ColumnInput, "model" | "step">): string {
  return step === null ? model : `${model}@${step}`;
}

export function listed(columns: readonly ColumnInput[]): string {
  const names = columns.slice(0, MOST_NAMES).map(columnName);
  const rest = columns.length - names.length;
  return `${names.join(", ")}${rest > 0 ? ` and ${sayInteger(rest)} more` : ""}`;
}
