import { describe, expect, it } from "vitest";
import { prepareLane, type Lane, type LaneSpec } from "./lane.ts";
import { snapSample } from "./sample.ts";
import { laneSummary } from "./words.ts";
import { seriesWindow, type LineGiven, type WindowGiven } from "./window.fixture.ts";

interface LaneGiven extends WindowGiven {
  readonly spec?: Partial<LaneSpec>;
  readonly smoothing?: number;
  readonly widthPx?: number;
}

function lane({ spec, smoothing, widthPx = 800, ...given }: LaneGiven): Lane {
  const window = seriesWindow(given);
  return prepareLane({
    spec: { metric: "loss", scale: "linear", yMode: "robust", heightPx: 203, ...spec },
    window,
    overlay: null,
    smoothing: smoothing ?? null,
    xPerPx: ((window.to ?? 1) - (window.from ?? 0)) / widthPx,
    severityAt: () => null,
  });
}
const steps = (to: number, value: (step: number) => number): LineGiven["points"] =>
  Array.from({ length: to }, (_, index) => [index + 1, value(index + 1)] as const);
const highest = (drawn: Lane): number => Math.max(...drawn.lines.flatMap((line) => line.band.map((row) => row.range?.[1] ?? 0)));

describe("a lane", () => {
  it("A1: draws the one spike among a million points at 800 px, says its exact step, and still does after 100,000 more", () => {
    for (const length of [1_000_000, 1_100_000]) {
      const drawn = lane({ lines: [{ points: steps(length, (step) => (step === 617_283 ? 9 : 2)) }], buckets: 512 });
      expect(drawn.totals).toMatchObject({ points: length, max: 9, maxStep: 617_283 });
      expect(highest(drawn)).toBe(9);
      expect(drawn.lines[0]?.band.find((row) => row.range?.[1] === 9)?.x).toBe(617_283);
      const xPerPx = length / 800;
      // The pointer stands within two pixels of it, as a hand would.
      expect(snapSample(drawn, 617_283 + 2 * xPerPx, xPerPx)).toMatchObject({ step: 617_283, value: 9, of: "max" });
      expect(laneSummary(drawn)).toContain("highest 9.000 nats at step 617,283");
    }
  });

  it("A1: marks a spike that the robust range leaves out on the edge, with its step and value", () => {
    const drawn = lane({
      lines: [{ points: steps(100_000, (step) => (step === 61_728 ? 9 : 2 + 0.01 * Math.sin(step * 12.9898))) }],
      buckets: 512,
    });
    expect(drawn.offScale).toEqual([{ x: 61_728, step: 61_728, value: 9, edge: "top", severity: null }]);
    expect(drawn.domain?.high).toBeLessThan(3);
    const full = lane({
      lines: [{ points: steps(100_000, (step) => (step === 61_728 ? 9 : 2 + 0.01 * Math.sin(step * 12.9898))) }],
      buckets: 512,
      spec: { yMode: "full" },
    });
    expect(full.offScale).toEqual([]);
    expect(full.domain?.high).toBeGreaterThanOrEqual(9);
  });

  it("A4: takes its numbers from all points, not from what is drawn", () => {
    const drawn = lane({ lines: [{ points: steps(50_000, (step) => (step === 33_333 ? -3 : 2)) }], buckets: 256 });
    expect(drawn.totals).toMatchObject({ min: -3, minStep: 33_333, max: 2, last: 2, lastStep: 50_000 });
  });

  it("A6: shows the raw means under a smoothed line", () => {
    const given = { lines: [{ points: steps(300, (step) => (step === 150 ? 5 : 1)) }] };
    const plain = lane(given).lines[0];
    const smoothed = lane({ ...given, smoothing: 20 }).lines[0];
    expect(plain?.raw).toBeNull();
    expect(smoothed?.raw?.some((row) => row.x === 150 && (row.y ?? 0) > 1)).toBe(true);
    expect(Math.max(...(smoothed?.trace.map((row) => row.y ?? 0) ?? []))).toBeLessThan(2);
  });

  it("A8: draws the positive part on a log axis and counts what is hidden", () => {
    const drawn = lane({
      lines: [
        {
          points: [
            [1, 1],
            [2, 0],
            [3, -1],
            [4, 1e-8],
            [5, 10],
          ],
        },
      ],
      spec: { scale: "log" },
    });
    expect(drawn.hidden).toEqual({ zeros: 1, negatives: 1, text: "2 hidden: 1 zero, 1 negative", at: [2, 3] });
    expect(drawn.empty).toBeNull();
    expect(drawn.lines[0]?.dots.map((dot) => dot.x)).toEqual([1, 4, 5]);
    expect(drawn.domain?.low).toBeLessThanOrEqual(-8);
    expect(drawn.domain?.high).toBeGreaterThanOrEqual(1);
  });

  it("A8: symlog draws all five", () => {
    const drawn = lane({
      lines: [
        {
          points: [
            [1, 1],
            [2, 0],
            [3, -1],
            [4, 1e-8],
            [5, 10],
          ],
        },
      ],
      spec: { scale: "symlog" },
    });
    expect(drawn.lines[0]?.trace.filter((row) => row.y !== null)).toHaveLength(5);
    expect(drawn.hidden).toBeNull();
  });

  it("A8: says why a log lane without a positive value is empty", () => {
    const drawn = lane({
      lines: [
        {
          points: [
            [1, 0],
            [2, -1],
          ],
        },
      ],
      spec: { scale: "log" },
    });
    expect(drawn.empty).toBe("nothing positive to draw on a log axis, 2 hidden: 1 zero, 1 negative");
  });

  it("B1: shows NaN as a band with its count, and no line across", () => {
    const drawn = lane({ lines: [{ points: steps(502, (step) => (step === 1 || step === 502 ? 2 : Number.NaN)) }] });
    expect(drawn.nanBands).toEqual([{ from: 2, to: 501, count: 500, firstStep: 2, text: "NaN ×500" }]);
    expect(drawn.lines[0]?.trace.map((row) => row.y)).toEqual([2, null, 2]);
    expect(drawn.lines[0]?.dots.map((dot) => dot.x)).toEqual([1, 502]);
    expect(laneSummary(drawn)).toContain("500 values that are not finite");
  });

  it("B1: a lane of nothing but NaN is not empty silence", () => {
    const drawn = lane({ lines: [{ points: steps(10, () => Number.NaN) }] });
    expect(drawn.empty).toBe("not one finite value among 10 points");
    expect(drawn.nanBands[0]?.count).toBe(10);
  });

  it("B5: gives the point between two NaN a dot", () => {
    const drawn = lane({
      lines: [
        {
          points: [
            [1, Number.NaN],
            [2, 3.1],
            [3, Number.NaN],
          ],
        },
      ],
    });
    expect(drawn.lines[0]?.dots).toEqual([{ x: 2, y: 3.1 }]);
  });

  it("puts infinities on the edge where they go", () => {
    const drawn = lane({
      lines: [{ points: steps(50, (step) => (step === 20 ? Number.POSITIVE_INFINITY : step === 30 ? Number.NEGATIVE_INFINITY : 1)) }],
    });
    expect(drawn.infinities.map(({ x, edge, text }) => ({ x, edge, text }))).toEqual([
      { x: 20, edge: "top", text: "+Inf" },
      { x: 30, edge: "bottom", text: "−Inf" },
    ]);
  });

  it("draws what was rolled back beside what counts, out of the numbers and of the range", () => {
    const drawn = lane({
      lines: [
        { attempt: "a2", points: steps(400, (step) => 2 + 0.01 * Math.sin(step * 12.9898)) },
        { attempt: "a1", superseded: true, points: steps(400, (step) => (step < 300 ? 2 : step / 50)) },
      ],
    });
    expect(drawn.lines.map(({ role, endLabel }) => [role, endLabel?.text ?? null])).toEqual([
      ["effective", null],
      ["superseded", "a1, rolled back"],
    ]);
    expect(drawn.totals.max).toBeLessThan(2.1);
    expect(drawn.domain?.high).toBeLessThan(2.2);
    // It leaves the lane at the top, and a mark says how far it went.
    expect(drawn.offScale.map(({ step, value, edge }) => [step, value, edge])).toEqual([[400, 8, "top"]]);
  });

  it("tells several series of one metric apart and counts those that find no room", () => {
    const drawn = lane({
      lines: Array.from({ length: 11 }, (_, index) => ({ labels: { layer: String(index) }, points: steps(20, () => index) })),
    });
    expect(drawn.lines.map((line) => line.series)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(drawn.lines[0]?.endLabel?.text).toBe("layer=0");
    expect(drawn.seriesLeftOut).toBe(3);
  });

  it("writes ticks with the unit's prefix where values are large", () => {
    const drawn = lane({
      lines: [{ metric: "tokens_per_second", points: steps(100, (step) => 2.02e6 + 2e4 * Math.sin(step)) }],
      spec: { metric: "tokens_per_second", heightPx: 80 },
    });
    expect(drawn.prefix).toEqual({ divide: 1e6, word: "M" });
    expect(drawn.ticks.every((tick) => /^2\.0\d?$/.test(tick.text))).toBe(true);
  });

  it("says that there is no data instead of drawing an empty lane", () => {
    expect(lane({ lines: [{ points: steps(10, () => 1) }], spec: { metric: "grad_norm" } }).empty).toBe("no data in this range");
  });

  it("stays within its bounds whatever lies beyond them", () => {
    const drawn = lane({
      lines: [{ points: steps(5_000, (step) => (step % 977 === 0 ? 1e9 : 2 + 0.01 * Math.sin(step * 12.9898))) }],
      buckets: 256,
    });
    const { domain } = drawn;
    if (domain === null) throw new Error("the lane has values");
    for (const line of drawn.lines) {
      for (const row of line.trace) if (row.y !== null) expect(row.y).toBeLessThanOrEqual(domain.high);
      for (const row of line.band) if (row.range !== null) expect(row.range[1]).toBeLessThanOrEqual(domain.high);
    }
    expect(drawn.offScale).toHaveLength(5);
  });
});
