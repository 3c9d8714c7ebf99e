import type { Sample } from "@trainwatch/core";
import { normalDraw, seededRandom, studentDraw } from "@trainwatch/stats";
import { describe, expect, it } from "vitest";
import { createMonitor } from "../index.ts";
import { CONTEXT, alarmsOf, findingsOf, series, woven } from "../testing/series.fixture.ts";

const SIGMA = 0.02;
type Noise = (random: () => number) => () => number;
const white: Noise = (random) => () => normalDraw(random);
const student: Noise = (random) => () => studentDraw(random, 4) / 1.098;
const autoregressive =
  (rho: number): Noise =>
  (random) => {
    let state = 0;
    return () => (state = rho * state + Math.sqrt(1 - rho * rho) * normalDraw(random));
  };

/** `runs` healthy runs of 2,000 points each about a level, values printed on a grid if given. */
function alarmsOnNull(runs: number, noise: Noise, level: (index: number) => number, grid = 0): number {
  let alarms = 0;
  for (let run = 0; run < runs; run++) {
    const draw = noise(seededRandom(1000 + run));
    const samples: Sample[] = Array.from({ length: 2_000 }, (_, step) => {
      const value = level(step) * Math.exp(SIGMA * draw());
      return { metric: "loss", step, timeMs: null, value: grid === 0 ? value : Math.round(value / grid) * grid };
    });
    alarms += alarmsOf(samples).length;
  }
  return alarms;
}

const flat = (): number => 2.5;
const falling = (index: number): number => 2 + 9 * (1 + index) ** -0.3;
/** Cosine decay to a tenth after a warm-up, with the loss following. */
const scheduled = (index: number): number => 2.2 + 8 * Math.exp(-index / 40) + 0.4 * (1 + Math.cos((Math.PI * index) / 2_000));

describe("on healthy runs", () => {
  it.each([
    ["Gaussian noise", white, flat, 0],
    ["heavy-tailed noise (t4)", student, flat, 0],
    ["a falling loss", white, falling, 0],
    ["a falling loss with heavy tails", student, falling, 0],
    ["a loss under a schedule", white, scheduled, 0],
    ["a loss printed in bf16 (1/64 between 2 and 4)", white, flat, 1 / 64],
    ["a loss printed with two digits", white, falling, 0.01],
  ])("%s: no alarm in 40,000 points", (_name, noise, level, grid) => {
    expect(alarmsOnNull(20, noise, level, grid)).toBe(0);
  });

  it("noise that neighbours share: AR(1) 0.5 never, AR(1) 0.9 at most twice in 40,000 points", () => {
    expect(alarmsOnNull(20, autoregressive(0.5), flat)).toBe(0);
    expect(alarmsOnNull(20, autoregressive(0.9), flat)).toBeLessThanOrEqual(2);
  });

  it.each([1, 10, 50, 500])("logged each %i steps, from the first step on: nothing", (every) => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(alarmsOf(series({ count: 400, every, seed, sigma: SIGMA, level: (index) => 2 + 9 * (1 + index * every) ** -0.3 }))).toEqual(
        [],
      );
    }
  });

  it.each([30, 50, 100, 200])("logs of %i points from the start of training: nothing", (count) => {
    for (let seed = 1; seed <= 20; seed++) {
      expect(alarmsOf(series({ count, seed, sigma: SIGMA, level: (index) => 2.4 + 6 * Math.exp(-index / 9) }))).toEqual([]);
    }
  });

  it("a learning-rate warm-up with its plateau and fall: nothing", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const loss = series({ count: 1_200, seed, sigma: SIGMA, level: (index) => 2.5 + 8.5 / (1 + Math.exp((index - 250) / 60)) });
      const rate = series({ metric: "learning_rate", count: 1_200, sigma: 0, level: (index) => Math.min(1, (index + 1) / 400) * 3e-4 });
      expect(alarmsOf(woven(rate, loss))).toEqual([]);
    }
  });
});

describe("on injected shifts", () => {
  /** Delay in logged points until the alarm; Infinity if none within 200. */
  function delay(size: number, seed: number, every = 1): number {
    const at = 600;
    const samples = series({ count: 900, every, seed, sigma: SIGMA, level: (index) => 2.5 * (index < at ? 1 : Math.exp(size * SIGMA)) });
    const monitor = createMonitor(CONTEXT);
    for (const [index, sample] of samples.entries()) {
      if (monitor.observe([sample]).some((finding) => finding.detector === "loss-shift"))
        return index < at ? Number.NEGATIVE_INFINITY : index - at + 1;
    }
    return Number.POSITIVE_INFINITY;
  }
  const middle = (size: number, every?: number): number =>
    Array.from({ length: 31 }, (_, seed) => delay(size, seed + 1, every)).sort((a, b) => a - b)[15] ?? Number.NaN;

  it("finds 5 sigma in 4 points and 3 sigma in 8, at the median", () => {
    expect(middle(5)).toBeLessThanOrEqual(4);
    expect(middle(3)).toBeLessThanOrEqual(8);
  });

  it.each([10, 50, 500])("takes the same number of logged points when each %ith step is logged", (every) => {
    expect(middle(5, every)).toBe(middle(5));
  });

  it("dates the onset back: a jump of 5 sigma within one point in nine of ten runs, its lower end never after it", () => {
    const errors = Array.from({ length: 30 }, (_, index) => {
      const [finding] = alarmsOf(
        series({ count: 900, every: 10, seed: index + 1, sigma: SIGMA, level: (at) => 2.5 * (at < 600 ? 1 : Math.exp(5 * SIGMA)) }),
      );
      expect(finding?.onsetLowerStep).toBeLessThanOrEqual(6_000);
      expect(finding?.onsetLowerStep).toBeGreaterThan(5_000);
      return Math.abs((finding?.onsetStep ?? 0) - 6_000);
    });
    expect(errors.filter((error) => error <= 10).length).toBeGreaterThanOrEqual(27);
    expect(Math.max(...errors)).toBeLessThanOrEqual(100);
  });

  it("the lower end of a ramp's onset lies before the ramp in at least 95 % of runs", () => {
    const runs = Array.from({ length: 60 }, (_, index) => index + 1);
    const early = runs.filter((seed) => {
      const [finding] = alarmsOf(
        series({ count: 900, seed, sigma: SIGMA, level: (index) => 2.5 * Math.exp(SIGMA * 0.1 * Math.max(0, index - 600)) }),
      );
      return finding !== undefined && (finding.onsetLowerStep ?? Number.POSITIVE_INFINITY) <= 601;
    });
    expect(early.length).toBeGreaterThanOrEqual(57);
  });

  it("in a log of 60 points a rise of half the loss at the 40th is found", () => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(alarmsOf(series({ count: 60, seed, sigma: SIGMA, level: (index) => (index < 40 ? 2.5 : 3.75) }))).toMatchObject([
        { detector: "loss-shift", onsetStep: 40 },
      ]);
    }
  });
});

describe("how an excursion is told of", () => {
  const blowUp = (index: number): number => (index < 600 ? 2.5 : 7.5);

  it("is a warning first and critical once it has not come back for 300 steps and 24 points", () => {
    const samples = series({ count: 1_000, sigma: SIGMA, level: blowUp });
    expect(alarmsOf(samples.slice(0, 700), false)).toMatchObject([{ severity: "warning", state: "ongoing", endStep: null }]);
    expect(alarmsOf(samples, false)).toMatchObject([{ severity: "critical", state: "diverged", endStep: null, onsetStep: 600 }]);
  });

  it("keeps its id while it grows, and a later one gets another", () => {
    const samples = series({
      count: 3_000,
      sigma: SIGMA,
      level: (index) => ((index >= 600 && index < 640) || (index >= 2_000 && index < 2_040) ? 3.5 : 2.5),
    });
    const monitor = createMonitor(CONTEXT);
    const ids = new Set(
      samples
        .flatMap((sample) => monitor.observe([sample]))
        .filter((finding) => finding.detector === "loss-shift")
        .map((finding) => finding.id),
    );
    expect(ids.size).toBe(2);
    const alarms = alarmsOf(samples);
    expect(alarms).toMatchObject([
      { state: "recovered", onsetStep: 600 },
      { state: "recovered", onsetStep: 2_000 },
    ]);
    for (const finding of alarms) expect(Math.abs((finding.endStep ?? 0) - ((finding.onsetStep ?? 0) + 39))).toBeLessThanOrEqual(4);
  });

  it("pages at once when the gradient norm is at ten times its median and the loss rises (BLOOM-176B's spike)", () => {
    const loss = series({ count: 620, sigma: 0.005, level: (index) => 2.2 * (index < 600 ? 1 : 1 + 0.15 * (index - 599)) });
    const norm = series({
      metric: "grad_norm",
      count: 620,
      sigma: 0.1,
      seed: 8,
      level: (index) => (index < 596 ? 0.24 : 0.24 * 4 ** Math.min(6, index - 595)),
    });
    const [finding] = alarmsOf(
      woven(norm, loss).filter((sample) => sample.step <= 604),
      false,
    ).filter((one) => one.detector === "loss-shift");
    expect(finding).toMatchObject({ severity: "critical", state: "ongoing" });
    expect(
      finding?.evidence
        .filter((item) => item.weight === "for")
        .map((item) => item.text)
        .join(),
    ).toMatch(/gradient norm was high before, from step 59\d on/);
  });

  it("names what speaks against it: a norm that did not move, a learning rate changed just before", () => {
    const loss = series({ count: 700, sigma: SIGMA, level: (index) => (index < 600 ? 2.5 : 2.9) });
    const norm = series({ metric: "grad_norm", count: 700, sigma: 0.05, seed: 2, level: () => 1 });
    const rate = series({ metric: "learning_rate", count: 700, sigma: 0, level: (index) => (index < 590 ? 1e-4 : 3e-4) });
    const finding = alarmsOf(woven(rate, loss, norm)).find(({ detector }) => detector === "loss-shift");
    const against =
      finding?.evidence
        .filter((item) => item.weight === "against")
        .map((item) => item.text)
        .join("\n") ?? "";
    expect(against).toMatch(/gradient norm did not move/);
    expect(against).toMatch(/learning rate changed from 0\.0001\d* to 0\.0003\d* 10 steps before/);
  });

  it("a rise below one per cent is a note", () => {
    const found = findingsOf(series({ count: 900, sigma: 0.0005, level: (index) => (index < 600 ? 2.5 : 2.51) }));
    expect(found).toMatchObject([{ detector: "loss-shift", severity: "info" }]);
  });

  it("one outlier never raises it, however large", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const found = findingsOf(series({ count: 900, seed, sigma: SIGMA, level: (index) => (index === 600 ? 250 : 2.5) }));
      expect(found).toMatchObject([{ detector: "one-step-outlier", severity: "info", onsetStep: 600, peakStep: 600, state: "recovered" }]);
    }
  });

  it("a loss at or below zero (RL) is judged on its linear residual", () => {
    const random = seededRandom(5);
    const samples: Sample[] = Array.from({ length: 500 }, (_, step) => ({
      metric: "loss",
      step,
      timeMs: null,
      value: (step < 300 ? 0.01 : 1.5) + 0.05 * normalDraw(random),
    }));
    expect(alarmsOf(samples)).toMatchObject([{ detector: "loss-shift", onsetStep: 300 }]);
    expect(alarmsOf(samples.slice(0, 300))).toEqual([]);
  });

  it("a log too short for any baseline says so", () => {
    const monitor = createMonitor(CONTEXT);
    monitor.observe(series({ count: 12, level: () => 2 }));
    monitor.finish();
    expect(monitor.coverage().find((entry) => entry.detector === "loss-shift")).toEqual({
      detector: "loss-shift",
      sees: false,
      why: "too short: 12 points of loss, a baseline needs 18",
    });
  });

  it("one absurd step does not blind it to what comes later", () => {
    const samples = series({ count: 900, sigma: SIGMA, level: (index) => (index < 600 ? 2.5 : 5) });
    const far = [...samples.slice(0, 200), { metric: "loss", step: 1_000_000_000, timeMs: null, value: 2.5 }, ...samples.slice(200)];
    expect(alarmsOf(far)).toMatchObject([{ detector: "loss-shift", onsetStep: 600 }]);
  });
});
