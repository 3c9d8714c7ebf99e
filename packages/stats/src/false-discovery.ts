/**
 * Adjusted p of each of many tests (Benjamini & Hochberg 1995): of those with an adjusted p of at most 0.05, at most a twentieth are
 * expected to be chance. In the order given; equal p stay equal.
 */
export function benjaminiHochberg(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => b.p - a.p);
  const adjusted = Array.from({ length: ps.length }, () => 1);
  let least = 1;
  order.forEach(({ p, index }, place) => {
    least = Math.min(least, (p * ps.length) / (ps.length - place));
    adjusted[index] = least;
  });
  return adjusted;
}
