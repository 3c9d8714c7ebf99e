import { nonFiniteWord } from "@trainwatch/core";

/**
 * JSON that is the same for the same content: keys in the order of their code units, no blanks, numbers as ECMAScript writes them (RFC 8785), −0 as 0, a
 * number that JSON has no word for as its name, fields without a value left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number") return JSON.stringify(nonFiniteWord(value) ?? (value === 0 ? 0 : value));
  if (typeof value === "string" || typeof value === "boolean" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || !isPlain(value)) throw new TypeError(`No JSON for ${Object.prototype.toString.call(value)}`);
  const fields = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`);
  return `{${fields.join(",")}}`;
}

/** A map or a column of numbers would become an object that has lost what it held. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
