import { logChoose } from "./log-factorial.ts";

/**
 * Two-sided p of Fisher's exact test: how likely a table at least as uneven as this one is where group and value have nothing to do with each
 * other. `hits` of `group` have the value, and `hitsOfRest` of `rest`. Tables that are no likelier than the one seen are added up (Fisher 1935).
 * @returns 0 to 1; 1 where one of the groups is empty
 */
export function fisherExact(hits: number, group: number, hitsOfRest: number, rest: number): number {
  const column = hits + hitsOfRest;
  const all = group + rest;
  const least = Math.max(0, column - rest);
  const most = Math.min(group, column);
  const whole = logChoose(all, group);
  const logOf = (count: number): number => logChoose(column, count) + logChoose(all - column, group - count) - whole;
  const seen = logOf(hits);
  let sum = 0;
  // Rounding must not leave out the table on the other side that is exactly as likely.
  for (let count = least; count <= most; count++) if (logOf(count) <= seen + 1e-7) sum += Math.exp(logOf(count));
  return Math.min(1, sum);
}
