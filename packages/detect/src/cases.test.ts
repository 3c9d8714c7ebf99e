import type { Finding, Sample } from "@trainwatch/core";
import { normalDraw, seededRandom } from "@trainwatch/stats";
import { describe, expect, it } from "vitest";
import { alarmsOf, findingsOf, series, woven } from "./testing/series.fixture.ts";

const bare = (values: readonly number[], metric = "loss"): Sample[] => values.map((value, step) => ({ metric, step, timeMs: null, value }));
const by = (findings: readonly Finding[], detector: string, metric?: string): Finding[] =>
  findings.filter((finding) => finding.detector === detector && (metric === undefined || finding.metric === metric));

describe("B1: NaN must not look like a constant healthy line", () => {
  const samples = bare([2, ...Array.from({ length: 500 }, () => Number.NaN), 2]);

  it("B1: 2.0, 500 NaN, 2.0 is one critical finding, non-finite from step 1 to 500, with the count", () => {
    const findings = findingsOf(samples);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      detector: "non-finite",
      metric: "loss",
      severity: "critical",
      state: "non-finite",
      onsetStep: 1,
      endStep: 500,
      peakValue: "NaN",
      baselineValue: 2,
    });
    expect(findings[0]?.summary).toBe("Loss non-finite from step 1 to 500: 500 values, finite again since.");
  });

  it("B1: pages at the second NaN, not at the first and not after the band", () => {
    expect(alarmsOf(samples.slice(0, 2), false)).toMatchObject([{ severity: "warning" }]);
    expect(alarmsOf(samples.slice(0, 3), false)).toMatchObject([{ severity: "critical", endStep: null }]);
  });
});

describe("B2: a logger that replaces NaN makes a clean curve over a ruined run", () => {
  const loss = series({ count: 400, level: () => 2 });
  const norm = series({ metric: "grad_norm", count: 400, sigma: 0.1, seed: 2, level: () => 1 });
  const from = (start: number, samples: readonly Sample[], value: (index: number) => number): Sample[] =>
    samples.map((sample, index) => (index < start ? sample : { ...sample, value: value(index) }));

  it("B2: NaN and zero norms under a bit-identical loss warn of the logger, with both as evidence", () => {
    const [finding] = by(
      findingsOf(
        woven(
          from(200, loss, () => 1.9734),
          from(200, norm, (index) => (index % 2 === 0 ? Number.NaN : 0)),
        ),
      ),
      "logger-hides-nan",
    );
    expect(finding).toMatchObject({
      severity: "warning",
      state: "ongoing",
      onsetStep: 200,
      detectedStep: 204,
      subject: { kind: "logger" },
    });
    expect(finding?.summary).toMatch(/^The logger may hide NaN since step 200/);
    const reasons = finding?.evidence.filter((item) => item.weight === "for").map((item) => item.text) ?? [];
    expect(reasons.some((text) => /gradient norm was NaN or zero on 200 /.test(text))).toBe(true);
    expect(reasons.some((text) => /bit-identical on 200 /.test(text))).toBe(true);
  });

  it("B2: NaN norms under a smooth loss that still changes warn too", () => {
    expect(
      by(
        findingsOf(
          woven(
            loss,
            from(200, norm, () => Number.NaN),
          ),
        ),
        "logger-hides-nan",
      ),
    ).toMatchObject([{ severity: "warning", onsetStep: 200 }]);
  });

  it("B2: a trainer's own share of non-finite losses warns at once", () => {
    const counted = [...loss.slice(0, 100), { metric: "frac_non_finite_loss", step: 100, timeMs: null, value: 0.25 }];
    expect(by(findingsOf(counted), "logger-hides-nan")).toMatchObject([{ severity: "warning", onsetStep: 100 }]);
  });

  it.each([
    [
      "a norm column of zeros beside a changing loss",
      woven(
        loss,
        from(0, norm, () => 0),
      ),
    ],
    [
      "zero norms under a loss that still changes",
      woven(
        loss,
        from(200, norm, () => 0),
      ),
    ],
    [
      "a few NaN norms that pass",
      woven(
        loss,
        norm.map((sample, index) => (index % 50 === 0 ? { ...sample, value: Number.NaN } : sample)),
      ),
    ],
    ["a loss printed in bf16, which repeats by chance", from(0, loss, (index) => 1.65625 + Math.floor((index * 7919) % 11) / 128)],
  ])("B2: %s are not accused", (_name, samples) => {
    expect(by(findingsOf(samples), "logger-hides-nan")).toEqual([]);
  });

  it("B2: a frozen loss alone is a note, and says what is missing", () => {
    const [finding] = by(findingsOf(from(200, loss, () => 1.9734)), "logger-hides-nan");
    expect(finding).toMatchObject({ severity: "info", onsetStep: 200 });
    expect(finding?.evidence.some((item) => item.weight === "against" && /No broken gradient norm/.test(item.text))).toBe(true);
  });
});

describe("B5: a valid point between two NaN", () => {
  it("B5: NaN, 3.1, NaN is one band of two values that knows of the finite one within it", () => {
    const findings = findingsOf(bare([Number.NaN, 3.1, Number.NaN]));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ severity: "critical", state: "non-finite", onsetStep: 0, endStep: null });
    expect(findings[0]?.evidence.some((item) => item.weight === "against" && /1 finite value/.test(item.text))).toBe(true);
  });
});

describe("F7: the update norm rises before the loss", () => {
  const update = (seed: number): Sample[] =>
    series({ metric: "update_norm", count: 2_500, sigma: 0.1, seed: seed + 50, level: (index) => (index < 1_200 ? 0.02 : 0.1) });

  it.each([1, 2, 3, 4])("F7: update norm ×5 at 1,200 and loss at 1,230: the norm's onset is 1,200, the loss's 1,230 (seed %i)", (seed) => {
    const findings = findingsOf(woven(series({ count: 2_500, seed, level: (index) => (index < 1_230 ? 2 : 2.6) }), update(seed)));
    expect(by(findings, "grad-norm-shift", "update_norm")).toMatchObject([{ onsetStep: 1_200, shape: "jump" }]);
    expect(by(findings, "loss-shift")).toMatchObject([{ onsetStep: 1_230, severity: "critical", state: "diverged" }]);
  });

  it.each([1, 2, 3])("F7: 130 of 2,500 steps in spikes are one unstable regime, not 130 findings (seed %i)", (seed) => {
    const loss = series({ count: 2_500, seed, level: (index) => (index >= 1_230 && (index - 1_230) % 10 === 0 ? 2.6 : 2) });
    const alarms = alarmsOf(woven(loss, update(seed))).filter((finding) => finding.metric === "loss");
    expect(alarms).toHaveLength(1);
    expect(alarms[0]).toMatchObject({ detector: "unstable-regime", state: "ongoing", onsetStep: 1_230 });
    expect(findingsOf(loss).length).toBeLessThan(30);
  });

  it("F7: spikes of five steps each fold into one loss finding that counts its excursions", () => {
    const loss = series({ count: 2_500, seed: 5, level: (index) => (index >= 1_230 && (index - 1_230) % 50 < 5 ? 2.6 : 2) });
    const shifts = by(findingsOf(loss), "loss-shift");
    expect(shifts).toHaveLength(1);
    expect(shifts[0]).toMatchObject({ onsetStep: 1_230, state: "recovered" });
    expect(shifts[0]?.summary).toMatch(/2\d excursions since: an unstable regime/);
  });
});

describe("F8: a small spike and then another level", () => {
  /** 1.96 with a slow decay, 2.02 at step 500, melting to +0.015 with the given time constant. */
  function smallSpike(seed: number, tail: number, remainder: number): Sample[] {
    const random = seededRandom(seed);
    const level = (index: number): number => 1.96 - 2e-5 * index + (index < 500 ? 0 : remainder + 0.045 * Math.exp(-(index - 500) / tail));
    return bare(Array.from({ length: 1_000 }, (_, index) => level(index) + 0.008 * normalDraw(random)));
  }
  const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

  it.each([1, 5, 20])('F8: 1.96 to 2.02 to 1.975 is "recovered: no, +0.015 ± e" (tail of %i steps)', (tail) => {
    for (const seed of seeds) {
      const shifts = by(findingsOf(smallSpike(seed, tail, 0.015)), "loss-shift");
      expect(shifts).toHaveLength(1);
      expect(shifts[0]).toMatchObject({ state: "shifted", severity: "warning" });
      expect(shifts[0]?.summary).toMatch(/recovered: no, \+0\.0\d+ ± 0\.00\d+ nats\.$/);
      const shift = shifts[0]?.levelShift;
      expect(Math.abs((shift?.value ?? 0) - 0.015)).toBeLessThan(3.5 * (shift?.standardError ?? 0));
      expect(shift?.standardError).toBeLessThan(0.006);
      expect(Math.abs((shifts[0]?.onsetStep ?? 0) - 500)).toBeLessThanOrEqual(1);
    }
  });

  it("F8: the same spike that melts to nothing is recovered", () => {
    const states = seeds.flatMap((seed) => by(findingsOf(smallSpike(seed, 5, 0)), "loss-shift").map((finding) => finding.state));
    expect(states.filter((state) => state !== "recovered")).toEqual([]);
  });
});
