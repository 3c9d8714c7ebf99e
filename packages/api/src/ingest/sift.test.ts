import { describe, expect, it } from "vitest";
import { parsePush } from "./parse-push.ts";
import { siftPush } from "./sift.ts";

function sift(columns: unknown, series: unknown = [{ metric: "loss" }, { metric: "step_time" }]) {
  const push = parsePush({ source: "s", seq: 0, run: { project: "p", name: "r" }, series, columns });
  return siftPush(
    push,
    push.series.map(({ metric }) => metric),
  );
}

describe("siftPush", () => {
  it.each<[string, unknown, string, number]>([
    ["half a step", { series: 0, step: [1, 1.5], value: [1, 2] }, "bad-step", 1],
    ["a negative step", { series: 0, step: [-1, 2], value: [1, 2] }, "bad-step", 0],
    ["a step beyond what a double counts", { series: 0, step: [1, 2 ** 53], value: [1, 2] }, "bad-step", 1],
    ["a time before 1970", { series: 0, step: [1, 2], time: [-5, 5], value: [1, 2] }, "bad-time", 0],
    ["a time beyond the calendar", { series: 0, step: [1, 2], time: [5, 9e15], value: [1, 2] }, "bad-time", 1],
    ["a step that is null", { series: 0, step: [null, 2], value: [1, 2] }, "bad-step", 0],
    ["a step that is NaN", { series: 0, step: [1, "NaN"], value: [1, 2] }, "bad-step", 1],
    ["a step that is text", { series: 0, step: [1, "2"], value: [1, 2] }, "bad-step", 1],
    ["a step that is a list", { series: 0, step: [[1], 2], value: [1, 2] }, "bad-step", 0],
    ["an infinite step", { series: 0, step: [1, Infinity], value: [1, 2] }, "bad-step", 1],
    ["a time that is text", { series: 0, step: [1, 2], time: ["2026-01-01", 5], value: [1, 2] }, "bad-time", 0],
    ["a time that is NaN", { series: 0, step: [1, 2], time: [5, "NaN"], value: [1, 2] }, "bad-time", 1],
    ["a time that is text where there are no steps", { series: 0, time: ["now", 5], value: [1, 2] }, "bad-time", 0],
    ["a value that is text", { series: 0, step: [1, 2], value: [1, "high"] }, "bad-value", 1],
    ["a value that is a list", { series: 0, step: [1, 2], value: [[1], 2] }, "bad-value", 0],
    ["a value that is true", { series: 0, step: [1, 2], value: [true, 2] }, "bad-value", 0],
    ["neither step nor time of an entry", { series: 0, time: [5, null], value: [1, 2] }, "no-axis", 1],
    ["neither step nor time", { series: 0, value: [1, 2] }, "no-axis", 0],
    ["fewer steps than values", { series: 0, step: [1], value: [1, 2] }, "length-mismatch", 0],
    ["more times than values", { series: 0, step: [1, 2], time: [1, 2, 3], value: [1, 2] }, "length-mismatch", 0],
    ["a series that is not named", { series: 2, step: [1, 2], value: [1, 2] }, "unknown-series", 0],
    ["nonFinite on a value", { series: 0, step: [1, 2], value: [1, 2], nonFinite: [[1, "NaN"]] }, "bad-index", 1],
    ["a negative duration", { series: 1, step: [1, 2], value: [0.5, -0.5] }, "negative-duration", 1],
  ])("refuses %s, and nothing else of the push", (_name, column, code, index) => {
    const sifted = sift([column, { series: 0, step: [7], value: [7] }]);
    expect(sifted.refused).toMatchObject([{ code, index }]);
    const ofColumn = sifted.columns.reduce((sum, { value }) => sum + value.length, 0);
    expect(ofColumn + sifted.refusedTotal).toBe(3);
    expect(Array.from(sifted.columns.at(-1)?.value ?? [])).toEqual([7]);
  });

  it("counts missing values apart, and keeps places as they were sent", () => {
    const { columns, missing, refusedTotal } = sift([
      { series: 0, step: [1, 2, 3, 4], value: [null, 2, null, null], nonFinite: [[3, "NaN"]] },
    ]);
    expect([missing, refusedTotal]).toEqual([2, 0]);
    expect(Array.from(columns[0]?.places ?? [])).toEqual([1, 3]);
    expect(Array.from(columns[0]?.value ?? [])).toEqual([2, Number.NaN]);
  });

  it("lists a thousand refusals and counts all", () => {
    const { refused, refusedTotal } = sift([{ series: 0, step: new Array(1500).fill(0.5), value: new Array(1500).fill(1) }]);
    expect([refused.length, refusedTotal]).toEqual([1000, 1500]);
  });

  it("remarks on a clock that goes back and on seconds in place of milliseconds", () => {
    const { flagged } = sift([
      { series: 0, step: [1, 2, 3, 4], time: [5e12, 4e12, 6e12, 5e12], value: [1, 2, 3, 4] },
      { series: 1, step: [1], time: [1.7e9], value: [1] },
    ]);
    expect(flagged).toMatchObject([
      { series: 0, index: 1, code: "clock-back" },
      { series: 1, index: 0, code: "time-in-seconds" },
    ]);
  });

  it("takes any duration unit that a source declares", () => {
    const { refused } = sift([{ series: 0, step: [1], value: [-1] }], [{ metric: "data_load", unit: "ms" }]);
    expect(refused).toMatchObject([{ code: "negative-duration" }]);
  });
});
