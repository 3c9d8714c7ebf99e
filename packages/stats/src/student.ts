import { complementaryErrorFunction } from "./gaussian.ts";
import { normalQuantile } from "./normal-quantile.ts";

const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0.5: Lanczos 1964 with g = 7 and nine terms, relative error about 1e-15. */
function logGamma(x: number): number {
  const z = x - 1;
  const base = z + 7.5;
  let sum = LANCZOS[0] ?? 0;
  for (let term = 1; term < LANCZOS.length; term++) sum += (LANCZOS[term] ?? 0) / (z + term);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(sum);
}

const TINY = 1e-300;
const ROUNDS = 500;

/** Regularised incomplete beta function I_x(a, b) by its continued fraction (Lentz's method; Press et al., Numerical Recipes, 6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= ROUNDS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * fraction;
}

function away(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** From so many degrees on, Student's t is the normal to nine digits or more in every tail that is of use here. */
const NORMAL_FROM = 1e9;

/**
 * Two-sided tail of Student's t: P(|T| ≥ |t|), the p of a t test; accurate far into the tail. `degrees` > 0 need not be whole; Infinity is the normal.
 * @returns 0 to 1; 1 at t = 0, 0 at ±Infinity; NaN where t or the degrees are NaN or the degrees are not positive
 */
export function studentTail(t: number, degrees = Number.POSITIVE_INFINITY): number {
  if (Number.isNaN(t) || !(degrees > 0)) return Number.NaN;
  if (degrees >= NORMAL_FROM) return Math.min(1, complementaryErrorFunction(Math.abs(t) / Math.SQRT2));
  // Where t² is far under the degrees, 1 − x would lose the digits of x = ν / (ν + t²): the complement is computed from t² itself.
  const squared = t * t;
  if (squared === Number.POSITIVE_INFINITY) return 0;
  const near = squared / (degrees + squared);
  return near < 1 / (degrees + 3)
    ? 1 - incompleteBeta(near, 0.5, degrees / 2)
    : incompleteBeta(degrees / (degrees + squared), degrees / 2, 0.5);
}

/** Distribution function of Student's t (Student 1908). */
export function studentCdf(t: number, degrees: number): number {
  const tail = studentTail(t, degrees) / 2;
  return t < 0 ? tail : 1 - tail;
}

/**
 * Quantile of Student's t: the x with P(T ≤ x) = `share`, by bisection on the tail, to 1e-12 of its size. Infinite degrees give the normal's.
 * @returns ∓Infinity at shares 0 and 1; NaN outside [0, 1] or where the degrees are not positive
 */
export function studentQuantile(share: number, degrees: number): number {
  if (!(degrees > 0)) return Number.NaN;
  const normal = normalQuantile(share);
  if (degrees >= NORMAL_FROM || !Number.isFinite(normal) || normal === 0) return normal;
  const tail = 2 * Math.min(share, 1 - share);
  // The tails of t are heavier than those of the normal, so its quantile lies further out.
  let low = Math.abs(normal);
  let high = 2 * low + 1;
  while (studentTail(high, degrees) > tail && high < 1e300) high *= 4;
  for (let round = 0; round < 200 && high - low > 1e-13 * high; round++) {
    const middle = (low + high) / 2;
    if (studentTail(middle, degrees) > tail) low = middle;
    else high = middle;
  }
  const size = (low + high) / 2;
  return normal < 0 ? -size : size;
}
