import { complementaryErrorFunction } from "./gaussian.ts";

/**
 * P(X ≥ x) of χ² with a whole number of `degrees`, as a finite sum (Abramowitz & Stegun 26.4.4 and 26.4.5).
 * @returns 1 for x ≤ 0; of no degrees 0
 */
export function chiSquareTail(x: number, degrees: number): number {
  if (x <= 0) return 1;
  const half = x / 2;
  const isOdd = degrees % 2 === 1;
  let sum = isOdd ? complementaryErrorFunction(Math.sqrt(half)) : 0;
  let term = isOdd ? Math.exp(-half) * Math.sqrt(half / Math.PI) * 2 : Math.exp(-half);
  for (let order = isOdd ? 3 : 2; order <= degrees; order += 2) {
    sum += term;
    term *= x / order;
  }
  return Math.min(1, sum);
}
