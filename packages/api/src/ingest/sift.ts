import { MAX_STEP, MAX_TIME_MS, metricEntry, type PushAnswer, type REFUSAL_CODES } from "@trainwatch/core";
import type { ParsedColumn, ParsedPush } from "./parsed-push.ts";

type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Refusals and remarks are listed to this many; all are counted. */
const LISTED = 1000;
const NO_VALUE = 'The value is not a number, null, or one of "NaN", "Infinity", "-Infinity".';

/** What a push holds once what cannot be stored is out: per column the entries to store. */
export interface SiftedPush {
  readonly columns: readonly SiftedColumn[];
  readonly missing: number;
  readonly refused: PushAnswer["refused"];
  readonly refusedTotal: number;
  readonly flagged: PushAnswer["flagged"];
}

export interface SiftedColumn {
  readonly series: number;
  /** Places in the pushed column of what is to be stored; rising, unless several columns of a series were joined. */
  readonly places: Uint32Array;
  /** Zero for every point of a source that counts no steps. */
  readonly step: Float64Array;
  readonly hasSteps: boolean;
  /** NaN where there is none. */
  readonly timeMs: Float64Array;
  readonly value: Float64Array;
}

/** Takes apart what can be stored and what is refused, entry by entry; the rest of a push never suffers for one bad entry. */
export function siftPush(push: ParsedPush, metrics: readonly string[]): SiftedPush {
  const report = new Report();
  const counted = countedPlaces(push.columns);
  const columns = push.columns.flatMap((column): SiftedColumn[] => {
    const unit = push.series[column.series]?.unit;
    const metric = metrics[column.series];
    const length = column.value.length;
    if (metric === undefined)
      return report.refuseColumn(
        column.series,
        length,
        "unknown-series",
        `There is no series ${column.series}: ${push.series.length} are named.`,
      );
    for (const [name, other] of [
      ["step", column.step],
      ["time", column.time],
    ] as const) {
      if (other !== null && other.length !== length)
        return report.refuseColumn(
          column.series,
          length,
          "length-mismatch",
          `${name} has ${other.length} entries and value has ${length}.`,
        );
    }
    if (column.step === null && column.time === null)
      return report.refuseColumn(column.series, length, "no-axis", "The column has neither step nor time.");
    const isDurationColumn = isDuration(metric, unit);
    const sifted = wholeColumn(column, isDurationColumn, counted) ?? siftColumn(column, isDurationColumn, report);
    flagTimes(sifted, report);
    return [sifted];
  });
  return { columns, missing: report.missing, refused: report.refused, refusedTotal: report.refusedTotal, flagged: report.flagged };
}

/** Negative seconds are a clock that was set back, or a wrong subtraction: never a duration (C7). */
function isDuration(metric: string, unit: string | undefined): boolean {
  return ["s", "ms", "us", "µs", "ns", "min", "h"].includes(unit ?? metricEntry(metric)?.unit ?? "");
}

/** 0, 1, 2, … for as many places as the longest column has: columns of which all is kept share it. */
function countedPlaces(columns: readonly ParsedColumn[]): Uint32Array {
  let longest = 0;
  for (const { value } of columns) if (value.length > longest) longest = value.length;
  return Uint32Array.from({ length: longest }, (_, index) => index);
}

/** The column as it was sent, where every entry can be stored; null where one cannot. Most are this, and nothing of them is copied. */
function wholeColumn(column: ParsedColumn, isDurationColumn: boolean, counted: Uint32Array): SiftedColumn | null {
  const { series, step, time, value, missing, badIndexes, badValues } = column;
  if (missing !== null || badIndexes.length > 0 || badValues.length > 0) return null;
  for (let index = 0; index < value.length; index++) {
    const stepHere = step === null ? 0 : (step[index] ?? Number.NaN);
    const timeHere = time === null ? Number.NaN : (time[index] ?? Number.NaN);
    if (faultOf(stepHere, timeHere, step === null, isDurationColumn && (value[index] ?? 0) < 0) !== null) return null;
  }
  return {
    series,
    hasSteps: step !== null,
    places: counted.subarray(0, value.length),
    step: step ?? new Float64Array(value.length),
    timeMs: time ?? new Float64Array(value.length).fill(Number.NaN),
    value,
  };
}

function siftColumn(column: ParsedColumn, isDurationColumn: boolean, report: Report): SiftedColumn {
  const { series, step: steps, time: times, missing, badIndexes, badValues } = column;
  const length = column.value.length;
  const places = new Uint32Array(length);
  const step = new Float64Array(length);
  const timeMs = new Float64Array(length);
  const value = new Float64Array(length);
  const bad = new Set(badIndexes);
  for (const index of badIndexes)
    report.refuse(
      series,
      index,
      "bad-index",
      `nonFinite names entry ${index}, ${index < length ? "which holds a value, or it names it with two words" : `and the column has ${length}`}.`,
    );
  for (const index of badValues) if (!bad.has(index)) report.refuse(series, index, "bad-value", NO_VALUE);
  for (const index of badValues) bad.add(index);
  let kept = 0;
  for (let index = 0; index < length; index++) {
    if (missing?.[index] === 1) {
      report.missing++;
      continue;
    }
    const stepHere = steps === null ? 0 : (steps[index] ?? Number.NaN);
    const timeHere = times === null ? Number.NaN : (times[index] ?? Number.NaN);
    const valueHere = column.value[index] ?? Number.NaN;
    const fault = bad.has(index) ? "told" : faultOf(stepHere, timeHere, steps === null, isDurationColumn && valueHere < 0);
    if (fault === "told") continue;
    if (fault !== null) {
      report.refuse(series, index, fault, messageOf(fault, stepHere, timeHere, valueHere));
      continue;
    }
    places[kept] = index;
    step[kept] = stepHere;
    timeMs[kept] = timeHere;
    value[kept] = valueHere;
    kept++;
  }
  return {
    series,
    hasSteps: steps !== null,
    places: places.subarray(0, kept),
    step: step.subarray(0, kept),
    timeMs: timeMs.subarray(0, kept),
    value: value.subarray(0, kept),
  };
}

function faultOf(step: number, timeMs: number, isStepless: boolean, isNegativeDuration: boolean): RefusalCode | null {
  if (!(step >= 0 && step <= MAX_STEP && Number.isInteger(step))) return "bad-step";
  const hasTime = timeMs === timeMs;
  if (hasTime && !(timeMs >= 0 && timeMs <= MAX_TIME_MS)) return "bad-time";
  if (isStepless && !hasTime) return "no-axis";
  return isNegativeDuration ? "negative-duration" : null;
}

function messageOf(fault: RefusalCode, step: number, timeMs: number, value: number): string {
  switch (fault) {
    case "bad-step":
      return `${step === step ? `Step ${step}` : "The step"} is not a whole number from 0 to ${MAX_STEP}.`;
    case "bad-time":
      return `${Number.isFinite(timeMs) ? `Time ${timeMs}` : "The time"} is not in epoch milliseconds.`;
    case "negative-duration":
      return `A duration of ${value} cannot be: a clock may have been set back.`;
    default:
      return "The entry has neither step nor time.";
  }
}

/** Remarks on the clock, one a column: it goes back while the step goes on, or it looks like seconds. */
function flagTimes({ series, places, step, timeMs }: SiftedColumn, report: Report): void {
  let back = 0;
  let firstBack = 0;
  for (let index = 1; index < places.length; index++) {
    if (!((timeMs[index] ?? 0) < (timeMs[index - 1] ?? 0)) || (step[index] ?? 0) < (step[index - 1] ?? 0)) continue;
    if (back === 0) firstBack = places[index] ?? 0;
    back++;
  }
  if (back > 0)
    report.flag(
      series,
      firstBack,
      "clock-back",
      `Time goes back ${back === 1 ? "here" : `${back} times, first here`} while the step goes on: the clock was set back. The values are kept.`,
    );
  const first = timeMs[0] ?? Number.NaN;
  // 1973 to 5138 in seconds, the first days of 1970 to 1973 in milliseconds.
  if (first > 1e8 && first < 1e11)
    report.flag(series, places[0] ?? 0, "time-in-seconds", `Time ${first} looks like seconds; milliseconds are expected.`);
}

/** Collects refusals and remarks. */
class Report {
  readonly refused: PushAnswer["refused"] = [];
  readonly flagged: PushAnswer["flagged"] = [];
  refusedTotal = 0;
  missing = 0;

  refuse(series: number, index: number, code: RefusalCode, message: string): void {
    this.refusedTotal++;
    if (this.refused.length < LISTED) this.refused.push({ series, index, code, message });
  }

  /** The whole column, told once. */
  refuseColumn(series: number, length: number, code: RefusalCode, message: string): never[] {
    this.refuse(series, 0, code, message);
    this.refusedTotal += Math.max(0, length - 1);
    return [];
  }

  flag(series: number, index: number, code: string, message: string): void {
    if (this.flagged.length < LISTED) this.flagged.push({ series, index, code, message });
  }
}
