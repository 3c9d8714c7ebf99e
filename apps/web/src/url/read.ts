/**
 * Readers of one search parameter each. A link may be old, cut or typed by hand: what does not fit is left out, never an error.
 * The router has parsed values as JSON where they are, so that `?from=100` arrives as a number.
 */
export function readInteger(raw: unknown, min = Number.MIN_SAFE_INTEGER): number | undefined {
  const value = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min ? value : undefined;
}

export function readNumber(raw: unknown): number | undefined {
  const value = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

const MAX_TEXT = 512;
/** A text of at most 512 characters; an all-digit one arrives as a number and is a text again. */
export function readText(raw: unknown): string | undefined {
  const value = typeof raw === "number" ? String(raw) : raw;
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_TEXT) : undefined;
}

/** A list of texts, or one alone; repeats are left out, and so is what is beyond `most`. */
export function readTexts(raw: unknown, most: number): readonly string[] | undefined {
  const given: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const found = [...new Set(given.flatMap((each) => readText(each) ?? []))].slice(0, most);
  return found.length === 0 ? undefined : found;
}

export function readFlag(raw: unknown): true | undefined {
  return raw === true || raw === 1 || raw === "true" || raw === "1" ? true : undefined;
}

export function readWord<T extends string>(raw: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === raw);
}

/** A list, or one of its words alone; unknown words and repeats are left out; an empty list is none. */
export function readWords<T extends string>(raw: unknown, words: readonly T[]): readonly T[] | undefined {
  const given: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const found = words.filter((word) => given.includes(word));
  return found.length === 0 ? undefined : found;
}

/** Only the parameters that are set: an absent one leaves no trace in the URL. */
export function present<T extends object>(parameters: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  const kept: Partial<T> = {};
  for (const key in parameters) {
    const value = parameters[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
