/** Viridis by nine stops (Smith and van der Walt, 2015), perceptually even and safe for colour-blind readers. */
const STOPS = ["440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725"].map((hex): readonly number[] =>
  [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
);

/** Steps of a painted scale: more than an eye can tell apart. */
export const SCALE_STEPS = 128;

/** Colour at a share of the scale, 0 to 1; beyond it the end's. */
export function viridis(share: number): string {
  return mixed(STOPS, share);
}

/** Colour at a share along given stops, each as red, green and blue of 0 to 255. */
export function mixed(stops: readonly (readonly number[])[], share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const first = Math.min(stops.length - 2, Math.floor(at));
  const low = stops[first] ?? [0, 0, 0];
  const high = stops[first + 1] ?? low;
  const channel = (index: number): number => Math.round((low[index] ?? 0) + ((high[index] ?? 0) - (low[index] ?? 0)) * (at - first));
  return `rgb(${channel(0)},${channel(1)},${channel(2)})`;
}
