import type { Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { findingsOf, series, woven } from "../testing/series.fixture.ts";

const times = (level: (index: number) => number, sigma = 0.01, seed = 1, count = 400): Sample[] =>
  series({ metric: "step_time", count, sigma, seed, level });
const slowOf = (samples: readonly Sample[]) =>
  findingsOf(samples).filter((finding) => finding.detector === "step-time" && finding.shape === "jump");

describe("slow steps", () => {
  it("20 % slower from step 200 to 260 is a warning that ends, with its size", () => {
    const [finding, ...others] = slowOf(times((index) => (index >= 200 && index < 260 ? 12 : 10)));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: "warning",
      state: "recovered",
      onsetStep: 200,
      detectedStep: 204,
      endStep: 259,
      baselineValue: expect.closeTo(10, 0),
    });
    expect(finding?.summary).toMatch(/^Steps became slow at 200: from \d+\.\d+ s to 1[12]\.\d s \(\+(19|20|21) %\), until step 259\.$/);
  });

  it("a pace that stays slow becomes the pace, and says by how much", () => {
    const [finding] = slowOf(times((index) => (index >= 100 ? 13 : 10), 0.01, 1, 600));
    expect(finding).toMatchObject({ state: "shifted" });
    expect(finding?.levelShift?.value).toBeCloseTo(3, 0);
  });

  it("a pace that came back after it had been slow for long enough to be the pace has recovered, and says since when", () => {
    const level = (index: number) => (index >= 200 && index < 1_800 ? 13 : 10);
    const [finding, ...others] = slowOf(times(level, 0.01, 1, 2_000));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ state: "recovered", severity: "warning", onsetStep: 200, endStep: 1_799, levelShift: null });
    expect(finding?.summary).toMatch(/, until step 1,799\.$/);
  });

  it("of two shifts, one on the other, each ends when the pace before it is back", () => {
    const level = (index: number) => [10, 13, 17, 13, 10][Math.floor(index / 600)] ?? 10;
    expect(slowOf(times(level, 0.01, 1, 3_000))).toMatchObject([
      { state: "recovered", onsetStep: 600, endStep: 2_399 },
      { state: "recovered", onsetStep: 1_200, endStep: 1_799 },
    ]);
  });

  it("a pace that comes back half of the way has not recovered", () => {
    const level = (index: number) => (index < 200 ? 10 : index < 1_000 ? 14 : 12);
    expect(slowOf(times(level, 0.01, 1, 1_600))).toMatchObject([{ state: "shifted" }]);
  });

  it("is what it was while it lasted: a throughput that fell and is back with the pace has not kept up", () => {
    for (const until of [260, 1_800]) {
      const level = (index: number) => (index >= 200 && index < until ? 13 : 10);
      const rate = series({ metric: "tokens_per_second", count: 2_000, sigma: 0.01, seed: 3, level: (index) => 1e7 / level(index) });
      const [finding] = slowOf(woven(rate, times(level, 0.01, 1, 2_000)));
      expect(finding).toMatchObject({ severity: "warning", state: "recovered", endStep: until - 1 });
      expect(finding?.evidence.map(({ text }) => text)).toContainEqual(
        expect.stringMatching(/^The throughput fell to 7\d % of its median$/),
      );
    }
  });

  it("is a note where the throughput has kept up: larger batches, longer sequences", () => {
    const rate = series({ metric: "tokens_per_second", count: 400, sigma: 0.01, seed: 3, level: () => 1e6 });
    expect(
      slowOf(
        woven(
          rate,
          times((index) => (index >= 200 ? 13 : 10)),
        ),
      ),
    ).toMatchObject([{ severity: "info" }]);
  });

  it.each([
    ["8 % slower", times((index) => (index >= 200 ? 10.8 : 10))],
    ["every tenth step twice as long", times((index) => (index % 10 === 0 ? 20 : 10))],
    ["a job whose steps scatter by a quarter", times(() => 10, 0.25)],
    ["three slow steps", times((index) => (index >= 200 && index < 203 ? 20 : 10))],
  ])("%s: no warning", (_name, samples) => {
    expect(slowOf(samples)).toEqual([]);
  });

  it("stays silent over 20,000 healthy steps", () => {
    for (let seed = 1; seed <= 10; seed++) expect(slowOf(times(() => 10, 0.03, seed, 2_000))).toEqual([]);
  });
});

describe("single long steps", () => {
  it("a restart that takes four times as long is a note at its exact step", () => {
    const [note, ...others] = findingsOf(times((index) => (index === 51 ? 40 : 10), 0.01, 1, 100));
    expect(others).toEqual([]);
    expect(note).toMatchObject({ severity: "info", state: "recovered", onsetStep: 51, peakStep: 51, endStep: 52, shape: "point" });
  });

  it("a third longer is none", () => {
    expect(findingsOf(times((index) => (index === 51 ? 13 : 10), 0.01, 1, 100))).toEqual([]);
  });
});
