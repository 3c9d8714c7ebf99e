import type { Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { findingsOf, series, woven } from "../testing/series.fixture.ts";

const notesOf = (samples: readonly Sample[]) => findingsOf(samples).filter((finding) => finding.detector === "one-step-outlier");

describe("one-step outliers", () => {
  it.each([1, 10, 100, 500])("are notes at their exact step when each %ith step is logged", (every) => {
    const samples = series({ count: 500, every, sigma: 0.02, level: (index) => (index === 333 ? 3.6 : 2 + 3 * (1 + index) ** -0.5) });
    expect(notesOf(samples)).toMatchObject([
      { severity: "info", state: "recovered", onsetStep: 333 * every, peakStep: 333 * every, endStep: 334 * every, shape: "point" },
    ]);
  });

  it("last up to five logged points, told by the first and the highest", () => {
    const samples = series({ count: 500, sigma: 0.01, level: (index) => ({ 300: 2.4, 301: 3.4, 302: 2.8 })[index] ?? 2 });
    expect(notesOf(samples)).toMatchObject([{ onsetStep: 300, peakStep: 301, endStep: 303 }]);
  });

  it("are found among the first points of a short log, once enough has followed", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const samples = series({ count: 48, seed, sigma: 0.02, level: (index) => (index === 13 ? 3.1 : 1.3 + Math.exp(-index / 4)) });
      expect(notesOf(samples)).toMatchObject([{ onsetStep: 13, state: "recovered" }]);
    }
  });

  it("are not the high norms with which training begins", () => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(
        notesOf(series({ metric: "grad_norm", count: 120, seed, sigma: 0.2, level: (index) => 1 + 50 * Math.exp(-index / 3) })),
      ).toEqual([]);
    }
  });

  it("of the gradient norm say beside a loss outlier whether it moved with it", () => {
    const loss = series({ count: 400, sigma: 0.01, level: (index) => (index === 300 ? 3 : 2) });
    const norm = (high: number): Sample[] =>
      series({ metric: "grad_norm", count: 400, sigma: 0.1, seed: 4, level: (index) => (index === 300 ? high : 1) });
    const texts = (high: number): string =>
      notesOf(woven(norm(high), loss))
        .filter((note) => note.metric === "loss")
        .flatMap((note) => note.evidence.map((item) => `${item.weight} ${item.text}`))
        .join("\n");
    expect(texts(20)).toMatch(/for The gradient norm rose with it, to ×(19|2\d)/);
    expect(texts(1)).toMatch(/against The gradient norm did not move/);
  });

  it("a spike on which the log ends is not yet back", () => {
    expect(notesOf(series({ count: 200, sigma: 0.01, level: (index) => (index === 199 ? 3 : 2) }))).toMatchObject([
      { state: "ongoing", endStep: null, onsetStep: 199 },
    ]);
  });

  it("a rise that stays is none", () => {
    expect(notesOf(series({ count: 400, sigma: 0.01, level: (index) => (index >= 300 ? 3 : 2) }))).toEqual([]);
  });

  it("Gaussian noise has none in 40,000 points", () => {
    for (let seed = 1; seed <= 20; seed++) expect(notesOf(series({ count: 2_000, seed, sigma: 0.03, level: () => 2 }))).toEqual([]);
  });
});
