/**
 * The value of `ys` at `x` on straight lines through known pairs; before the first and after the last pair as between the two at that end.
 * Undefined where no pair is known. Of several pairs with one x the last counts.
 * @param xs rising, as long as `ys`
 */
export function interpolate(xs: readonly number[], ys: readonly number[], x: number): number | undefined {
  let low = 0;
  let high = xs.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((xs[middle] ?? Number.POSITIVE_INFINITY) <= x) low = middle;
    else high = middle;
  }
  const [x0, y0, x1, y1] = [xs[low], ys[low], xs[high], ys[high]];
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return undefined;
  // Met exactly, a pair is given as it is, without the rounding of the line.
  if (x === x1 || x1 === x0) return y1;
  return y0 + ((x - x0) * (y1 - y0)) / (x1 - x0);
}

/** As {@link interpolate}, but undefined before the first pair and after the last. */
export function interpolateWithin(xs: readonly number[], ys: readonly number[], x: number): number | undefined {
  const first = xs[0];
  const last = xs.at(-1);
  return first === undefined || last === undefined || !(x >= first && x <= last) ? undefined : interpolate(xs, ys, x);
}
