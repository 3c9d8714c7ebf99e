import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { laneValueAt } from "./sample.ts";
import { prepareStack, type StackInput } from "./stack.ts";
import { seriesWindow, type LineGiven, type WindowGiven } from "./window.fixture.ts";

const words = { axis: "step", zone: "UTC", nowMs: Date.UTC(2026, 2, 12, 3, 14) } as const;
const steps = (from: number, to: number, value: (step: number) => number = () => 2): LineGiven["points"] =>
  Array.from({ length: to - from + 1 }, (_, index) => [from + index, value(from + index)] as const);

function finding(given: Partial<Finding>): Finding {
  return {
    id: "f1",
    fingerprint: "p",
    detector: "loss-shift",
    version: 1,
    attempt: "a1",
    metric: "loss",
    subject: { kind: "run", id: "r" },
    severity: "critical",
    state: "shifted",
    onsetStep: 210,
    onsetLowerStep: 207,
    detectedStep: 216,
    peakStep: 221,
    endStep: null,
    onsetTimeMs: null,
    detectedTimeMs: null,
    shape: "jump",
    peakValue: 4.41,
    baselineValue: 1.842,
    levelShift: { value: 0.2312, standardError: 0.0104 },
    summary: "Loss shifted",
    evidence: [],
    endTimeMs: null,
    place: null,
    facts: [],
    ...given,
  };
}

function fail(): never {
  throw new Error("no lane");
}

function stack(window: WindowGiven, given: Partial<StackInput> = {}) {
  return prepareStack({
    window: seriesWindow(window),
    overlay: null,
    range: { from: null, to: null },
    widthPx: 800,
    words,
    smoothing: null,
    findings: [],
    attempts: [],
    checkpoints: [],
    notes: [],
    lanes: [
      { metric: "loss", scale: "linear", yMode: "robust", heightPx: 203 },
      { metric: "grad_norm", scale: "log", yMode: "robust", heightPx: 96 },
    ],
    ...given,
  });
}
const window = { lines: [{ points: steps(1, 327) }, { metric: "grad_norm", points: steps(1, 327, () => 0.24) }] };

describe("a stack of lanes", () => {
  it("has one x axis: the range that was asked for, else that of the answer", () => {
    expect(stack(window)).toMatchObject({ from: 1, to: 327, end: { text: "327" } });
    expect(stack(window, { range: { from: 100, to: 200 } })).toMatchObject({ from: 100, to: 200 });
    expect(stack({ lines: [] })).toBeNull();
  });

  it("draws the onset, its interval and the detection of what is going on", () => {
    const drawn = stack(window, { findings: [finding({})] });
    expect(drawn?.onsets).toEqual([
      { findingId: "f1", severity: "critical", current: true, x: 210, lowerX: 207, detectedX: 216, label: "onset 210, detected +6" },
    ]);
    expect(drawn?.facts[0]).toEqual(["baseline 1.842", "shift +0.23 ± 0.01"]);
  });

  it("D5: says of how many ranks a band is", () => {
    expect(stack({ lines: [{ members: 16, points: steps(1, 50) }] })?.facts[0]).toEqual(["min, mean, max of 16"]);
  });

  it("draws the run's own line with its ranks as a band without a line, and counts them in no number", () => {
    const own = { members: 1, points: steps(1, 100, () => 0.4) };
    const drawn = stack({ lines: [own], spreads: [{ members: 128, points: steps(60, 100, (step) => 1 + (step % 7)) }], buckets: 20 });
    const lane = drawn?.lanes[0];
    expect(lane?.totals).toMatchObject({ points: 100, min: 0.4, max: 0.4, last: 0.4 });
    const [spread, line] = lane?.lines ?? [];
    expect([spread?.role, spread?.trace, spread?.dots]).toEqual(["spread", [], []]);
    expect(spread?.band.some(({ range }) => range !== null && range[1] > 6)).toBe(true);
    expect(line?.role).toBe("effective");
    expect(new Set(line?.trace.map(({ y }) => y))).toEqual(new Set([0.4]));
    expect(drawn?.facts[0]).toContain("band: min to max of 128 ranks");
    expect(laneValueAt(lane ?? fail(), 80, true)?.mean).toBe(0.4);
  });

  it("keeps past faults grey and notes out of the lanes", () => {
    const drawn = stack(window, {
      findings: [
        finding({ id: "past", onsetStep: 50, state: "recovered" }),
        finding({ id: "note", onsetStep: 80, severity: "info", shape: "point" }),
        finding({ id: "back", onsetStep: 90, severity: "warning", state: "recovered" }),
      ],
    });
    expect(drawn?.onsets.map(({ findingId, current }) => [findingId, current])).toEqual([["past", false]]);
  });

  it("keeps a fault grey whose steps were rolled back, whatever its state", () => {
    const attempt = {
      parent: null,
      branchStep: null,
      firstStep: 1,
      lastStep: 327,
      origin: "first",
      question: null,
      startedAtMs: null,
      endedAtMs: null,
    } as const;
    const attempts = [
      { ...attempt, name: "a1", superseded: [{ fromStep: 201, toStep: 327 }] },
      { ...attempt, name: "a2", firstStep: 201, superseded: [] },
    ];
    expect(stack(window, { findings: [finding({})], attempts })?.onsets.map((mark) => mark.current)).toEqual([false]);
    expect(stack(window, { findings: [finding({ attempt: "a2" })], attempts })?.onsets.map((mark) => mark.current)).toEqual([true]);
  });

  it("says one onset once where several findings share it", () => {
    const drawn = stack(window, { findings: [finding({}), finding({ id: "f2", metric: "grad_norm" })] });
    expect(drawn?.onsets).toHaveLength(1);
  });

  it("leaves out an onset beyond the range", () => {
    expect(stack(window, { range: { from: 1, to: 100 }, findings: [finding({})] })?.onsets).toEqual([]);
  });

  it("shapes a value off scale by the finding that covers its step", () => {
    const spiky = {
      lines: [{ points: steps(1, 4_000, (step) => (step === 221 ? 9 : step === 3_000 ? 8 : 2 + 0.01 * Math.sin(step * 12.9898))) }],
      buckets: 256,
    };
    const drawn = stack(spiky, { findings: [finding({ endStep: 300 })] });
    expect(drawn?.lanes[0]?.offScale.map(({ step, severity }) => [step, severity])).toEqual([
      [221, "critical"],
      [3_000, null],
    ]);
  });

  it("places steps on the time axis through what the window knows", () => {
    const at = (step: number): number => 1_000_000 + step * 8_310;
    const timed = { axis: "time" as const, lines: [{ points: steps(1, 327).map(([step, value]) => [step, value, at(step)] as const) }] };
    const drawn = stack(timed, { words: { ...words, axis: "time" }, findings: [finding({})] });
    expect(drawn?.onsets[0]?.x).toBe(at(210));
    expect(drawn?.onsets[0]?.label).toContain("detected +6 steps");
  });

  it("A5: says how much of the data the picture holds, without a cliff at any count", () => {
    const text = (points: number): string | undefined => stack({ lines: [{ points: steps(1, points) }], buckets: 256 })?.badge.text;
    expect(text(200)).toBe("All 200 points drawn");
    expect(text(2_500)).toBe("Drawn 256 bins of 2,500 points");
    expect(text(2_501)).toBe("Drawn 256 bins of 2,501 points");
    const highest = (points: number): number | null | undefined =>
      stack({ lines: [{ points: steps(1, points, (step) => (step === 2 ? 9 : 2)) }], buckets: 256 })?.lanes[0]?.totals.max;
    expect([2_500, 2_501].map(highest)).toEqual([9, 9]);
  });

  it("tells in words what it shows", () => {
    const drawn = stack({ lines: [{ points: steps(1, 327, (step) => (step === 221 ? 4.41 : 2)) }] }, { findings: [finding({})] });
    expect(drawn?.summary).toBe(
      "Loss, 327 points; lowest 2.000 nats at step 1; highest 4.410 nats at step 221; newest 2.000 nats at step 327. Gradient norm: no data in this range. Marked: critical onset 210, detected +6.",
    );
  });

  it("draws a window of one step", () => {
    const drawn = stack({ lines: [{ points: [[0, 2.5]] }] });
    expect(drawn).toMatchObject({ from: -0.5, to: 0.5 });
    expect(drawn?.lanes[0]?.lines[0]?.dots).toEqual([{ x: 0, y: 2.5 }]);
  });
});
