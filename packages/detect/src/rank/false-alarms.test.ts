import { describe, expect, it } from "vitest";
import { DEVIATION_PARAMETERS } from "./deviation/rules.ts";
import { countAlarmsADay, sumAlarmsADay } from "./false-alarms.ts";
import { RARE_PARAMETERS } from "./rare/rare-faults.ts";
import { RANK_DETECTORS } from "./registry.ts";
import { TIME_PARAMETERS } from "./straggler/rules.ts";

/** detection.md L.2. */
const FLEET = { ranks: 16_384, metrics: 6 } as const;
const TICKETS_A_DAY = 0.1;
const PAGES_A_DAY = 0.02;

const valuesOf = (parameters: readonly { readonly name: string; readonly value: number }[]): Record<string, number> =>
  Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
const numberOf = (values: Record<string, number>, name: string): number => values[name] ?? Number.NaN;

const deviation = valuesOf(DEVIATION_PARAMETERS);
const time = valuesOf(TIME_PARAMETERS);
const rare = valuesOf(RARE_PARAMETERS);
/** Both signs. */
const deviationAlarms = (fast: string, slow: string, metrics: number): number => {
  const [clip, rate] = [numberOf(deviation, "clip"), numberOf(deviation, "offset_rate")];
  const alarms = (k: string, h: string): number =>
    2 * sumAlarmsADay({ k: numberOf(deviation, k), h: numberOf(deviation, h), clip }, { ...FLEET, metrics }, rate);
  return alarms("fast_k", fast) + alarms("slow_k", slow);
};
const timeAlarms = (metrics: number): number =>
  sumAlarmsADay(
    { k: numberOf(time, "k"), h: numberOf(time, "h"), clip: numberOf(time, "clip") },
    { ...FLEET, metrics },
    numberOf(time, "offset_rate"),
  );
const rareAlarms = (metrics: number): number => 2 * countAlarmsADay(numberOf(rare, "z"), numberOf(rare, "count"), { ...FLEET, metrics });

describe("false alarms a day over 16,384 ranks × 6 metrics of t4 noise, by the Markov chain", () => {
  it("two sums of both signs on all six metrics would raise fewer than 0.1 tickets", () => {
    expect(deviationAlarms("fast_h", "slow_h", 6)).toBeLessThan(TICKETS_A_DAY);
  });

  it("as shipped (two metrics deviate and jump, four are times) all rank detectors together raise fewer than 0.1 tickets", () => {
    expect(deviationAlarms("fast_h", "slow_h", 2) + rareAlarms(2) + timeAlarms(4)).toBeLessThan(TICKETS_A_DAY);
  });

  it("the page rule of silent errors pages fewer than 0.02 times, on all six metrics", () => {
    expect(deviationAlarms("fast_page", "slow_page", 6)).toBeLessThan(PAGES_A_DAY);
  });

  it("a second ticket by chance on a rank that had one within a week is no source of pages", () => {
    const tickets = deviationAlarms("fast_h", "slow_h", 6);
    expect((tickets * numberOf(deviation, "again") * tickets) / FLEET.ranks).toBeLessThan(PAGES_A_DAY / 1_000);
  });

  it("the h of detection.md B.4 would not do: four sums on each stream, their offsets learned, are not one sum of known offset", () => {
    const clip = numberOf(deviation, "clip");
    const fast = sumAlarmsADay({ k: 1, h: 18.5, clip }, FLEET, 0.002);
    const slow = sumAlarmsADay({ k: 0.5, h: 32.5, clip }, FLEET, 0.002);
    expect(2 * (fast + slow)).toBeGreaterThan(TICKETS_A_DAY);
  });

  it("no other rank detector decides by chance: they compare for equality, or with fixed ratios", () => {
    const decided = ["rank-deviation", "rank-rare-faults", "compute-straggler", "data-wait", "transfer-slow"];
    const exact = ["rank-non-finite", "replica-hash", "recompute-mismatch", "stage-slow", "sequence-imbalance", "expert-load"];
    expect(RANK_DETECTORS.map(({ id }) => id).sort()).toEqual([...decided, ...exact].sort());
  });
});
