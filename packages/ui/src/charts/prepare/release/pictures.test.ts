import type { ParetoView, TrendView, WeightsView } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { paretoPicture } from "./pareto.ts";
import { trendPicture } from "./trend.ts";
import { winBar } from "./weights.ts";

const letterOf = (column: number): string => "PABC"[column] ?? "?";
const point = (column: number, quality: number, cost: number, onFront: boolean): ParetoView["points"][number] => ({
  column,
  quality,
  qualityLow: quality - 0.01,
  qualityHigh: quality + 0.01,
  cost,
  costLow: cost - 0.1,
  costHigh: cost + 0.1,
  onFront,
});
const PARETO: ParetoView = {
  costRow: "cost",
  costTitle: "Cost",
  costUnit: "¢",
  qualityTitle: "Task results",
  points: [point(0, 0.615, 3.1, false), point(1, 0.623, 3.05, false), point(2, 0.642, 2.88, true), point(3, 0.65, 3.6, true)],
};

describe("quality against cost", () => {
  it("puts better up and dearer to the right, with whiskers around the mark", () => {
    const picture = paretoPicture(PARETO, 312, 140);
    const [baseline, , best] = picture?.marks ?? [];
    if (baseline === undefined || best === undefined) throw new Error("marks are missing");
    expect(best.y).toBeLessThan(baseline.y);
    expect(best.x).toBeLessThan(baseline.x);
    expect(best.lowX).toBeLessThan(best.x);
    expect(best.lowY).toBeGreaterThan(best.y);
    expect(picture?.yTicks.every(({ text }) => Number(text) > 50 && Number(text) < 70)).toBe(true);
  });

  it("joins what nothing beats in both by steps", () => {
    expect(paretoPicture(PARETO, 312, 140)?.front.match(/[HV]/gu)?.join("")).toBe("VHVH");
  });

  it("keeps a single point, and draws nothing without one", () => {
    expect(paretoPicture({ ...PARETO, points: PARETO.points.slice(0, 1) }, 312, 140)?.marks).toHaveLength(1);
    expect(paretoPicture({ ...PARETO, points: [] }, 312, 140)).toBeNull();
  });
});

describe("the bar of winners", () => {
  const view: WeightsView = { dimensions: [], wins: [0.07, 0.12, 0.78, 0.03], draws: 10_000, along: [] };

  it("fills the whole width, the most frequent winner first, and writes only what fits", () => {
    const bar = winBar(view, letterOf, 312);
    expect(bar.map(({ label }) => label)).toEqual(["B 78 %", "A 12", "P", ""]);
    const last = bar.at(-1);
    expect((last?.xPx ?? 0) + (last?.widthPx ?? 0)).toBeCloseTo(312);
  });

  it("leaves out who never wins", () => {
    expect(winBar({ ...view, wins: [0, 1, 0, 0] }, letterOf, 312)).toHaveLength(1);
  });
});

describe("a trend", () => {
  const at = (step: number, value: number | null): TrendView["points"][number] => ({
    step,
    scorecardId: step,
    value,
    low: value === null ? null : value - 0.01,
    high: value === null ? null : value + 0.01,
  });
  const view: TrendView = {
    key: "k",
    title: "GSM8K",
    dimension: "capability",
    unit: "%",
    scale: 100,
    digits: 1,
    better: "higher",
    points: [at(100, 0.2), at(200, 0.4), at(300, null), at(400, 0.3)],
    peak: { step: 200, low: 200, high: 400, confidence: 0.95, isLast: false, method: "m", text: "t" },
    why: null,
  };

  it("breaks the line where a value is missing, and marks the best step with its interval", () => {
    const picture = trendPicture(view, 300, 120);
    expect(picture?.line.match(/[ML]/gu)?.join("")).toBe("MLM");
    expect(picture?.marks.filter(({ isPeak }) => isPeak).map(({ step }) => step)).toEqual([200]);
    expect(picture?.peak?.toX).toBeGreaterThan(picture?.peak?.fromX ?? Number.NaN);
    expect(picture?.yTicks.map(({ text }) => Number(text)).every((tick) => tick >= 10 && tick <= 50)).toBe(true);
  });

  it("draws one value, and nothing without any", () => {
    expect(trendPicture({ ...view, points: [at(100, 0.2)], peak: null }, 300, 120)?.marks).toHaveLength(1);
    expect(trendPicture({ ...view, points: [at(100, null)], peak: null }, 300, 120)).toBeNull();
  });
});
