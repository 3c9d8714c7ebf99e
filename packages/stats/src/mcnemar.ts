import { logChoose } from "./log-factorial.ts";

export interface McNemarResult {
  /** Two-sided p of the exact test: at most as many false alarms as it says, at any sample size. */
  readonly p: number;
  /** Mid-p: half of the table seen counts; closer to the nominal rate, above it by little at times (Fagerland, Lydersen & Laake 2013). */
  readonly midP: number;
}

/**
 * McNemar's exact test (McNemar 1947, exact by the binomial): of the samples on which two models differ, is each side as likely?
 * p = 2 · P(X ≤ min(lost, won)), X binomial with lost + won trials of ½. Samples on which both agree say nothing and are not asked for.
 * @param lost samples that only the first passes, @param won samples that only the second passes; whole, not negative
 * @returns p 1 where nothing differs; NaN where a count is not a whole number of at least 0
 */
export function mcnemarExact(lost: number, won: number): McNemarResult {
  if (!isCount(lost) || !isCount(won)) return { p: Number.NaN, midP: Number.NaN };
  const trials = lost + won;
  const few = Math.min(lost, won);
  const seen = Math.exp(logChoose(trials, few) - trials * Math.LN2);
  let term = seen;
  let sum = 0;
  for (let count = few; count >= 0; count--) {
    sum += term;
    if (term < sum * 1e-17) break;
    term *= count / (trials - count + 1);
  }
  return { p: Math.min(1, 2 * sum), midP: trials === 0 ? 1 : Math.min(1, 2 * sum - seen) };
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}
