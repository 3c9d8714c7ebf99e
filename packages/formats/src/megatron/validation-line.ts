import { parseNumber } from "../text/number-token.ts";

/*
 *  validation loss at iteration 1000 on validation set | lm loss value: 2.345678E+00 | lm loss PPL: 1.043987E+01 |
 *  validation loss at iteration 1000 | lm loss value: 2.345678E+00 | lm loss PPL: 1.043987E+01 |
 *  test loss at iteration 1000 on test set | lm loss value: ...
 */
const VALIDATION = /(validation|test) loss at iteration\s+(\d+)([^|]*)\|(.*)$/;
const VALUE = /([^|:]+):\s*(\S+)\s*(?:\||$)/g;

export interface ValidationLine {
  readonly iteration: string;
  readonly phase: "validation" | "test";
  readonly fields: readonly (readonly [name: string, value: number])[];
}

/** A line with evaluation losses; undefined for all others. */
export function validationLine(text: string, nameOf: (name: string) => string): ValidationLine | undefined {
  const match = VALIDATION.exec(text);
  if (match === null) return undefined;
  const fields: [string, number][] = [];
  for (const [, name, token] of (match[4] ?? "").matchAll(VALUE)) {
    const value = parseNumber(token ?? "");
    if (value !== undefined) fields.push([nameOf((name ?? "").trim()), value]);
  }
  const phase = match[1] === "test" || (match[3] ?? "").includes("test set") ? "test" : "validation";
  return { iteration: match[2] ?? "", phase, fields };
}
