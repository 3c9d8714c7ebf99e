import type { Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { findingsOf, series, woven } from "../testing/series.fixture.ts";

const loss = series({ count: 300, level: () => 2 });
const norm = (infiniteAt: readonly number[], value = Number.POSITIVE_INFINITY): Sample[] =>
  series({ metric: "grad_norm", count: 300, sigma: 0.1, seed: 2, level: () => 1 }).map((sample) =>
    infiniteAt.includes(sample.step) ? { ...sample, value } : sample,
  );
const scale = (levels: readonly (readonly [from: number, value: number])[]): Sample[] =>
  series({ metric: "loss_scale", count: 300, sigma: 0, level: (index) => levels.filter(([from]) => from <= index).at(-1)?.[1] ?? 65_536 });
const nonFinite = (samples: readonly Sample[]) => findingsOf(samples).filter((finding) => finding.detector === "non-finite");

describe("fp16 loss scaling", () => {
  it("one infinite norm on a skipped step is a note, with the finite loss against it", () => {
    const [finding, ...others] = nonFinite(woven(loss, norm([150])));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: "info",
      state: "recovered",
      onsetStep: 150,
      endStep: 150,
      shape: "point",
      peakValue: "Infinity",
    });
    expect(finding?.evidence.some((item) => item.weight === "against" && item.text === "The loss stayed finite")).toBe(true);
  });

  it("a fall of the scale beside it says that the step was skipped", () => {
    const [finding] = nonFinite(
      woven(
        scale([
          [0, 65_536],
          [150, 32_768],
        ]),
        loss,
        norm([150]),
      ),
    );
    expect(finding).toMatchObject({ severity: "info" });
    expect(finding?.evidence.some((item) => /fp16 loss scaling skipped the step/.test(item.text))).toBe(true);
  });

  it.each([
    ["two in a row", [150, 151], "critical"],
    ["two within a hundred points", [150, 180], "warning"],
    ["two far apart", [100, 250], "info"],
  ] as const)("%s", (_name, steps, severity) => {
    expect(nonFinite(woven(loss, norm(steps))).map((finding) => finding.severity)).toContain(severity);
    if (severity === "info") expect(nonFinite(woven(loss, norm(steps)))).toHaveLength(2);
  });

  it("a scale at its floor pages on the first overflow", () => {
    expect(
      nonFinite(
        woven(
          scale([
            [0, 2],
            [150, 1],
          ]),
          loss,
          norm([150]),
        ),
      ),
    ).toMatchObject([{ severity: "critical" }]);
  });

  it.each([1, 0.5])("a scale that never moved from %f, as bf16 logs it, is no floor", (constant) => {
    const [finding, ...others] = nonFinite(woven(scale([[0, constant]]), loss, norm([150])));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: "info" });
    expect(finding?.evidence.map((item) => item.text)).not.toContainEqual(expect.stringMatching(/floor/));
  });

  it("the overflows with which a run begins are notes until there are too many in a row", () => {
    const first = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
    expect(nonFinite(woven(loss, norm(first(5))))).toMatchObject([{ severity: "info", state: "recovered" }]);
    expect(nonFinite(woven(loss, norm(first(9))))).toMatchObject([{ severity: "critical" }]);
  });
});

describe("losses and norms that are not finite", () => {
  const broken = (steps: readonly number[], value: number): Sample[] =>
    loss.map((sample) => (steps.includes(sample.step) ? { ...sample, value } : sample));

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("one loss of %f is a warning, two are critical", (value) => {
    expect(nonFinite(broken([100], value))).toMatchObject([{ severity: "warning", onsetStep: 100, state: "recovered" }]);
    expect(nonFinite(broken([100, 130], value))).toMatchObject([{ severity: "critical", onsetStep: 100, endStep: 130 }]);
  });

  it("a NaN norm is no overflow: a warning, and critical on two in a row", () => {
    expect(nonFinite(woven(loss, norm([100], Number.NaN)))).toMatchObject([{ severity: "warning" }]);
    expect(nonFinite(woven(loss, norm([100, 101], Number.NaN)))).toMatchObject([{ severity: "critical" }]);
  });

  it("a band that the log ends in is told of with its full count", () => {
    const ending = loss.map((sample) => (sample.step >= 250 ? { ...sample, value: Number.NaN } : sample));
    expect(nonFinite(ending).map((finding) => finding.summary)).toEqual(["Loss non-finite from step 250 to 299: 50 values, and still so."]);
  });

  it("the onset may lie anywhere after the last finite logged point", () => {
    const sparse = series({ count: 40, every: 50, level: () => 2 }).map((sample) =>
      sample.step >= 1_000 ? { ...sample, value: Number.NaN } : sample,
    );
    expect(nonFinite(sparse)).toMatchObject([{ onsetStep: 1_000, onsetLowerStep: 951 }]);
  });
});
