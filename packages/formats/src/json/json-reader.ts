import { excerpt, parseNumber } from "../text/number-token.ts";

export type JsonScalar = string | number | boolean | null;

/** What the reader finds, in the order of the text. Lines count from 1. */
export interface JsonConsumer {
  open(kind: "object" | "array", line: number): void;
  close(kind: "object" | "array", line: number): void;
  key(name: string, line: number): void;
  /** NaN and ±Infinity written bare are numbers. A string over {@link MAX_STRING} comes cut. */
  scalar(value: JsonScalar, line: number): void;
  /** The text is no JSON here. After it either comes {@link resumed}, or nothing more. */
  fault(message: string, line: number): void;
  /** Reading goes on with the next object inside the container of that depth; what was open deeper is void. */
  resumed(depth: number): void;
}

export interface JsonReader {
  push(text: string): void;
  /** True when the text ended between values; false when inside one (a live or cut file). */
  end(): boolean;
  /** Containers open now. */
  depth(): number;
  line(): number;
  /** True when a fault ended the reading. */
  stopped(): boolean;
}

export interface JsonReaderOptions {
  /** After a fault at this depth or deeper, skip to the next `{` and go on as an element at this depth; null stops. */
  readonly resumeDepth: number | null;
  /** Longest string kept; {@link MAX_STRING} unless told. */
  readonly maxString?: number;
}

/** Deeper nesting is damage: no training log needs it. */
export const MAX_DEPTH = 64;
/** Longest string kept, in characters; the rest of a longer one is dropped. */
export const MAX_STRING = 1 << 16;
/** Longest number or word. */
const MAX_ATOM = 64;

const MODE = { space: 0, string: 1, atom: 2, seek: 3, stopped: 4 } as const;
type Mode = (typeof MODE)[keyof typeof MODE];
type Expected = "value" | "key" | "colon" | "comma";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

/**
 * Reads JSON in pieces, tolerant of what training tools write: bare NaN and Infinity, several documents after one another, trailing
 * commas, raw control characters in strings. It is a hand-written tokenizer because a regular expression over the text would also
 * rewrite the inside of strings. Memory: the open string (at most {@link MAX_STRING}) and one letter a level.
 */
export function jsonReader(consumer: JsonConsumer, options: JsonReaderOptions = { resumeDepth: null }): JsonReader {
  const stack: ("object" | "array")[] = [];
  const maxString = options.maxString ?? MAX_STRING;
  let mode: Mode = MODE.space;
  let expected: Expected = "value";
  let line = 1;
  let token = "";
  let tokenLine = 1;
  let tokenFull = false;
  let escaped = false;

  function fail(message: string): void {
    consumer.fault(message, line);
    token = "";
    escaped = false;
    const { resumeDepth } = options;
    if (resumeDepth === null || stack.length < resumeDepth || stack[resumeDepth - 1] !== "array") {
      mode = MODE.stopped;
      return;
    }
    stack.length = resumeDepth;
    consumer.resumed(resumeDepth);
    mode = MODE.seek;
  }

  /** A value has ended: what may come next depends on what holds it. */
  function afterValue(): void {
    expected = stack.length === 0 ? "value" : "comma";
  }

  function open(kind: "object" | "array"): void {
    if (expected !== "value") return fail(`${kind === "object" ? "{" : "["} stands where ${describe(expected)} is due`);
    if (stack.length >= MAX_DEPTH) return fail(`the nesting is deeper than ${MAX_DEPTH} levels`);
    consumer.open(kind, line);
    stack.push(kind);
    expected = kind === "object" ? "key" : "value";
  }

  function close(kind: "object" | "array"): void {
    const bracket = kind === "object" ? "}" : "]";
    const fits = stack.at(-1) === kind && (expected === "comma" || expected === (kind === "object" ? "key" : "value"));
    if (!fits) return fail(`${bracket} closes nothing that can end here`);
    stack.pop();
    consumer.close(kind, line);
    afterValue();
  }

  function endString(): void {
    mode = MODE.space;
    const text = token.includes("\\") ? unescape(token) : token;
    token = "";
    if (expected === "key") {
      consumer.key(text, tokenLine);
      expected = "colon";
    } else if (expected === "value") {
      consumer.scalar(text, tokenLine);
      afterValue();
    } else {
      fail(`the text "${excerpt(text, 20)}" stands where ${describe(expected)} is due`);
    }
  }

  function endAtom(): void {
    mode = MODE.space;
    const word = token;
    token = "";
    const value = atomValue(word);
    if (value === undefined) return fail(`"${excerpt(word, 20)}" is no JSON value`);
    if (expected !== "value") return fail(`${excerpt(word, 20)} stands where ${describe(expected)} is due`);
    consumer.scalar(value, tokenLine);
    afterValue();
  }

  /** Takes string characters from `at`; returns where it stopped. */
  function inString(text: string, at: number): number {
    const quote = escaped ? -1 : text.indexOf('"', at);
    const plain = quote < 0 ? "" : text.slice(at, quote);
    if (quote >= 0 && !plain.includes("\\")) {
      if (plain.includes("\n")) line += plain.split("\n").length - 1;
      keep(plain);
      endString();
      return quote + 1;
    }
    return inEscapedString(text, at);
  }

  /** The same, one character at a time, where escapes or the end of the piece stand before the next quote. */
  function inEscapedString(text: string, at: number): number {
    for (let index = at; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === NEWLINE) line++;
      if (escaped) escaped = false;
      else if (code === BACKSLASH) escaped = true;
      else if (code === QUOTE) {
        keep(text.slice(at, index));
        endString();
        return index + 1;
      }
    }
    keep(text.slice(at));
    return text.length;
  }

  function keep(piece: string): void {
    if (tokenFull) return;
    token += piece;
    if (token.length <= maxString) return;
    token = token.slice(0, maxString).replace(/\\+$/, "");
    tokenFull = true;
  }

  function inAtom(text: string, at: number): number {
    let index = at;
    while (index < text.length && !endsAtom(text.charCodeAt(index))) index++;
    token += text.slice(at, index);
    if (token.length > MAX_ATOM) fail(`"${excerpt(token, 20)}" is no JSON value`);
    else if (index < text.length) endAtom();
    return index;
  }

  /** Takes one character between tokens; returns where to go on. */
  function between(text: string, at: number): number {
    const code = text.charCodeAt(at);
    switch (code) {
      case 0x7b:
        open("object");
        return at + 1;
      case 0x5b:
        open("array");
        return at + 1;
      case 0x7d:
        close("object");
        return at + 1;
      case 0x5d:
        close("array");
        return at + 1;
      case 0x2c:
        if (expected !== "comma") fail("a comma stands where none is due");
        else expected = stack.at(-1) === "object" ? "key" : "value";
        return at + 1;
      case 0x3a:
        if (expected !== "colon") fail("a colon stands where none is due");
        else expected = "value";
        return at + 1;
      case QUOTE:
        mode = MODE.string;
        tokenFull = false;
        tokenLine = line;
        return at + 1;
      case NEWLINE:
        line++;
        return at + 1;
      case 0x20:
      case 0x0d:
      case 0x09:
      case 0:
        return at + 1;
      default:
        mode = MODE.atom;
        tokenLine = line;
        return at;
    }
  }

  /** After a fault: looks for the next object; its opening is read as usual. */
  function seek(text: string, at: number): number {
    const found = text.indexOf("{", at);
    const end = found < 0 ? text.length : found;
    for (let index = text.indexOf("\n", at); index >= 0 && index < end; index = text.indexOf("\n", index + 1)) line++;
    if (found < 0) return text.length;
    mode = MODE.space;
    expected = "value";
    return found;
  }

  return {
    push(text) {
      let at = 0;
      while (at < text.length && mode !== MODE.stopped) {
        if (mode === MODE.space) at = between(text, at);
        else if (mode === MODE.string) at = inString(text, at);
        else if (mode === MODE.atom) at = inAtom(text, at);
        else at = seek(text, at);
      }
    },
    end() {
      if (mode === MODE.atom && stack.length === 0) endAtom();
      return (mode === MODE.space || mode === MODE.stopped) && stack.length === 0;
    },
    depth: () => stack.length,
    line: () => line,
    stopped: () => mode === MODE.stopped,
  };
}

function describe(expected: Expected): string {
  const names = { value: "a value", key: "a key", colon: "a colon", comma: "a comma" } satisfies Record<Expected, string>;
  return names[expected];
}

/** Characters that end a number or word: blanks and JSON's own signs. */
const ATOM_ENDS = Uint8Array.from({ length: 128 }, (_, code) => ('\0\t\n\r ,:"{}[]'.includes(String.fromCharCode(code)) ? 1 : 0));

function endsAtom(code: number): boolean {
  return code < 128 && ATOM_ENDS[code] === 1;
}

const WORDS = new Map<string, JsonScalar>([
  ["null", null],
  ["true", true],
  ["false", false],
]);

function atomValue(word: string): JsonScalar | undefined {
  const known = WORDS.get(word);
  return known === undefined ? parseNumber(word) : known;
}

/** The text of a string body with escapes; what is no valid escape is kept as written. */
function unescape(body: string): string {
  return body.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (whole, escape: string) => {
    if (escape.length === 5) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return ESCAPES.get(escape) ?? whole;
  });
}

const ESCAPES = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
