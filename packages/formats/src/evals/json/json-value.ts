import { type JsonScalar, jsonReader } from "../../json/json-reader.ts";

export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
export type JsonValue = JsonScalar | readonly JsonValue[] | JsonObject;

/** Longest text kept of a document that is not plain JSON: what a record keeps of a text. */
const MAX_TEXT = 1 << 18;

export type JsonRead = { readonly value: JsonValue } | { readonly fault: string; readonly line: number; readonly cut: boolean };

/**
 * Reads one JSON value: strictly, as almost every file is, else with the tolerant reader (bare NaN and Infinity, trailing commas).
 * `cut` says that the text ended inside the value.
 */
export function readJson(source: string): JsonRead {
  const text = withExactIds(source);
  const strict = parseStrictly(text);
  if (strict !== undefined) return { value: strict };
  const built = build(text);
  if (built.fault !== null) return { ...built.fault, cut: false };
  const [value, second] = built.values;
  if (second !== undefined) return { fault: "more than one JSON value stands here", line: built.line, cut: false };
  if (value === undefined || !built.whole) return { fault: "the text ends inside a value", line: built.line, cut: true };
  return { value };
}

/** The outermost values of a head that may be cut: what is open at the cut is kept as far as it goes. For sniffers. */
export function headValues(head: string, most: number): readonly JsonValue[] {
  const start = head.trimStart();
  // Anything else is no JSON document: saves reading the whole head as one token.
  return start.startsWith("{") || start.startsWith("[") ? build(start).values.slice(0, most) : [];
}

/**
 * `"id": 9007199254740993`: whole numbers under a name of ids that a double may not hold exactly. The first quote is the sign itself and not an
 * escaped one, so that nothing inside of a text is taken for a field.
 */
const LONG_ID = /(?<!\\)"((?:\w*_)?(?:id|index))"(\s*:\s*)(-?\d{16,})(?=\s*[,}])/g;

/** Long ids as texts: read as numbers, neighbours would become one. */
function withExactIds(text: string): string {
  return /\d{16}/.test(text) ? text.replace(LONG_ID, '"$1"$2"$3"') : text;
}

function parseStrictly(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Built {
  readonly values: readonly JsonValue[];
  readonly fault: { readonly fault: string; readonly line: number } | null;
  readonly line: number;
  readonly whole: boolean;
}

type Open =
  | { readonly kind: "array"; readonly items: JsonValue[] }
  | { readonly kind: "object"; readonly fields: Record<string, JsonValue>; key: string };

function build(text: string): Built {
  const values: JsonValue[] = [];
  const open: Open[] = [];
  let fault: Built["fault"] = null;
  const add = (value: JsonValue): void => {
    const holder = open.at(-1);
    if (holder === undefined) values.push(value);
    else if (holder.kind === "array") holder.items.push(value);
    // A key "__proto__" must become a field and not the prototype.
    else Object.defineProperty(holder.fields, holder.key, { value, enumerable: true, configurable: true, writable: true });
  };
  const reader = jsonReader(
    {
      open(kind) {
        const holder: Open = kind === "array" ? { kind, items: [] } : { kind, fields: {}, key: "" };
        add(holder.kind === "array" ? holder.items : holder.fields);
        open.push(holder);
      },
      close() {
        open.pop();
      },
      key(name) {
        const holder = open.at(-1);
        if (holder?.kind === "object") holder.key = name;
      },
      scalar: add,
      fault(message, line) {
        fault = { fault: message, line };
      },
      resumed() {},
    },
    { resumeDepth: null, maxString: MAX_TEXT },
  );
  reader.push(text);
  const whole = reader.end();
  return { values, fault, line: reader.line(), whole };
}
