import { AppError, NON_FINITE_WORDS, type NonFiniteWord, pushSchema } from "@trainwatch/core";
import type { z } from "zod";
import type { ParsedColumn, ParsedPush } from "./parsed-push.ts";

const MOST_COLUMNS = 4096;
/** Everything but the columns, which are checked by hand: a schema library takes a second over a million numbers. */
const headSchema = pushSchema.omit({ columns: true });

/**
 * Checks the body of `ingest.push` and unpacks its columns.
 * @throws AppError `bad-request` naming the path of the first thing that is wrong.
 */
export function parsePush(input: unknown): ParsedPush {
  if (!isRecord(input)) throw bad([], "is not an object");
  const { columns = [], ...rest } = input;
  const head = headSchema.safeParse(rest);
  if (!head.success) throw badIssue(head.error);
  if (!Array.isArray(columns)) throw bad(["columns"], "is not an array");
  if (columns.length > MOST_COLUMNS) throw bad(["columns"], `has ${columns.length} entries, and ${MOST_COLUMNS} are the most`);
  const room = roomFor(columns);
  return { ...head.data, columns: columns.map((column: unknown, index) => parseColumn(column, ["columns", index], room)) };
}

type Path = readonly PropertyKey[];

/** An array for so many numbers. */
type Room = (length: number) => Float64Array;

/** Room for the numbers of all columns in one piece: of a wide run a column is a point, and an array of its own for each costs more than all the rest. */
function roomFor(columns: readonly unknown[]): Room {
  let size = 0;
  for (const column of columns)
    if (isRecord(column))
      for (const numbers of [column["step"], column["time"], column["value"]]) if (Array.isArray(numbers)) size += numbers.length;
  const all = new Float64Array(size);
  let taken = 0;
  return (length) => all.subarray(taken, (taken += length));
}

function parseColumn(input: unknown, path: Path, room: Room): ParsedColumn {
  if (!isRecord(input)) throw bad(path, "is not an object");
  const { series, step, time, value, nonFinite = [] } = input;
  if (typeof series !== "number" || !Number.isSafeInteger(series) || series < 0)
    throw bad([...path, "series"], "is not an index into `series`");
  const { numbers, missing, badValues } = parseValues(value, [...path, "value"], room);
  const marked = markNonFinite(nonFinite, numbers, missing, [...path, "nonFinite"]);
  return {
    series,
    step: step === undefined ? null : parseSteps(step, [...path, "step"], room),
    time: time === undefined ? null : parseTimes(time, [...path, "time"], room),
    value: numbers,
    missing: missing?.includes(1) === true ? missing : null,
    badIndexes: marked,
    badValues,
  };
}

/** What is no number becomes NaN, which is no step: one bad entry must not cost the rest. */
function parseSteps(input: unknown, path: Path, room: Room): Float64Array {
  const items = arrayAt(input, path);
  const steps = room(items.length);
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    steps[index] = typeof item === "number" ? item : Number.NaN;
  }
  return steps;
}

/** Null is no time; anything else that is no number becomes Infinity, which is beyond any calendar. */
function parseTimes(input: unknown, path: Path, room: Room): Float64Array {
  const items = arrayAt(input, path);
  const times = room(items.length);
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    times[index] = typeof item === "number" ? item : item === null ? Number.NaN : Infinity;
  }
  return times;
}

function parseValues(input: unknown, path: Path, room: Room): { numbers: Float64Array; missing: Uint8Array | null; badValues: number[] } {
  const items = arrayAt(input, path);
  const numbers = room(items.length);
  const missing = items.includes(null) ? new Uint8Array(items.length) : null;
  const badValues: number[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item === "number") numbers[index] = item;
    else if (item === null) {
      numbers[index] = Number.NaN;
      if (missing !== null) missing[index] = 1;
    } else {
      const word = typeof item === "string" ? readNonFinite(item) : undefined;
      if (word === undefined) badValues.push(index);
      numbers[index] = Number(word ?? Number.NaN);
    }
  }
  return { numbers, missing, badValues };
}

/**
 * Fills in what `nonFinite` says about nulls.
 * @returns indexes that name no null of the column, or that are given two different words.
 */
function markNonFinite(input: unknown, numbers: Float64Array, missing: Uint8Array | null, path: Path): number[] {
  const badIndexes = new Set<number>();
  const marked = new Map<number, NonFiniteWord>();
  arrayAt(input, path).forEach((entry, place) => {
    const at = [...path, place];
    if (!Array.isArray(entry) || entry.length !== 2) throw bad(at, "is not a pair of an index and a word");
    const [index, word] = entry as readonly unknown[];
    if (typeof index !== "number" || !Number.isSafeInteger(index) || index < 0) throw bad([...at, 0], "is not an index");
    const known = NON_FINITE_WORDS.find((each) => each === word);
    if (known === undefined) throw bad([...at, 1], 'is not one of "NaN", "Infinity", "-Infinity"');
    // Said twice is said once; two different words for one entry say nothing.
    if (marked.get(index) === known) return;
    if (missing?.[index] !== 1) badIndexes.add(index);
    else {
      numbers[index] = Number(known);
      missing[index] = 0;
      marked.set(index, known);
    }
  });
  return [...badIndexes];
}

/** Words that loggers write for a value that is no number, in any case: NaN, -nan, inf, +Infinity. */
function readNonFinite(text: string): NonFiniteWord | undefined {
  const parts = /^([+-]?)(nan|inf|infinity)$/i.exec(text.trim());
  if (parts === null) return undefined;
  if (parts[2]?.toLowerCase() === "nan") return "NaN";
  return parts[1] === "-" ? "-Infinity" : "Infinity";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function arrayAt(value: unknown, path: Path): readonly unknown[] {
  if (!Array.isArray(value)) throw bad(path, "is not an array");
  return value;
}

function badIssue(error: z.ZodError): AppError {
  const [issue] = error.issues;
  return bad(issue?.path ?? [], `is wrong: ${issue?.message ?? "it does not fit"}`);
}

function bad(path: Path, what: string): AppError {
  const place = pathText(path);
  return new AppError("bad-request", `The push was not stored: ${place} ${what}.`, { details: { path: place } });
}

/** `columns[3].value[17]`, and `body` for the whole. */
function pathText(path: Path): string {
  return (
    path.reduce<string>(
      (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? fieldText(part) : `${text}.${fieldText(part)}`),
      "",
    ) || "body"
  );
}

/** A field's name as it is; one of other characters in quotes, so that a name with a line break or NUL does no harm where it is shown. */
function fieldText(part: PropertyKey): string {
  const text = String(part);
  return /^[\w.-]+$/.test(text) ? text : JSON.stringify(text);
}
