import type { Dimension } from "@trainwatch/core";

/** A column that holds a measure. */
export interface BfclColumn {
  /** As the table writes it. */
  readonly name: string;
  readonly task: string;
  readonly metric: string;
  readonly unit: string | null;
  readonly dimension: Dimension;
  readonly higherIsBetter: boolean;
}

/** Columns about the model and its place. */
const NO_MEASURE = new Set(["rank", "model", "model link", "organization", "license", ""]);

/** What a run costs. Prices are of a thousand calls in older tables and of the whole run in newer ones: two measures. */
const COSTS: readonly (readonly [pattern: RegExp, metric: string, unit: string])[] = [
  [/^Cost \(\$ Per 1k Function Calls\)$/i, "cost_per_1k_calls", "$"],
  [/^Total Cost \(\$\)$/i, "total_cost", "$"],
  [/^Latency Mean \(s\)$/i, "latency_mean", "s"],
  [/^Latency Standard Deviation \(s\)$/i, "latency_sd", "s"],
  [/^Latency 95th Percentile \(s\)$/i, "latency_p95", "s"],
];

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");

/**
 * What a column of a BFCL table measures; null for the model's own columns. `group` is that of the whole table, see {@link groupOf}.
 */
export function bfclColumn(name: string, group: string | null): BfclColumn | null {
  if (NO_MEASURE.has(name.toLowerCase())) return null;
  for (const [pattern, metric, unit] of COSTS)
    if (pattern.test(name)) return { name, task: "bfcl", metric, unit, dimension: "cost", higherIsBetter: false };
  const quality = { name, dimension: "tool-calls" } as const;
  const spread = /^Format Sensitivity (Max Delta|Standard Deviation)$/i.exec(name)?.[1];
  if (spread !== undefined) return { ...quality, task: "bfcl_format_sensitivity", metric: slug(spread), unit: null, higherIsBetter: false };
  const bare = name.replace(/ (?:Overall )?Acc$/i, "");
  const isOfGroup = group === null || bare.toLowerCase().startsWith(group.toLowerCase());
  const task = slug(`bfcl ${isOfGroup ? bare : `${group} ${bare}`}`);
  return { ...quality, task, metric: "accuracy", unit: null, higherIsBetter: true };
}

/** Tables of one group write their categories without its name ("Base" in data_multi_turn.csv): the name of their mean column says it. */
export function groupOf(columns: readonly string[]): string | null {
  return columns.map((name) => /^(.+) Overall Acc$/.exec(name)?.[1]).find((found) => found !== undefined) ?? null;
}

/**
 * Columns that a mean of the table is over. The overall score is over everything scored but the relevance samples, which no version with
 * irrelevance beside them weighs (non-live 10, live 10, irrelevance 10, multi-turn 30, agentic 40); a group's mean over the columns of its name.
 */
export function partsOf(column: BfclColumn, columns: readonly (BfclColumn | null)[]): readonly string[] {
  if (column.metric !== "accuracy" || !/ Acc$/i.test(column.name)) return [];
  const names = columns.flatMap((other) => (other?.metric === "accuracy" && other.name !== column.name ? [other.name] : []));
  if (/Overall Acc$/i.test(column.name)) {
    const hasIrrelevance = /^Overall Acc$/i.test(column.name) && names.some((name) => /^irrelevance detection$/i.test(name));
    return names.filter((name) => !hasIrrelevance || !/^relevance detection$/i.test(name));
  }
  const group = /^(.+) Acc$/i.exec(column.name)?.[1];
  if (group !== undefined)
    return names.filter((name) => name.startsWith(`${group.replace(/ (?:AST|Exec)$/, "")} `) && sameKind(column.name, name));
  return [];
}

/** "Non-Live AST Acc" is over the AST categories, "Non-Live Exec Acc" over the executable ones. */
function sameKind(mean: string, name: string): boolean {
  const kind = / (AST|Exec) Acc$/.exec(mean)?.[1];
  return !name.endsWith(" Acc") && (kind === undefined || name.endsWith(` ${kind}`));
}
