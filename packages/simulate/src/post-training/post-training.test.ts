import { evalRecordSchema, pushSchema } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { randomSource } from "../random.ts";
import { demoRelease } from "./demo-release.ts";
import { simulateEvaluation } from "./evaluations.ts";
import { createPrompts } from "./prompts.ts";
import { accuracyAt, klAt, rlPlan } from "./rl-plan.ts";
import { rlPushes } from "./rl-run.ts";

const NOW = Date.UTC(2026, 5, 1, 12);

describe("accuracyAt", () => {
  it("is best at the step that the plan says, and falls after it only where the run turns", () => {
    const plan = rlPlan({ seed: 1, startTimeMs: 0 });
    const best = Array.from({ length: plan.steps }, (_, index) => index + 1).reduce((held, step) =>
      accuracyAt(plan, step) > accuracyAt(plan, held) ? step : held,
    );
    expect(best).toBe(plan.peakStep);
    expect(accuracyAt(plan, best)).toBeCloseTo(plan.peakAccuracy, 9);
    expect(accuracyAt(plan, plan.steps)).toBeLessThan(plan.peakAccuracy - 0.05);
    expect(accuracyAt({ ...plan, turns: false }, plan.steps)).toBeCloseTo(plan.peakAccuracy, 9);
    expect(klAt(plan, plan.steps)).toBeGreaterThan(klAt(plan, plan.peakStep));
  });
});

describe("createPrompts", () => {
  it("gives two equal checkpoints outcomes that correlate with about 0.6", () => {
    const prompts = createPrompts(3, "task", 40_000);
    const [a, b] = [1, 2].map((seed) => prompts.passes(0.6, randomSource(seed)).map(Number));
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [left, right] = [a ?? [], b ?? []];
    const both = mean(left.map((value, index) => value * (right[index] ?? 0)));
    const correlation = (both - mean(left) * mean(right)) / Math.sqrt(mean(left) * (1 - mean(left)) * mean(right) * (1 - mean(right)));
    expect(mean(left)).toBeCloseTo(0.6, 1);
    expect(correlation).toBeGreaterThan(0.5);
    expect(correlation).toBeLessThan(0.7);
  });
});

describe("demoRelease", () => {
  const demo = demoRelease(7, NOW);

  it("sends pushes that the server takes, the last of which ends the run before now", () => {
    const pushes = [...rlPushes(demo.run)].map((push) => pushSchema.parse(push));
    expect(pushes.map(({ ended }) => ended)).toEqual([...pushes.slice(1).map(() => undefined), "finished"]);
    expect(Math.max(...pushes.flatMap(({ columns }) => columns.flatMap(({ time }) => time ?? [])).map(Number))).toBeLessThan(NOW);
    expect(pushes.flatMap(({ checkpoints }) => checkpoints.map(({ step }) => step)).at(-1)).toBe(demo.run.steps);
    expect([...rlPushes(demo.run)]).toEqual([...rlPushes(demoRelease(7, NOW).run)]);
  });

  it("evaluates every checkpoint on the same prompts, with records that the server takes", () => {
    const evaluations = [demo.baseline, ...demo.candidates].map((subject) =>
      [...simulateEvaluation(demo.seed, subject, demo.tasks)].map((record) => evalRecordSchema.parse(record)),
    );
    const keys = evaluations.map((records) => records.flatMap((record) => (record.kind === "sample" ? [record.key] : [])));
    expect(keys[1]).toEqual(keys[0]);
    // The last candidate was not run on one task: its samples are missing and not failed.
    expect(keys[3]?.length).toBe((keys[0]?.length ?? 0) - 400);
    const timesOf = (kind: "measure" | "sample") =>
      new Set(evaluations[1]?.flatMap((record) => (record.kind === kind ? [`${record.task} ${record.evaluatedAtMs}`] : [])));
    expect(timesOf("sample")).toEqual(timesOf("measure"));
    for (const records of evaluations) for (const record of records) if (record.kind === "measure") expect(record.value).toBeGreaterThan(0);
  });

  it("evaluates checkpoints that the run has saved", () => {
    for (const { step } of demo.candidates) expect((step ?? 1) % demo.run.checkpointEvery).toBe(0);
  });
});
