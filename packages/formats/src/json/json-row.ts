import { type JsonConsumer, type JsonScalar, jsonReader, MAX_DEPTH } from "./json-reader.ts";

/** One object read as a row: nested objects flattened to `outer/inner`, arrays left out. */
export interface JsonRow {
  /** Line on which the object begins. */
  readonly line: number;
  readonly fields: readonly (readonly [name: string, value: JsonScalar])[];
}

/** Fields kept a row; what is beyond is no log row. */
const MAX_FIELDS = 4096;

export interface RowCollector {
  open(kind: "object" | "array"): void;
  /** The row, when this closes it. */
  close(): JsonRow | undefined;
  key(name: string): void;
  scalar(value: JsonScalar): void;
}

/** Gathers one row from the events between its braces. The opening brace itself must have been seen: `line` is its line. */
export function rowCollector(line: number, name: (text: string) => string): RowCollector {
  const fields: (readonly [string, JsonScalar])[] = [];
  const prefixes: string[] = [];
  let arrays = 0;
  let key = "";
  const full = (): string => (prefixes.length === 0 ? key : `${prefixes.join("/")}/${key}`);

  return {
    open(kind) {
      if (arrays > 0 || kind === "array") arrays++;
      else prefixes.push(key);
    },
    close() {
      if (arrays > 0) {
        arrays--;
        return undefined;
      }
      if (prefixes.pop() !== undefined) return undefined;
      return { line, fields };
    },
    key(text) {
      key = text;
    },
    scalar(value) {
      if (arrays === 0 && key !== "" && fields.length < MAX_FIELDS) fields.push([name(full()), value]);
    },
  };
}

export type RowLine = { readonly row: JsonRow } | { readonly fault: string; readonly cut: boolean };

/** Reads a line that holds one JSON object. `cut` says that the line ended inside it. */
export function readRowLine(text: string, line: number, name: (text: string) => string): RowLine {
  const strict = parseStrictly(text);
  if (strict !== undefined) return { row: { line, fields: flatten(strict, name) } };
  return readTolerantly(text, line, name);
}

/** The object of a line that is plain JSON: several times faster than our own reader, which lines with NaN need. */
function parseStrictly(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Fields of nested objects by path, in the order of the text. Without recursion: depth comes from outside. */
function flatten(row: object, name: (text: string) => string): JsonRow["fields"] {
  const fields: (readonly [string, JsonScalar])[] = [];
  const open: { readonly entries: readonly [string, unknown][]; at: number; readonly prefix: string }[] = [
    { entries: Object.entries(row), at: 0, prefix: "" },
  ];
  for (let top = open.at(-1); top !== undefined && fields.length < MAX_FIELDS; top = open.at(-1)) {
    const entry = top.entries[top.at++];
    if (entry === undefined) {
      open.pop();
      continue;
    }
    const [key, value] = entry;
    if (isScalar(value)) {
      if (key !== "") fields.push([name(top.prefix + key), value]);
    } else if (typeof value === "object" && !Array.isArray(value) && open.length < MAX_DEPTH) {
      open.push({ entries: Object.entries(value ?? {}), at: 0, prefix: `${top.prefix}${key}/` });
    }
  }
  return fields;
}

function isScalar(value: unknown): value is JsonScalar {
  return value === null || typeof value === "number" || typeof value === "string" || typeof value === "boolean";
}

function readTolerantly(text: string, line: number, name: (text: string) => string): RowLine {
  let collector: RowCollector | undefined;
  let row: JsonRow | undefined;
  let fault: string | undefined;
  const consumer: JsonConsumer = {
    open(kind) {
      if (row !== undefined) fault ??= "more than one value on the line";
      if (collector !== undefined) collector.open(kind);
      else if (kind === "object") collector = rowCollector(line, name);
      else fault ??= "the line holds no object";
    },
    close() {
      row ??= collector?.close();
    },
    key: (text) => collector?.key(text),
    scalar(value) {
      if (collector === undefined) fault ??= "the line holds no object";
      else collector.scalar(value);
    },
    fault(message) {
      fault ??= message;
    },
    resumed() {},
  };
  const reader = jsonReader(consumer);
  reader.push(text);
  const whole = reader.end();
  if (fault !== undefined) return { fault, cut: false };
  if (row === undefined || !whole) return { fault: "the line ends inside the object", cut: true };
  return { row };
}
