import { describe, expect, it } from "vitest";
import { LINEAR, LOG } from "./scale.ts";
import { bandOf, traceOf } from "./trace.ts";
import { seriesWindow, type LineGiven } from "./window.fixture.ts";

function line(points: LineGiven["points"], buckets = 1024) {
  const [built] = seriesWindow({ lines: [{ points }], buckets }).lines;
  if (built === undefined) throw new Error("the fixture builds one line");
  return built;
}
const steps = (from: number, to: number, value: (step: number) => number, every = 1): LineGiven["points"] =>
  Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, index) => [from + index * every, value(from + index * every)] as const);

describe("the line of a lane", () => {
  it("B1: draws no line across NaN", () => {
    const { rows, isolated } = traceOf(
      line([[1, 2], [2, 2], ...steps(3, 502, () => Number.NaN), [503, 2], [504, 2]]),
      [...line([[1, 2], [2, 2], ...steps(3, 502, () => Number.NaN), [503, 2], [504, 2]]).mean],
      LINEAR,
      true,
    );
    const pieces = rows.map((row) => row.y);
    expect(pieces).toEqual([2, 2, null, 2, 2]);
    expect(isolated).toEqual([]);
  });

  it("B5: gives a point between two NaN a dot", () => {
    const lone = line([
      [1, Number.NaN],
      [2, 3.1],
      [3, Number.NaN],
    ]);
    const { isolated } = traceOf(lone, lone.mean, LINEAR, true);
    expect(isolated).toEqual([{ x: 2, y: 3.1 }]);
  });

  it("cuts the line after a bucket that holds a NaN beside good points", () => {
    const mixed = line(
      steps(0, 999, (step) => (step === 500 ? Number.NaN : 1)),
      10,
    );
    const { rows } = traceOf(mixed, mixed.mean, LINEAR, true);
    expect(rows.filter((row) => row.y === null)).toHaveLength(1);
  });

  it.each([
    ["every step", 1, 310],
    ["every tenth step", 10, 310],
    ["every 500th step", 500, 20_000],
  ])("breaks where points are missing in a run that logs %s", (_, every, missing) => {
    const whole = [
      ...steps(0, every * 200, () => 1, every),
      ...steps(every * 200 + missing, every * 200 + missing + every * 200, () => 1, every),
    ];
    const gappy = line(whole, 100_000);
    const { rows } = traceOf(gappy, gappy.mean, LINEAR, true);
    expect(rows.filter((row) => row.y === null)).toHaveLength(1);
  });

  it("does not take sparse logging for gaps", () => {
    for (const every of [1, 10, 500]) {
      const regular = line(steps(0, every * 300, () => 1, every));
      expect(traceOf(regular, regular.mean, LINEAR, true).rows.every((row) => row.y !== null)).toBe(true);
    }
  });

  it("leaves out of a log line what has no place on it", () => {
    const signed = line([
      [1, 1],
      [2, 0],
      [3, 10],
    ]);
    expect(traceOf(signed, signed.mean, LOG, true).rows.map((row) => row.y)).toEqual([0, null, 1]);
  });
});

describe("the band of a lane", () => {
  it("has both extremes at their exact steps", () => {
    const spiky = line(
      steps(0, 9_999, (step) => (step === 6_173 ? 9 : step === 2_001 ? -4 : 2 + (step % 2) * 0.1)),
      100,
    );
    const rows = bandOf(spiky, LINEAR, 0);
    expect(rows.find((row) => row.x === 6_173)?.range?.[1]).toBe(9);
    expect(rows.find((row) => row.x === 2_001)?.range?.[0]).toBe(-4);
    expect(Math.max(...rows.map((row) => row.range?.[1] ?? 0))).toBe(9);
  });

  it("is not drawn where every bucket holds one value", () => {
    expect(bandOf(line(steps(0, 100, (step) => step)), LINEAR, 0)).toEqual([]);
  });

  it("lies on the floor of a log axis where its lower edge is zero or below", () => {
    const signed = line(
      steps(0, 99, (step) => (step === 5 ? -1 : step === 6 ? 0 : 1 + (step % 3))),
      10,
    );
    const rows = bandOf(signed, LOG, -2);
    expect(Math.min(...rows.map((row) => row.range?.[0] ?? 0))).toBe(-2);
  });

  it("never has its edges crossed", () => {
    const wild = line(
      steps(0, 4_999, (step) => Math.sin(step * 78.233) * (step % 700 < 350 ? 10 : 1) + (step % 700 < 350 ? 20 : 0)),
      200,
    );
    expect(bandOf(wild, LINEAR, 0).filter((row) => row.range !== null && row.range[0] > row.range[1])).toEqual([]);
  });
});
