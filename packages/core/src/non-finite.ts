import { z } from "zod";

/** How a non-finite value is written where JSON has no number for it. */
export const NON_FINITE_WORDS = ["NaN", "Infinity", "-Infinity"] as const;
export type NonFiniteWord = (typeof NON_FINITE_WORDS)[number];
export const nonFiniteWordSchema = z.enum(NON_FINITE_WORDS);

/** A value as JSON can carry it: a finite number, a word for a non-finite one, or null for a missing one. */
export type JsonNumber = number | NonFiniteWord | null;
export const jsonNumberSchema = z.union([z.number(), nonFiniteWordSchema, z.null()]);

export function nonFiniteWord(value: number): NonFiniteWord | undefined {
  if (Number.isFinite(value)) return undefined;
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

export function toJsonNumber(value: number | null): JsonNumber {
  return value === null ? null : (nonFiniteWord(value) ?? value);
}

export function fromJsonNumber(value: JsonNumber): number | null {
  return value === null || typeof value === "number" ? value : Number(value);
}

/** A column of doubles as JSON carries it: null where not finite, and the non-finite ones beside it by index. */
export interface NumberColumn {
  readonly value: readonly (number | null)[];
  readonly nonFinite: readonly (readonly [index: number, word: NonFiniteWord])[];
}

/** Splits doubles (null = missing) into the JSON column and its sparse non-finite list. */
export function encodeColumn(values: ArrayLike<number | null>): NumberColumn {
  const value: (number | null)[] = [];
  const nonFinite: [number, NonFiniteWord][] = [];
  for (let index = 0; index < values.length; index++) {
    const item = values[index] ?? null;
    const word = item === null ? undefined : nonFiniteWord(item);
    if (word !== undefined) nonFinite.push([index, word]);
    value.push(word === undefined ? item : null);
  }
  return { value, nonFinite };
}

/** The inverse of {@link encodeColumn}. Null without an entry in `nonFinite` stays null (missing). */
export function decodeColumn(column: NumberColumn): (number | null)[] {
  const values = column.value.slice();
  for (const [index, word] of column.nonFinite) values[index] = Number(word);
  return values;
}
