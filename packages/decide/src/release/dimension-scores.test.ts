import { describe, expect, it } from "vitest";
import type { Dimension } from "@trainwatch/core";
import { compareRelease } from "./compare-release.ts";
import type { MeasureInput } from "./contract.ts";
import { columnInput, measureOf, releaseInput } from "./release.fixture.ts";

function scoresOf(dimension: Dimension, ...columns: readonly (readonly MeasureInput[])[]) {
  const { dimensions } = compareRelease(releaseInput(columns.map((measures, place) => columnInput(place + 1, measures))));
  const own = dimensions.find((each) => each.dimension === dimension);
  return { rows: own?.rows, values: own?.scores.map((score) => score?.value ?? null), scores: own?.scores };
}

const acc = (task: string, value: number | null, more: Partial<MeasureInput> = {}): MeasureInput =>
  measureOf(task, "acc", value, { stderr: 0.01, ...more });

describe("the mean of a dimension", () => {
  it("takes each task alike, a task being the mean of its rows", () => {
    const { rows, values, scores } = scoresOf(
      "capability",
      [acc("a", 0.4), measureOf("a", "acc_norm", 0.6, { stderr: 0.01 }), acc("b", 0.9, { n: 50_000 })],
      [acc("a", 0.4), measureOf("a", "acc_norm", 0.4, { stderr: 0.01 }), acc("b", 0.9)],
    );
    expect(rows).toBe(3);
    expect(values?.[0]).toBeCloseTo((0.5 + 0.9) / 2, 12);
    expect(values?.[1]).toBeCloseTo((0.4 + 0.9) / 2, 12);
    // Rows of one task as if they moved together, tasks as independent.
    expect((scores?.[0]?.high ?? 0) - (scores?.[0]?.value ?? 0)).toBeCloseTo((1.959964 * Math.hypot(0.01, 0.01)) / 2, 6);
  });

  it("turns what is better lower, and reads per cents as shares", () => {
    const unsafe = (value: number): MeasureInput => measureOf("hb", "attack_success_rate", value, { stderr: 0.01 });
    expect(scoresOf("safety", [unsafe(0.1)], [unsafe(0.3)]).values).toEqual([expect.closeTo(0.9, 12), expect.closeTo(0.7, 12)]);
    const percent = (value: number): MeasureInput => acc("a", value, { unit: "%", stderr: 1 });
    expect(scoresOf("capability", [percent(40)], [percent(50)]).values).toEqual([expect.closeTo(0.4, 12), expect.closeTo(0.5, 12)]);
  });

  it("takes the rows that all columns have a value in, and never 0 for one that is missing", () => {
    const { rows, values } = scoresOf("capability", [acc("a", 0.4), acc("b", 0.8)], [acc("a", 0.5), acc("b", null)]);
    expect([rows, values]).toEqual([1, [expect.closeTo(0.4, 12), expect.closeTo(0.5, 12)]]);
    expect(scoresOf("capability", [acc("a", 0.4)], [acc("b", 0.5)])).toMatchObject({ rows: 0, values: [null, null] });
  });

  it("leaves out rows that may not be compared, until a person allows it", () => {
    const own = [acc("a", 0.4), acc("b", 0.8, { settings: { nShot: 5 } })];
    const other = [acc("a", 0.4), acc("b", 0.2, { settings: { nShot: 0 } })];
    expect(scoresOf("capability", own, other)).toMatchObject({ rows: 1, values: [0.4, 0.4] });
    const columns = [columnInput(1, own), columnInput(2, other)];
    const allowed = [{ rowKey: "b|acc|", scorecardId: 2 }];
    expect(compareRelease(releaseInput(columns, { allowed })).dimensions[0]?.scores[1]?.value).toBeCloseTo(0.3, 12);
  });

  it("leaves out what has no scale, or values that lie outside theirs", () => {
    const perplexity = measureOf("wiki", "ppl", 12, { stderr: 0.1 });
    expect(scoresOf("capability", [acc("a", 0.4), perplexity], [acc("a", 0.5), perplexity]).rows).toBe(1);
    // A source that prints per cents and does not say so.
    expect(scoresOf("capability", [acc("a", 0.4), acc("b", 62)], [acc("a", 0.5), acc("b", 65)])).toMatchObject({
      rows: 1,
      values: [0.4, 0.5],
    });
  });

  it("does not count the parts of a suite beside the suite", () => {
    const group = { subtasks: ["s_a", "s_b"], mean: "macro" } as const;
    const measures = [acc("s_a", 0.2), acc("s_b", 0.4), acc("s", 0.3, { group }), acc("z", 0.9)];
    expect(scoresOf("capability", measures, measures).values?.[0]).toBeCloseTo((0.3 + 0.9) / 2, 12);
  });

  it("has no interval where one of its errors is not known", () => {
    const measures = [acc("a", 0.4), measureOf("b", "f1", 0.5)];
    expect(scoresOf("capability", measures, measures).scores?.[0]).toMatchObject({ low: null, high: null });
  });

  it("is none for cost", () => {
    const cost = [measureOf("serving", "cost", 0.1, { stderr: 0.01 })];
    expect(scoresOf("cost", cost, cost).rows).toBeUndefined();
  });
});
