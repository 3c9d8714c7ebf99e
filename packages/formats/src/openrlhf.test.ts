import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalMetric } from "@trainwatch/core";
import { collect, series } from "./fixtures/collect.ts";
import { openrlhf } from "./openrlhf.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "fixtures/openrlhf", name));

describe("OpenRLHF console log", () => {
  const run = collect(openrlhf, [fixture("global-steps.log")], { timeZone: "UTC" });

  it("gives the status of each global step, with its time", () => {
    expect(series(run, "reward")).toEqual([
      [1, 0.25],
      [2, 0.5],
      [3, 0.625],
    ]);
    expect(run.records.find((record) => record.kind === "points")).toMatchObject({ step: 1, timeMs: Date.UTC(2031, 0, 2, 3, 5, 5) });
  });

  it("B7: keeps nan and unwraps tensors; what is no number is told; what a model wrote is no status", () => {
    expect(series(run, "policy_loss")[1]).toEqual([2, Number.NaN]);
    expect(series(run, "kl")[1]).toEqual([2, 0.002]);
    expect(run.records.filter((record) => record.kind === "points").map((record) => record.step)).toEqual([1, 2, 3]);
    expect(run.issues.map(({ line, code }) => [line, code])).toEqual([[4, "unreadable-value"]]);
  });

  it("comes in under the canonical names", () => {
    const names = run.records.flatMap((record) => (record.kind === "points" ? record.values.map(([name]) => canonicalMetric(name)) : []));
    for (const name of [
      "reward",
      "kl",
      "policy_loss",
      "value_loss",
      "response_length",
      "truncation_share",
      "clip_fraction",
      "rollout_mismatch_kl",
    ])
      expect(names).toContain(name);
    expect(names).toContain("return");
  });

  it("reads the progress bar where nothing else is printed: each status once, at the bar's last place", () => {
    const bars = collect(openrlhf, [fixture("bars.log")]);
    expect(series(bars, "reward")).toEqual([
      [1, 0.1],
      [2, 0.2],
      [3, 0.3],
    ]);
    expect(bars.issues).toEqual([]);
  });
});
