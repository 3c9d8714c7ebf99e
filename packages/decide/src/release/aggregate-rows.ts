import { rowKey } from "@trainwatch/core";
import type { ReleaseInput } from "./contract.ts";
import { ALL_TASKS, ANSWER_LATENCY, ANSWER_TOKENS } from "./derived-rows.ts";
import { hasValue, readMeasure } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { derivedMeasure, describeRow } from "./rows.ts";
import type { RowEntry, RowMeasure } from "./rows.ts";

/** Suites whose harness prints only the subtasks: by the start of the subtasks' names. */
const FAMILIES: readonly { readonly start: string; readonly task: string }[] = [{ start: "hendrycksTest-", task: "hendrycksTest" }];

type Weighting = "micro" | "macro";
const WEIGHTINGS: Readonly<Record<Weighting, string>> = { micro: "by samples", macro: "each task alike" };

export function groupWords(tasks: number, mean: Weighting | null): string {
  return `mean of ${tasks} tasks, ${mean === null ? "weighting not told" : WEIGHTINGS[mean]}`;
}

/**
 * Means over subtasks, said by which weighting: what a source prints gets its label (and the other weighting beside it where it differs), and
 * a mean whose subtasks were not all run is not available, whatever number the source prints for it.
 */
export function aggregateRows(rows: readonly RowEntry[], input: ReleaseInput): readonly RowEntry[] {
  const context = new Subtasks(rows, input);
  const out: RowEntry[] = [];
  for (const row of rows) out.push(...labelled(row, context));
  for (const row of [...families(rows, context), ...overallCost(rows, context)]) if (!out.some(({ key }) => key === row.key)) out.push(row);
  return withoutParts(out);
}

/** What answers cost by task goes where it stands for all tasks: the same said ten times is nine tests more, which every other row pays for. */
function withoutParts(rows: readonly RowEntry[]): readonly RowEntry[] {
  const whole = new Set(rows.flatMap(({ task, metric }) => (task === ALL_TASKS ? [metric] : [])));
  return rows.filter(
    ({ task, metric }) => task === ALL_TASKS || !(metric === ANSWER_TOKENS || metric === ANSWER_LATENCY) || !whole.has(metric),
  );
}

/** Readings of subtasks, each read once, and which tasks were run by each column. */
class Subtasks {
  readonly columns: number;
  readonly #level: number;
  readonly #rows: ReadonlyMap<string, RowEntry>;
  readonly #readings = new Map<string, readonly (Reading | null)[]>();
  readonly #run: readonly ReadonlySet<string>[];

  constructor(rows: readonly RowEntry[], { columns, level }: ReleaseInput) {
    this.columns = columns.length;
    this.#level = level;
    this.#rows = new Map(rows.map((row) => [row.key, row]));
    this.#run = columns.map((_, column) => new Set(rows.filter(({ cells }) => hasNumber(cells[column] ?? null)).map(({ task }) => task)));
  }

  hasRun(column: number, task: string): boolean {
    return this.#run[column]?.has(task) === true;
  }

  /** Readings of the subtasks that have this metric, by subtask and column. */
  of(tasks: readonly string[], { metric, filter }: Pick<RowEntry, "metric" | "filter">): readonly (readonly (Reading | null)[])[] {
    return tasks.flatMap((task) => {
      const key = rowKey({ task, metric, filter });
      const row = this.#rows.get(key);
      if (row === undefined) return [];
      const known = this.#readings.get(key);
      if (known !== undefined) return [known];
      const description = describeRow(row);
      const readings = row.cells.map((cell) => (cell === null ? null : readMeasure(cell.measure, description, { level: this.#level })));
      this.#readings.set(key, readings);
      return [readings];
    });
  }
}

function hasNumber(cell: RowMeasure | null): boolean {
  if (cell === null) return false;
  const { value, samples } = cell.measure;
  return value === null ? samples !== null && samples.scores.some((score) => Number.isFinite(score)) : Number.isFinite(value);
}

function labelled(row: RowEntry, context: Subtasks): readonly RowEntry[] {
  const told = row.cells.find((cell) => (cell?.measure.group ?? null) !== null)?.measure.group ?? null;
  if (told === null) return [row];
  const checked = { ...row, cells: row.cells.map((cell, column) => availableOnly(cell, column, context)) };
  const parts = context.of(told.subtasks, row);
  if (parts.length < 2) return [{ ...checked, group: groupWords(told.subtasks.length, told.mean) }];
  const [micro, macro] = [meanRow(row, "micro", parts, told.subtasks, context), meanRow(row, "macro", parts, told.subtasks, context)];
  if (told.mean !== null) {
    const other = told.mean === "micro" ? macro : micro;
    const own = { ...checked, group: groupWords(parts.length, told.mean) };
    return says(other) && !agree(own, other) ? [own, other] : [own];
  }
  const matches = ([mean, made]: readonly [Weighting, RowEntry]): boolean =>
    says(made) && agree(checked, made) && (mean === "macro" || !agree(checked, macro));
  const found =
    (
      [
        ["micro", micro],
        ["macro", macro],
      ] as const
    ).find(matches)?.[0] ?? null;
  const own = { ...checked, group: groupWords(parts.length, found) };
  return [own, ...[micro, macro].filter((made) => says(made) && !agree(own, made))];
}

const says = (row: RowEntry): boolean => row.cells.some((cell) => (cell?.measure.value ?? null) !== null);

/** Whether two rows show the same numbers wherever both have one. */
function agree(first: RowEntry, second: RowEntry): boolean {
  let both = 0;
  const alike = first.cells.every((cell, column) => {
    const [own, other] = [cell?.measure.value ?? null, second.cells[column]?.measure.value ?? null];
    if (own === null || other === null) return true;
    both++;
    return Math.abs(own - other) <= 5e-5 * Math.max(1, Math.abs(own));
  });
  return alike && both > 0;
}

/** An overall of which some parts were not run counts them as 0 in many harnesses: it is no lower value but no value. */
function availableOnly(cell: RowMeasure | null, column: number, context: Subtasks): RowMeasure | null {
  const group = cell?.measure.group ?? null;
  if (cell === null || group === null) return cell;
  const missing = group.subtasks.filter((task) => !context.hasRun(column, task));
  if (missing.length === 0 || missing.length === group.subtasks.length) return cell;
  const measure = { ...cell.measure, value: null, stderr: null, interval: null, samples: null };
  return { measure, notes: [...cell.notes, notAvailable(missing)] };
}

function notAvailable(missing: readonly string[]): string {
  const named = missing.slice(0, 3).join(", ");
  return `Not available: ${named}${missing.length > 3 ? ` and ${missing.length - 3} more` : ""} ${missing.length === 1 ? "was" : "were"} not run`;
}

function meanRow(
  { task, metric, filter }: Pick<RowEntry, "task" | "metric" | "filter">,
  mean: Weighting,
  parts: readonly (readonly (Reading | null)[])[],
  subtasks: readonly string[],
  { columns }: Subtasks,
  named = [filter, WEIGHTINGS[mean]].filter((part) => part !== null && part !== "").join(", "),
): RowEntry {
  const cells = Array.from({ length: columns }, (_, column): RowMeasure | null => {
    const own = parts.map((part) => part[column] ?? null);
    if (own.every((reading) => reading === null)) return null;
    const value = meanOf(own, mean);
    const settings = own.find((reading) => reading !== null)?.measure.settings ?? {};
    const evaluatedAtMs = Math.max(0, ...own.map((reading) => reading?.measure.evaluatedAtMs ?? 0)) || null;
    const unit = own.map((reading) => reading?.measure.unit ?? null).find((told) => told !== null) ?? null;
    const measure = derivedMeasure({ task, metric, filter: named, settings, evaluatedAtMs, unit, group: { subtasks, mean }, ...value });
    return { measure, notes: value.value === null ? ["Not available: not all of its tasks have a result"] : [] };
  });
  return {
    key: rowKey({ task, metric, filter: named }),
    task,
    metric,
    filter: named,
    cells,
    joint: null,
    group: groupWords(parts.length, mean),
  };
}

/** Mean and error of independent subtasks; no value unless every one has one (and, by samples, tells how many). */
function meanOf(parts: readonly (Reading | null)[], mean: Weighting): { value: number | null; stderr: number | null; n: number | null } {
  let weights = 0;
  let total = 0;
  let variance = 0;
  let n = 0;
  for (const part of parts) {
    const weight = mean === "macro" ? 1 : (part?.n ?? 0);
    if (!hasValue(part) || weight <= 0) return { value: null, stderr: null, n: null };
    weights += weight;
    total += weight * part.value;
    variance += (weight * (part.error ?? Number.NaN)) ** 2;
    n += part.n ?? Number.NaN;
  }
  const stderr = Math.sqrt(variance) / weights;
  return { value: total / weights, stderr: Number.isNaN(stderr) ? null : stderr, n: Number.isNaN(n) ? null : n };
}

function families(rows: readonly RowEntry[], context: Subtasks): readonly RowEntry[] {
  return FAMILIES.flatMap(({ start, task }) => {
    const members = rows.filter((row) => row.task.startsWith(start) && row.joint === null);
    const kinds = new Map(members.map((row) => [`${row.metric}|${row.filter ?? ""}`, row]));
    return [...kinds.values()].flatMap(({ metric, filter }) => {
      const subtasks = members.filter((row) => row.metric === metric && row.filter === filter).map((row) => row.task);
      if (subtasks.length < 2) return [];
      const parts = context.of(subtasks, { metric, filter });
      const made = (["macro", "micro"] as const).map((mean) => meanRow({ task, metric, filter }, mean, parts, subtasks, context));
      return made.filter(says);
    });
  });
}

/** Tokens and time per answer over all tasks that every column has run, each task alike. */
function overallCost(rows: readonly RowEntry[], context: Subtasks): readonly RowEntry[] {
  return [ANSWER_TOKENS, ANSWER_LATENCY].flatMap((metric) => {
    const members = rows.filter((row) => row.metric === metric && row.cells.every(hasNumber));
    if (members.length < 2) return [];
    const tasks = members.map(({ task }) => task);
    const row = meanRow({ task: ALL_TASKS, metric, filter: null }, "macro", context.of(tasks, { metric, filter: null }), tasks, context);
    return says(row) ? [row] : [];
  });
}
