import { describeMeasure, isAboveShare, type EvalRecordInput } from "@trainwatch/core";
import { excerpt } from "../text/number-token.ts";
import type { EvalFormat, EvalMeasureInput, EvalSink } from "./format.ts";

/** Measures that wait for what the rest of the file says of their unit; beyond these they go on as they are, so that no file fills the memory. */
const MOST_WAITING = 4_096;

/**
 * The format with its units settled by the file as a whole: a measure that is a share by its name and has no unit told is per cent where the file
 * holds a value of it above 1, which no share is, or tells "%" beside another. "0.9" in a column of "55.2" is 0.9 %, not 90 %.
 */
export function withPercentUnits(format: EvalFormat): EvalFormat {
  return {
    ...format,
    parser(sink, options) {
      const units = percentUnits(sink);
      const parser = format.parser(units, options);
      return {
        push: (chunk) => parser.push(chunk),
        end() {
          parser.end();
          units.end();
        },
      };
    },
  };
}

function percentUnits(sink: EvalSink): EvalSink & { end(): void } {
  /** By measure: whether it has been said that values without a unit were read so. */
  const percent = new Map<string, boolean>();
  const waiting = new Map<string, EvalMeasureInput[]>();
  /** By measure: whether it is a share by its name. */
  const shares = new Map<string, boolean>();
  let held = 0;

  function isShare(name: string, { task, metric, filter = null }: EvalMeasureInput): boolean {
    const known =
      shares.get(name) ?? describeMeasure({ task, metric, filter, unit: null, dimension: null, higherIsBetter: null }).range === "share";
    shares.set(name, known);
    return known;
  }

  function settle(name: string): void {
    percent.set(name, false);
    const before = waiting.get(name) ?? [];
    waiting.delete(name);
    held -= before.length;
    for (const each of before) give(name, each);
  }

  function give(name: string, measure: EvalMeasureInput): void {
    if (percent.get(name) === false) sink.issue({ line: 1, code: "read-as-percent", message: because(measure) });
    percent.set(name, true);
    sink.record({ ...measure, unit: "%" });
  }

  function release(): void {
    for (const measures of waiting.values()) for (const measure of measures) sink.record(measure);
    waiting.clear();
    held = 0;
  }

  function measured(measure: EvalMeasureInput): void {
    const name = JSON.stringify([measure.task, measure.metric, measure.filter ?? null]);
    const isUntold = (measure.unit ?? null) === null && isShare(name, measure);
    if (!percent.has(name) && (measure.unit === "%" || (isUntold && showsPercent(measure)))) settle(name);
    if (!isUntold) return sink.record(measure);
    if (percent.has(name)) return give(name, measure);
    const group = waiting.get(name);
    if (group === undefined) waiting.set(name, [measure]);
    else group.push(measure);
    if (++held > MOST_WAITING) release();
  }

  return {
    record: (record: EvalRecordInput) => (record.kind === "measure" ? measured(record) : sink.record(record)),
    issue: (issue) => sink.issue(issue),
    end: release,
  };
}

const showsPercent = ({ value }: EvalMeasureInput): boolean => typeof value === "number" && isAboveShare(value);

function because({ task, metric }: EvalMeasureInput): string {
  return `"${excerpt(metric)}" of "${excerpt(task)}" has a value in % or above 1, and no share is above 1: its values without a unit were read as per cent.`;
}
