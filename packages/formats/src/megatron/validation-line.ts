import { parseNumber } from "../text/number-token.ts";

/*
 *  validation loss at iteration 1000 on validation set | lm loss value: 2.345678E+00 | lm loss PPL: 1.043987E+01 |
 *  validation loss at iteration 1000 | lm loss value: 2.345678E+00 | lm loss PPL: 1.043987E+01 |
 *  test loss at iteration 1000 on test set | lm loss value: ...
 */
const VALIDATION = /(validation|test) loss at iteration\s{1,32}(\d{1,40})/;

export interface ValidationLine {
  readonly iteration: string;
  /** Fields as `eval/<set>/<Megatron's name>`. */
  readonly fields: readonly (readonly [name: string, value: number])[];
}

/** A line with evaluation losses; undefined for all others. */
export function validationLine(text: string, nameOf: (name: string) => string): ValidationLine | undefined {
  const match = VALIDATION.exec(text);
  if (match === null) return undefined;
  const [where = "", ...fieldTexts] = text.slice(match.index + match[0].length).split("|");
  const set = match[1] === "test" || where.includes("test set") ? "test" : "validation";
  const fields: [string, number][] = [];
  for (const field of fieldTexts) {
    const colon = field.indexOf(":");
    const value = colon < 0 ? undefined : parseNumber(field.slice(colon + 1));
    if (value !== undefined) fields.push([nameOf(`eval/${set}/${field.slice(0, colon).trim()}`), value]);
  }
  return { iteration: match[2] ?? "", fields };
}
