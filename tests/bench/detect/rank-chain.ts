import { RANK_DETECTORS } from "@trainwatch/detect";
import { averageRunLength, scaledT4Cdf } from "@trainwatch/stats";

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
    return {
      what,
      k: design.k,
      h: design.h,
      "steps to a false alarm": steps.toExponential(1),
      "false alarms a day": Number(((2 * RANKS * METRICS * STEPS_A_DAY) / steps).toPrecision(2)),
    };
  };
  return [
    line("ticket, fast sum", "fast_k", "fast_h"),
    line("ticket, slow sum", "slow_k", "slow_h"),
    line("page, fast sum", "fast_k", "fast_page"),
    line("page, slow sum", "slow_k", "slow_page"),
  ];
}

/** A day, of the tickets (pages among them) and of the pages. */
export function chainRates(lines: readonly ChainLine[]): { readonly alarms: number; readonly pages: number } {
  const sum = (word: string): number =>
    lines.filter(({ what }) => what.startsWith(word)).reduce((total, line) => total + line["false alarms a day"], 0);
  return { alarms: sum("ticket"), pages: sum("page") };
}
