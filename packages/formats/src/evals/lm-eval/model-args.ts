import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { objectOf } from "../json/json-fields.ts";

/**
 * `--model_args`: an object in newer files, else "pretrained=org/name,revision=step1000,dtype=float16". A comma inside brackets or braces belongs
 * to its value; what has no "=" belongs to the value before.
 */
export function modelArguments(value: JsonValue | undefined): ReadonlyMap<string, string> {
  const object = objectOf(value);
  if (object !== null) return new Map(scalars(object));
  const found = new Map<string, string>();
  if (typeof value !== "string") return found;
  let last: string | undefined;
  for (const part of splitOutsideBrackets(value)) {
    const equals = part.indexOf("=");
    if (equals > 0) {
      last = part.slice(0, equals).trim();
      found.set(last, part.slice(equals + 1).trim());
    } else if (last !== undefined) found.set(last, `${found.get(last) ?? ""},${part}`);
  }
  return found;
}

function* scalars(object: JsonObject): Iterable<[string, string]> {
  for (const [key, value] of Object.entries(object))
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") yield [key, String(value)];
}

function splitOutsideBrackets(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "{" || sign === "[" || sign === "(") depth++;
    else if (sign === "}" || sign === "]" || sign === ")") depth--;
    else if (sign === "," && depth <= 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
