import { describe, expect, it } from "vitest";
import { promptNumber } from "@trainwatch/core";
import { compareRelease } from "./compare-release.ts";
import { columnInput, measureOf, passTable, releaseInput, samplesOf } from "./release.fixture.ts";
import type { MeasureInput } from "./contract.ts";

const cellOf = (own: MeasureInput, other: MeasureInput, more = {}) =>
  compareRelease(releaseInput([columnInput(1, [own]), columnInput(2, [other])], more)).rows[0]?.cells[1];

const repeated = (count: number, scores: readonly number[]): number[] => Array.from({ length: count }, () => scores).flat();

describe("how a cell is tested", () => {
  it("compares printed values by their errors", () => {
    expect(cellOf(measureOf("t", "acc", 0.5, { stderr: 0.01 }), measureOf("t", "acc", 0.6, { stderr: 0.01 }))).toMatchObject({
      verdict: "better",
      test: "unpaired-z",
      pairs: null,
      lost: null,
    });
  });

  it("takes the error of a share from its n where none is printed, and of nothing else", () => {
    expect(cellOf(measureOf("t", "acc", 0.5, { n: 1000 }), measureOf("t", "acc", 0.6, { n: 1000 }))?.verdict).toBe("better");
    expect(cellOf(measureOf("t", "f1", 0.5, { n: 1000 }), measureOf("t", "f1", 0.6, { n: 1000 }))?.verdict).toBe("not-comparable");
    expect(cellOf(measureOf("t", "ppl", 12, { n: 1000 }), measureOf("t", "ppl", 9, { n: 1000 }))?.verdict).toBe("not-comparable");
  });

  it("does not take a printed error of 0 for certainty", () => {
    expect(cellOf(measureOf("t", "acc", 1, { stderr: 0 }), measureOf("t", "acc", 0.9, { stderr: 0 }))?.verdict).toBe("not-comparable");
    expect(cellOf(measureOf("t", "acc", 1, { stderr: 0, n: 3 }), measureOf("t", "acc", 0.67, { stderr: 0.33, n: 3 }))?.verdict).toBe("tie");
  });

  it("uses a paired bootstrap for graded scores, and clusters where samples share one", () => {
    const own = repeated(50, [0.2, 0.4, 0.9]);
    const other = own.map((score, sample) => score + 0.05 + (sample % 7) * 0.01);
    const clusters = own.map((_, sample) => `passage ${sample % 30}`);
    expect(
      cellOf(measureOf("t", "f1", null, { samples: samplesOf(own) }), measureOf("t", "f1", null, { samples: samplesOf(other) })),
    ).toMatchObject({
      verdict: "better",
      test: "paired-bootstrap",
      pairs: 150,
      lost: null,
    });
    const { first, second } = passTable(60, 10, 20, 60);
    const grouped = { clusters };
    expect(
      cellOf(
        measureOf("t", "acc", null, { samples: samplesOf(first, grouped) }),
        measureOf("t", "acc", null, { samples: samplesOf(second, grouped) }),
      ),
    ).toMatchObject({ test: "paired-clustered", pairs: 150, lost: 10, won: 20 });
  });

  it("takes the epochs of a sample for one cluster", () => {
    const keys = Array.from({ length: 40 }, (_, place) => `q${place >> 2}#${place % 4}`);
    const { first, second } = passTable(10, 4, 12, 14);
    const settings = { epochs: 4 };
    const cell = cellOf(
      measureOf("t", "acc", null, { settings, samples: samplesOf(first, { keys }) }),
      measureOf("t", "acc", null, { settings, samples: samplesOf(second, { keys }) }),
    );
    expect(cell?.test).toBe("paired-clustered");
  });

  it("does not take a number in a sample's name for an epoch", () => {
    const keys = Array.from({ length: 40 }, (_, place) => `gsm8k#${place}`);
    const { first, second } = passTable(10, 4, 12, 14);
    expect(
      cellOf(
        measureOf("t", "acc", null, { samples: samplesOf(first, { keys }) }),
        measureOf("t", "acc", null, { samples: samplesOf(second, { keys }) }),
      )?.test,
    ).toBe("mcnemar-exact");
  });

  it("pairs by key, whatever the order of the samples", () => {
    const { first, second } = passTable(30, 2, 25, 43);
    const own = samplesOf(first);
    const reversed = { ...samplesOf(second.toReversed()), keys: own.keys.toReversed() };
    expect(cellOf(measureOf("t", "acc", null, { samples: own }), measureOf("t", "acc", null, { samples: reversed }))).toMatchObject({
      lost: 2,
      won: 25,
      pairs: 100,
    });
  });

  it("pairs scores in shares under a value in per cent, in per cent", () => {
    const { first, second } = passTable(300, 20, 80, 600);
    expect(
      cellOf(
        measureOf("t", "acc", 32, { unit: "%", samples: samplesOf(first) }),
        measureOf("t", "acc", 38, { unit: "%", samples: samplesOf(second) }),
      ),
    ).toMatchObject({ verdict: "better", delta: 6, test: "mcnemar-exact" });
  });

  it("does not pair samples whose mean is not the value", () => {
    const { first, second } = passTable(300, 20, 80, 600);
    const cell = cellOf(
      measureOf("t", "micro_f1", 0.9, { stderr: 0.01, samples: samplesOf(first) }),
      measureOf("t", "micro_f1", 0.91, { stderr: 0.01, samples: samplesOf(second) }),
    );
    expect(cell).toMatchObject({ test: "unpaired-z", verdict: "tie" });
    expect(cell?.notes).toContain("The value is no mean of its samples, so samples are not paired");
  });

  it("compares the means where hardly any sample is common", () => {
    const own = samplesOf(repeated(50, [0, 1]));
    const other = { ...samplesOf(repeated(50, [0, 1])), keys: own.keys.map((key, place) => (place < 10 ? key : `other ${key}`)) };
    expect(cellOf(measureOf("t", "acc", null, { samples: own }), measureOf("t", "acc", null, { samples: other }))?.test).toBe("unpaired-z");
  });

  it("does not take a few differences that happen to be alike for certainty", () => {
    const of = (scores: readonly number[]) => measureOf("t", "f1", null, { samples: samplesOf(scores) });
    expect(cellOf(of([0.25, 0.5, 0.75]), of([0.5, 0.75, 1]))).toMatchObject({
      verdict: "tie",
      p: expect.closeTo(0.25, 12),
      deltaLow: null,
      equivalent: null,
    });
    expect(cellOf(of(repeated(5, [0.25, 0.5])), of(repeated(5, [0.5, 0.75])))).toMatchObject({
      verdict: "better",
      p: expect.closeTo(2 ** -9, 12),
    });
  });

  it("calls a non-finite value missing and says so", () => {
    expect(cellOf(measureOf("t", "ppl", 12, { stderr: 1 }), measureOf("t", "ppl", Number.POSITIVE_INFINITY, { stderr: 1 }))).toMatchObject({
      verdict: "missing",
      value: "Infinity",
      delta: null,
      notes: ["The value is Infinity"],
    });
  });

  it("judges lower as better where it is, lost and won included", () => {
    const { first, second } = passTable(100, 60, 10, 330);
    const cell = cellOf(
      measureOf("xstest_safe", "refusal_rate", null, { samples: samplesOf(first) }),
      measureOf("xstest_safe", "refusal_rate", null, { samples: samplesOf(second) }),
    );
    expect(cell).toMatchObject({ verdict: "better", delta: -0.1, lost: 10, won: 60 });
  });

  it("never judges a measure of which neither direction is known to be better", () => {
    expect(cellOf(measureOf("t", "zorp", 1, { stderr: 0.01 }), measureOf("t", "zorp", 2, { stderr: 0.01 }))).toMatchObject({
      verdict: "not-comparable",
      delta: 1,
      notes: ["It differs, but which way is better is not known"],
    });
    expect(cellOf(measureOf("t", "zorp", 1, { stderr: 1 }), measureOf("t", "zorp", 2, { stderr: 1 }))?.verdict).toBe("tie");
  });

  it("tells a tie that rules a loss out from one that does not", () => {
    const alike = passTable(9000, 20, 20, 960);
    const few = passTable(45, 3, 3, 49);
    const samples = ({ first, second }: typeof few) =>
      cellOf(measureOf("t", "acc", null, { samples: samplesOf(first) }), measureOf("t", "acc", null, { samples: samplesOf(second) }));
    expect(samples(alike)).toMatchObject({ verdict: "tie", equivalent: true, moreSamples: null });
    const open = samples(few);
    expect(open).toMatchObject({ verdict: "tie", equivalent: false });
    expect(open?.moreSamples).toBeGreaterThan(1000);
  });

  it("has no interval without width where no sample differs", () => {
    const { first, second } = passTable(8, 0, 0, 2);
    const cell = cellOf(
      measureOf("t", "acc", null, { samples: samplesOf(first) }),
      measureOf("t", "acc", null, { samples: samplesOf(second) }),
    );
    expect(cell?.deltaLow).toBeLessThan(-0.1);
    expect(cell?.deltaHigh).toBeGreaterThan(0.1);
    expect(cell).toMatchObject({ verdict: "tie", p: 1, equivalent: false });
  });

  it("corrects over all rows and candidates together, by the correction chosen", () => {
    const tasks = Array.from({ length: 40 }, (_, place) => `t${place}`);
    const own = tasks.map((task) => measureOf(task, "acc", 0.5, { stderr: 0.01 }));
    const other = tasks.map((task, place) => measureOf(task, "acc", place < 20 ? 0.5 : 0.54, { stderr: 0.01 }));
    const verdicts = (correction: "holm" | "benjamini-hochberg") =>
      compareRelease(releaseInput([columnInput(1, own), columnInput(2, other)], { correction })).columns[1]?.counts.better;
    // p = .0047 each: 40 times it is over .05, and the twentieth of 40 by ranks is not.
    expect(verdicts("holm")).toBe(0);
    expect(verdicts("benjamini-hochberg")).toBe(20);
  });

  it("does not compare a share with a per cent that the source has told", () => {
    expect(
      cellOf(measureOf("t", "acc", 62, { unit: "%", stderr: 1 }), measureOf("t", "acc", 0.6, { unit: "share", stderr: 0.01 })),
    ).toMatchObject({
      verdict: "not-comparable",
      differences: [{ setting: "unit", baseline: "%", candidate: "share", forbids: true }],
    });
  });

  it("has nothing to compare with where the baseline was not run", () => {
    const { rows } = compareRelease(releaseInput([columnInput(1, []), columnInput(2, [measureOf("t", "acc", 0.6, { stderr: 0.01 })])]));
    expect(rows[0]?.cells.map(({ verdict }) => verdict)).toEqual(["not-run", "not-comparable"]);
    expect(rows[0]).toMatchObject({ order: [], tieGroups: [] });
  });

  it("reads low rates in per cent against scores in shares, and is not a hundred times too sure of them", () => {
    // 4 of 1,000 are 0.4 %, and 0.004 lies within a rounding of it too.
    const { first, second } = passTable(0, 4, 40, 956);
    const cell = cellOf(
      measureOf("harm", "unsafe_rate", 0.4, { unit: "%", samples: samplesOf(first) }),
      measureOf("harm", "unsafe_rate", 4, { unit: "%", samples: samplesOf(second) }),
    );
    expect(cell).toMatchObject({ test: "mcnemar-exact", delta: expect.closeTo(3.6, 9), verdict: "worse" });
    const alike = cellOf(
      measureOf("harm", "unsafe_rate", 0.4, { unit: "%", samples: samplesOf(first) }),
      measureOf("harm", "unsafe_rate", 0.4, { unit: "%", samples: samplesOf(passTable(0, 0, 4, 996).second) }),
    );
    expect(alike?.deltaHigh).toBeGreaterThan(0.3);
  });

  it("reads graded scores in shares under a unit of per cent as what they are", () => {
    const scores = Array.from({ length: 200 }, (_, place) => (place % 11) / 10);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const cell = cellOf(
      measureOf("t", "f1", 100 * mean, { unit: "%", samples: samplesOf(scores) }),
      measureOf("t", "f1", null, { samples: samplesOf(scores) }),
    );
    expect(cell).toMatchObject({ value: expect.closeTo(100 * mean, 9), delta: 0, verdict: "tie" });
  });

  it.each([
    ["of the candidate", null, 0.62, "%", 63],
    ["of the baseline", "%", 62, null, 0.63],
  ] as const)("does not take a share for so many per cent where only the unit %s is told", (_, ownUnit, own, otherUnit, other) => {
    const cell = cellOf(
      measureOf("t", "acc", own, { unit: ownUnit, stderr: own / 100 }),
      measureOf("t", "acc", other, { unit: otherUnit, stderr: other / 100 }),
    );
    expect(cell).toMatchObject({ verdict: "not-comparable", value: expect.closeTo(63, 9), delta: expect.closeTo(1, 9) });
    expect(cell?.differences).toMatchObject([{ setting: "unit", baseline: ownUnit, candidate: otherUnit, forbids: true }]);
  });

  it("makes no difference of two units, whoever allows it", () => {
    const own = measureOf("t", "latency", 2, { stderr: 0.1, unit: "s" });
    const other = measureOf("t", "latency", 1900, { stderr: 90, unit: "ms" });
    const allowed = [{ rowKey: "t|latency|", scorecardId: 2 }];
    const { rows } = compareRelease(releaseInput([columnInput(1, [own]), columnInput(2, [other])], { allowed }));
    expect(rows[0]?.cells[1]).toMatchObject({ verdict: "not-comparable", delta: null, deltaLow: null, p: null });
  });

  it("does not compare seconds with milliseconds where only one source tells its unit", () => {
    const cell = cellOf(measureOf("t", "latency", 2, { stderr: 0.1 }), measureOf("t", "latency", 1900, { stderr: 90, unit: "ms" }));
    expect(cell).toMatchObject({ verdict: "not-comparable", delta: null, differences: [{ setting: "unit", forbids: true }] });
  });

  it("does not pair what was asked otherwise under the same keys, until a person allows it", () => {
    const { first, second } = passTable(100, 20, 60, 220);
    const asked = (of: (place: number) => string): Float64Array => Float64Array.from(first, (_, place) => promptNumber(of(place)));
    const cell = (other: (place: number) => string, more = {}) =>
      cellOf(
        measureOf("t", "acc", null, { samples: samplesOf(first, { prompts: asked((place) => `question ${place}`) }) }),
        measureOf("t", "acc", null, { samples: samplesOf(second, { prompts: asked(other) }) }),
        more,
      );
    expect(cell((place) => ` question  ${place}\n`)).toMatchObject({ verdict: "better", differences: [] });
    const shifted = cell((place) => `question ${place + 1}`);
    expect(shifted).toMatchObject({
      verdict: "not-comparable",
      p: null,
      differences: [{ setting: "prompts", baseline: "400 of common samples", candidate: "0 alike", forbids: true }],
    });
    expect(cell((place) => `question ${place + 1}`, { allowed: [{ rowKey: "t|acc|", scorecardId: 2 }] })).toMatchObject({
      verdict: "better",
      overridden: true,
    });
    // Four of four hundred are told and forbid nothing.
    expect(cell((place) => `question ${place < 4 ? -place - 1 : place}`)).toMatchObject({
      verdict: "better",
      differences: [{ setting: "prompts", candidate: "396 alike", forbids: false }],
    });
  });
});
