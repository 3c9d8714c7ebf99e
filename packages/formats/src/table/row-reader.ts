import { canonicalMetric, metricEntry } from "@trainwatch/core";
import type { ParseOptions, ParseSink } from "../format.ts";
import type { JsonScalar } from "../json/json-reader.ts";
import { excerpt, parseNumber, parseStep } from "../text/number-token.ts";
import type { CivilTime } from "../text/timestamp.ts";
import { findStepColumn, labelOf, type StepColumn, timeColumns } from "./column-names.ts";
import { epochMsOfNumber, epochMsOfText } from "./epoch-time.ts";

export type Field = readonly [name: string, value: JsonScalar];

export interface RowReader {
  /** One row: a JSON object or a table line. Empty cells and nulls are missing, never zero. */
  row(fields: readonly Field[], line: number): void;
}

export interface RowReaderContext {
  readonly sink: ParseSink;
  readonly options: ParseOptions;
  epochMs(time: CivilTime): number;
}

/** What is known of a field by its name. */
interface FieldKind {
  readonly label: string | undefined;
  readonly mayBeTime: boolean;
  /** A training metric, or seen as a number before: text in it is read as a number. */
  isNumeric: boolean;
}

/** Names remembered; a table of more columns is no training log, and is then read without memory. */
const MAX_NAMES = 4096;
const MAX_LABEL = 64;

/**
 * Turns rows of named fields into points, whatever table they come from. Which field is the step and which the time is settled by the
 * first row that has them. Rule for numbers (B7): numbers, bare NaN and Infinity are values; text is a value only where it reads as a
 * number and its field is known to be numeric (a training metric, or seen as a number before), so that a note "NaN" stays a note.
 */
export function rowReader({ sink, options, epochMs }: RowReaderContext): RowReader {
  const wanted = options.columns ?? {};
  const kinds = new Map<string, FieldKind>();
  let step: StepColumn | undefined;
  let timeName: string | undefined;

  function kindOf(name: string): FieldKind {
    const known = kinds.get(name);
    if (known !== undefined) return known;
    const kind: FieldKind = {
      label: labelOf(name),
      mayBeTime: timeColumns([name], wanted.time).length > 0,
      isNumeric: metricEntry(canonicalMetric(name)) !== undefined,
    };
    if (kinds.size < MAX_NAMES) kinds.set(name, kind);
    return kind;
  }

  /** The field's number; undefined when it is missing or text; says so when a numeric field cannot be read. */
  function numberOf([name, value]: Field, kind: FieldKind, line: number): number | undefined {
    if (typeof value === "number") {
      kind.isNumeric = true;
      return value;
    }
    if (typeof value !== "string" || !kind.isNumeric || value.trim() === "") return undefined;
    const read = parseNumber(value);
    if (read === undefined) {
      const message = `"${excerpt(name)}" holds "${excerpt(value)}", which is no number; it was left out.`;
      sink.issue({ line, code: "unreadable-value", message });
    }
    return read;
  }

  function timeOf(fields: readonly Field[]): number | null {
    if (timeName !== undefined) return timeIn(fields, timeName) ?? null;
    const candidates = fields.filter(([name]) => kindOf(name).mayBeTime).map(([name]) => name);
    for (const name of candidates.length === 0 ? [] : timeColumns(candidates, wanted.time)) {
      const time = timeIn(fields, name);
      if (time === undefined) continue;
      timeName = name;
      return time;
    }
    return null;
  }

  function timeIn(fields: readonly Field[], name: string): number | undefined {
    const value = valueOf(fields, name);
    if (typeof value === "number") return epochMsOfNumber(value);
    return typeof value === "string" ? epochMsOfText(value, epochMs) : undefined;
  }

  /** The row's step; null when it has none; undefined when it has one that cannot be read. */
  function stepOf(fields: readonly Field[], line: number): number | null | undefined {
    step ??= findStepColumn(
      fields.map(([name]) => name),
      wanted.step,
    );
    if (step === undefined) return null;
    const value = valueOf(fields, step.name);
    if (value === undefined || value === null || value === "") return null;
    if (typeof value === "number" && value >= 0 && Number.isSafeInteger(value)) return value;
    const parsed = parseStep(stepText(value));
    if ("step" in parsed) return parsed.step;
    sink.issue({ line, code: "bad-step", message: `The step in "${excerpt(step.name)}" cannot be read: ${parsed.fault}.` });
    return undefined;
  }

  return {
    row(fields, line) {
      const at = stepOf(fields, line);
      if (at === undefined) return;
      const timeMs = timeOf(fields);
      if (at === null && timeMs === null) {
        sink.issue({ line, code: "no-axis", message: "The row has neither a step nor a time that can be read; it was left out." });
        return;
      }
      const labels: Record<string, string> = {};
      const values: (readonly [string, number])[] = [];
      for (const field of fields) {
        const [name, value] = field;
        if (name === step?.name || name === timeName || name === "") continue;
        const kind = kindOf(name);
        if (kind.label !== undefined && addLabel(labels, kind.label, value)) continue;
        const read = numberOf(field, kind, line);
        if (read !== undefined) values.push([name, read]);
      }
      if (values.length === 0) return;
      sink.record({ kind: "points", line, step: at, stepUnit: step?.unit ?? "optimizer-steps", timeMs, labels, values });
    },
  };
}

function valueOf(fields: readonly Field[], wanted: string): JsonScalar | undefined {
  for (const [name, value] of fields) if (name === wanted) return value;
  return undefined;
}

/** `12.0` and `1e3` are whole steps too, as tables write them. */
function stepText(value: JsonScalar): string {
  const number = typeof value === "string" ? Number(value.trim() === "" ? "x" : value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? String(number) : String(value);
}

/** Takes the field as a label where it is one. Rank 0 and training speak for the run and carry none. */
function addLabel(labels: Record<string, string>, label: string, value: JsonScalar): boolean {
  if (label === "rank") {
    const rank = typeof value === "string" ? Number(value.trim() === "" ? "x" : value) : value;
    if (typeof rank !== "number" || !Number.isInteger(rank) || rank < 0) return false;
    if (rank !== 0) labels["rank"] = String(rank);
    return true;
  }
  if (typeof value !== "string" || value.length > MAX_LABEL || value.trim() === "" || parseNumber(value) !== undefined) return false;
  if (label !== "phase" || !/^train(?:ing)?$/i.test(value.trim())) labels[label] = value.trim();
  return true;
}
