import { MAD_TO_SIGMA } from "./median.ts";

/** Complementary error function by Chebyshev fitting, relative error under 1.2e-7 everywhere. Press et al., Numerical Recipes, 6.2. */
export function complementaryErrorFunction(x: number): number {
  const z = Math.abs(x);
  const t = 1 / (1 + z / 2);
  const series =
    -1.26551223 +
    t *
      (1.00002368 +
        t *
          (0.37409196 +
            t *
              (0.09678418 +
                t * (-0.18628806 + t * (0.27886807 + t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277))))))));
  const tail = t * Math.exp(-z * z + series);
  return x >= 0 ? tail : 2 - tail;
}

/** Distribution function of the standard normal. */
export function normalCdf(x: number): number {
  return complementaryErrorFunction(-x / Math.SQRT2) / 2;
}

/** Third quartile of Student's t with four degrees of freedom: its median absolute deviation. */
const T4_MAD = 0.7406970841;

/**
 * Distribution function of Student's t with four degrees of freedom, scaled so that 1.4826 MAD is one: the planning null of detection.md B.4.
 * Closed form for ν = 4 (Shaw 2006): F(t) = 1/2 + 3/8 · s · (1 - s²/12), s = t / √(1 + t²/4).
 */
export function scaledT4Cdf(x: number): number {
  const t = x * T4_MAD * MAD_TO_SIGMA;
  const s = t / Math.sqrt(1 + (t * t) / 4);
  return 0.5 + 0.375 * s * (1 - (s * s) / 12);
}
