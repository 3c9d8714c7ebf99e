/**
 * Adjusted p of each of many tests (Benjamini & Hochberg 1995): of those with an adjusted p of at most 0.05, at most a twentieth are
 * expected to be chance. In the order given; equal p stay equal. A NaN (a test that could not be made) stays NaN and does not count as a test.
 */
export function benjaminiHochberg(ps: readonly number[]): readonly number[] {
  return stepUpOrDown(ps, (order, tests) => {
    const adjusted = new Float64Array(tests);
    let least = 1;
    for (let place = tests - 1; place >= 0; place--) {
      least = Math.min(least, (order[place]?.p ?? 1) * (tests / (place + 1)));
      adjusted[place] = least;
    }
    return adjusted;
  });
}

/**
 * Adjusted p of each of many tests (Holm 1979): the chance that any of those with an adjusted p of at most 0.05 is wrong is at most 0.05,
 * however the tests hang together. In the order given; equal p stay equal. A NaN (a test that could not be made) stays NaN and does not count
 * as a test.
 */
export function holmAdjust(ps: readonly number[]): readonly number[] {
  return stepUpOrDown(ps, (order, tests) => {
    const adjusted = new Float64Array(tests);
    let most = 0;
    for (let place = 0; place < tests; place++) {
      most = Math.min(1, Math.max(most, (order[place]?.p ?? 1) * (tests - place)));
      adjusted[place] = most;
    }
    return adjusted;
  });
}

interface Ranked {
  readonly p: number;
  readonly index: number;
}

function stepUpOrDown(
  ps: readonly number[],
  adjust: (ascending: readonly Ranked[], tests: number) => ArrayLike<number>,
): readonly number[] {
  const ascending = ps
    .map((p, index) => ({ p, index }))
    .filter(({ p }) => !Number.isNaN(p))
    .sort((a, b) => a.p - b.p);
  const values = adjust(ascending, ascending.length);
  const adjusted = Array.from({ length: ps.length }, () => Number.NaN);
  ascending.forEach(({ index }, place) => {
    adjusted[index] = values[place] ?? Number.NaN;
  });
  return adjusted;
}
