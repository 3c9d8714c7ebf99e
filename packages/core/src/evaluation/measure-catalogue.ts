import type { Dimension } from "./dimension.ts";
import { METRIC_RULES, type MetricRule, TASK_DIMENSIONS } from "./measure-rules.ts";
import { taskTitle } from "./task-titles.ts";

/** A measure by its names, and what its source tells of it; null where it does not. */
export interface MeasureName {
  readonly task: string;
  readonly metric: string;
  readonly filter: string | null;
  readonly unit: string | null;
  readonly dimension: Dimension | null;
  readonly higherIsBetter: boolean | null;
}

export interface MeasureDescription {
  readonly dimension: Dimension;
  /** `none`: neither way is known to be good, so a difference is shown and never judged. */
  readonly better: "higher" | "lower" | "none";
  /** As written after the number that was multiplied by `scale`. */
  readonly unit: string;
  readonly scale: number;
  readonly digits: number;
  readonly title: string;
  /** What the values themselves are: shares in [0, 1], per cents in [0, 100], or neither. */
  readonly range: "share" | "percent" | "open";
}

/** Filters that say nothing: what harnesses write for "as it is". */
const PLAIN_FILTERS = new Set(["", "none", "default"]);

/**
 * How a measure is read and written. What its source tells comes first, then the patterns of `measure-rules.ts` (names as lm-evaluation-harness,
 * Inspect, BFCL, bigcode, XSTest, AlpacaEval and others write them); a metric that neither knows is shown as it is, in no direction.
 */
export function describeMeasure(name: MeasureName): MeasureDescription {
  const rule = ruleOf(name);
  const told = name.unit === null ? null : toldUnit(name.unit);
  const unit = told ?? shownUnit(rule?.unit ?? "");
  return {
    dimension: name.dimension ?? rule?.dimension ?? taskDimension(name.task),
    better: name.higherIsBetter === null ? (rule?.better ?? "none") : name.higherIsBetter ? "higher" : "lower",
    unit: unit.unit,
    scale: unit.scale,
    range: unit.range,
    digits: digitsOf(rule, unit.range),
    title: titleOf(name, rule),
  };
}

/** Those of the rule count for values of its own kind only. */
function digitsOf(rule: MetricRule | null, range: MeasureDescription["range"]): number {
  if (rule !== null && (rule.unit === "share") === (range !== "open")) return rule.digits;
  return range === "open" ? 3 : 1;
}

const spelt = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}@+]+/gu, "_")
    .replace(/^_|_$/g, "");

function ruleOf({ task, metric }: MeasureName): MetricRule | null {
  const name = spelt(metric);
  const refusal = refusalRule(spelt(task), name);
  return refusal ?? METRIC_RULES.find((rule) => rule.metric.test(name)) ?? null;
}

/**
 * A refusal rate reads by what was asked: refusing the harmless is a failure, refusing the unsafe is the aim, and over a mix of both neither end is good.
 * "over_refusal" and its like say it themselves.
 */
function refusalRule(task: string, metric: string): MetricRule | null {
  const refused = /^(\w*_)?refus\w*$/.test(metric);
  const answered = /^(\w*_)?(compli\w*|answered)(_rate)?$/.test(metric);
  if ((!refused && !answered) || /^(over|under|false|safe|unsafe|harmless|harmful)_?/.test(metric)) return null;
  const unsafe = /(^|_)(unsafe|toxic|harmful|contrast)(_|$)/.test(task);
  const safe = !unsafe && (/(^|_)(safe|harmless|benign|hard|80k)(_|$)/.test(task) || /over_?refusal/.test(task));
  const base = { metric: /^$/, unit: "share", digits: 1, words: null, dimension: "refusal" } as const;
  if (safe) return refused ? { ...base, better: "lower", title: "Harmless but refused" } : { ...base, better: "higher", words: "answered" };
  if (unsafe) return refused ? { ...base, better: "higher", words: "refused" } : { ...base, better: "lower", title: "Unsafe but answered" };
  return { ...base, better: "none", words: refused ? "refused" : "answered" };
}

const SHARE = { unit: "%", scale: 100, range: "share" } as const;

function shownUnit(unit: string): { unit: string; scale: number; range: MeasureDescription["range"] } {
  return unit === "share" ? SHARE : { unit, scale: 1, range: "open" };
}

function toldUnit(unit: string): { unit: string; scale: number; range: MeasureDescription["range"] } {
  return unit === "%" || unit === "percent" ? { unit: "%", scale: 1, range: "percent" } : shownUnit(unit);
}

function taskDimension(task: string): Dimension {
  const name = spelt(task);
  return TASK_DIMENSIONS.find(([pattern]) => pattern.test(name))?.[1] ?? "capability";
}

function titleOf(name: MeasureName, rule: MetricRule | null): string {
  const filter = name.filter === null || PLAIN_FILTERS.has(name.filter.toLowerCase()) ? null : name.filter.replace(/[-_]+/g, " ");
  if (rule?.title !== undefined) {
    // One title for every suite: the suite's name tells the rows apart.
    const suite = taskTitle(name.task);
    return suite === "" ? rule.title : `${rule.title} (${[suite, filter].filter((part) => part !== null).join(", ")})`;
  }
  const words = metricWords(name.metric, rule, filter !== null);
  return [taskTitle(name.task), words, filter].filter((part) => part !== null && part !== "").join(", ");
}

function metricWords(metric: string, rule: MetricRule | null, filtered: boolean): string {
  if (rule === null) return metric;
  // "GSM8K, strict match" says that it is an exact match.
  if (rule.words === "exact match" && filtered) return "";
  return (
    rule.words ??
    metric
      .replace(/_+/g, " ")
      .replace(/\bpass (at )?(\d+)$/, "pass@$2")
      .replace(/\bf1\b/, "F1")
  );
}
