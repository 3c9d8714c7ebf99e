import { z } from "zod";

/** Half of a surrogate pair alone: UTF-16 that no UTF-8 text can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Whether a database can hold this text as it is: without NUL, and each surrogate in its pair. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && !LONE_SURROGATE.test(text);
}

/** The text as a database can hold it: what it cannot hold becomes U+FFFD, the sign for a character that was lost. */
export function storableText(text: string): string {
  return isStorableText(text) ? text : text.replaceAll("\0", "\uFFFD").replace(LONE_SURROGATES, "\uFFFD");
}

/** Every text that comes in from outside starts from this one; lengths and trimming are added to it. */
export const textSchema = z.string().refine(isStorableText, "holds a character that cannot be stored: NUL or half of a surrogate pair");

/** Deeper than any fact is told; far below what a database's own parser gives up on. */
const MOST_LEVELS = 16;

/** What a source says in fields of its own choosing: JSON of at most 16 levels whose texts can be stored. */
export const freeFactsSchema = z.record(textSchema, z.unknown()).superRefine((facts, context) => {
  const fault = faultIn(facts, []);
  if (fault !== null) context.addIssue({ code: "custom", path: [...fault.path], message: fault.message });
});

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function faultIn(value: unknown, path: readonly PropertyKey[]): Fault | null {
  if (typeof value === "string") return isStorableText(value) ? null : { path, message: "holds NUL or half of a surrogate pair" };
  if (typeof value !== "object" || value === null) return null;
  if (path.length >= MOST_LEVELS) return { path: path.slice(0, 1), message: `is nested more than ${MOST_LEVELS} levels deep` };
  for (const [name, item] of Object.entries(value)) {
    if (!isStorableText(name)) return { path, message: "has a name that holds NUL or half of a surrogate pair" };
    const fault = faultIn(item, [...path, Array.isArray(value) ? Number(name) : name]);
    if (fault !== null) return fault;
  }
  return null;
}
