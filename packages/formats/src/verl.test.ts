import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect, series } from "./fixtures/collect.ts";
import { verl } from "./verl.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "fixtures/verl", name));

describe("verl console log", () => {
  const run = collect(verl, [fixture("ppo.log")]);

  it("is read through colours and Ray's prefix, under verl's own names", () => {
    expect(series(run, "critic/rewards/mean")).toEqual([
      [0, 0.41],
      [1, -0],
    ]);
    expect(series(run, "actor/lr(1e-4)")).toEqual([
      [0, 0.01],
      [1, 0.01],
    ]);
    expect(series(run, "test_score/openai/gsm8k")).toEqual([[0, 0.5]]);
  });

  it("B7: keeps nan and inf as values and unwraps numpy's", () => {
    expect(series(run, "actor/entropy_loss")[1]).toEqual([1, Number.NaN]);
    expect(series(run, "actor/grad_norm")[1]).toEqual([1, Number.POSITIVE_INFINITY]);
    expect(series(run, "actor/pg_loss")[1]).toEqual([1, 0.125]);
  });

  it("takes a sentence of the model that begins with step:1 for text", () => {
    expect(run.records.filter((record) => record.kind === "points")).toHaveLength(3);
    expect(run.issues).toEqual([]);
  });

  it("marks the start of Ray with its time", () => {
    expect(run.records.filter((record) => record.kind === "start")).toEqual([
      { kind: "start", line: 2, reason: "Ray was started", timeMs: Date.UTC(2031, 1, 3, 4, 5, 6, 100) },
    ]);
  });

  it("reads the SFT trainer's training and validation losses apart", () => {
    const sft = collect(verl, [fixture("sft.log")]);
    expect(series(sft, "train/loss")).toEqual([
      [0, 0.5],
      [1, 0.25],
    ]);
    expect(series(sft, "val/loss")).toEqual([[2, 0.375]]);
  });

  it("names a value that is no number, keeps the others, and names a step that cannot be read", () => {
    const out = collect(verl, [Buffer.from("step:1 - actor/pg_loss:abc - critic/kl:0.5\nstep:1e30 - critic/kl:0.5\n")]);
    expect(series(out, "critic/kl")).toEqual([[1, 0.5]]);
    expect(out.issues.map(({ line, code }) => [line, code])).toEqual([
      [1, "unreadable-value"],
      [2, "bad-step"],
    ]);
  });
});
