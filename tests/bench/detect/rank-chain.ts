import { RANK_DETECTORS } from "@trainwatch/detect";
import { averageRunLength, scaledT4Cdf, type CusumDesign } from "@trainwatch/stats";

/** detection.md L.2: the planning case. */
const RANKS = 16_384;
const METRICS = 6;
const STEPS_A_DAY = 8_640;

export interface ChainLine extends Readonly<Record<string, string | number>> {
  readonly what: string;
  readonly k: number;
  readonly h: number;
  readonly "steps to a false alarm": string;
  readonly "false alarms a day": number;
  /** The same where each rank's standing offset is learned, and off by chance. */
  readonly "a day, offsets learned": number;
}

/** What the sums of rank-deviation do by themselves on the t4 null, exactly (Brook and Evans), both signs on every stream of 16,384 ranks × 6 metrics at steps of 10 s. */
export function rankChain(): readonly ChainLine[] {
  const parameter = (name: string): number => {
    const found = RANK_DETECTORS.find(({ id }) => id === "rank-deviation")?.parameters.find((one) => one.name === name);
    if (found === undefined) throw new Error(`rank-deviation has no ${name}`);
    return found.value;
  };
  const line = (what: string, k: string, h: string): ChainLine => {
    const design = { k: parameter(k), h: parameter(h), clip: parameter("clip") };
    const steps = averageRunLength(design, scaledT4Cdf);
    const aDay = (alarmsAStep: number): number => Number((2 * RANKS * METRICS * STEPS_A_DAY * alarmsAStep).toPrecision(2));
    return {
      what,
      k: design.k,
      h: design.h,
      "steps to a false alarm": steps.toExponential(1),
      "false alarms a day": aDay(1 / steps),
      "a day, offsets learned": aDay(overOffsets(design, parameter("offset_rate"))),
    };
  };
  return [
    line("ticket, fast sum", "fast_k", "fast_h"),
    line("ticket, slow sum", "slow_k", "slow_h"),
    line("page, fast sum", "fast_k", "fast_page"),
    line("page, slow sum", "slow_k", "slow_page"),
  ];
}

/** Nodes and weights of Gauss and Hermite for a normal of unit variance (Abramowitz & Stegun, table 25.10, n = 9, rescaled). */
const NODES = [
  [0, 0.406_349_206],
  [1.023_255_664, 0.244_097_503],
  [2.076_847_979, 0.049_916_407],
  [3.205_429_003, 0.002_789_141],
  [4.512_745_863, 0.000_022_346],
] as const;

/** Alarms a step, averaged over how far a learned offset is off: a moving average at this rate of scores clipped at ±clip. */
function overOffsets(design: CusumDesign, rate: number): number {
  const off = Math.sqrt((clippedVariance(design.clip) * rate) / (2 - rate));
  const at = (x: number): number => 1 / averageRunLength(design, (score) => scaledT4Cdf(score - x * off), 200);
  return NODES.reduce((sum, [x, weight]) => sum + weight * (x === 0 ? at(0) : at(x) + at(-x)), 0);
}

/** E min(x², clip²) of a t4 score, by Simpson's rule over P(|X| > x). */
function clippedVariance(clip: number): number {
  const cells = 400;
  const height = (x: number): number => 4 * x * (1 - scaledT4Cdf(x));
  const sum = Array.from(
    { length: cells + 1 },
    (_, cell) => (cell === 0 || cell === cells ? 1 : cell % 2 === 1 ? 4 : 2) * height((clip * cell) / cells),
  );
  return (sum.reduce((total, each) => total + each, 0) * clip) / cells / 3;
}

/** A day with learned offsets, of the tickets (pages among them) and of the pages. */
export function chainRates(lines: readonly ChainLine[]): { readonly alarms: number; readonly pages: number } {
  const sum = (word: string): number =>
    lines.filter(({ what }) => what.startsWith(word)).reduce((total, line) => total + line["a day, offsets learned"], 0);
  return { alarms: sum("ticket"), pages: sum("page") };
}
