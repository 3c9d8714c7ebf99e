import { stepTimeMap } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { stepTicks } from "./step-ticks.ts";

const first = { step: 1_000, timeMs: 0 };
const last = { step: 1_100, timeMs: 100_000 };
const times = { map: stepTimeMap([first, last]), first, last };

describe("the steps of a run on a time axis", () => {
  it("stand where they ended, as round numbers", () => {
    expect(stepTicks(times, { fromMs: 0, toMs: 100_000 }, 5)).toEqual([
      { atMs: 0, text: "1,000" },
      { atMs: 20_000, text: "1,020" },
      { atMs: 40_000, text: "1,040" },
      { atMs: 60_000, text: "1,060" },
      { atMs: 80_000, text: "1,080" },
      { atMs: 100_000, text: "1,100" },
    ]);
  });

  it("are those of the stretch that is shown, and none outside what is known", () => {
    const ticks = stepTicks(times, { fromMs: 90_000, toMs: 300_000 }, 2);
    expect(ticks.map(({ text }) => text)).toEqual(["1,090", "1,095", "1,100"]);
  });
});
