import { describe, expect, it } from "vitest";
import { stepOfText } from "./step-of-text.ts";

describe("the step that a text says", () => {
  it.each([
    ["step1800", 1800],
    ["step_1800", 1800],
    ["step-1800", 1800],
    ["step=1800", 1800],
    ["Step 1800", 1800],
    ["checkpoint-1800", 1800],
    ["ckpt_1800", 1800],
    ["global_step1800", 1800],
    ["global_step_1800", 1800],
    ["global-step-1800", 1800],
    ["iter_0001800", 1800],
    ["iteration-7", 7],
    ["step0", 0],
    ["step000", 0],
    ["revision=step1800", 1800],
    ["pretrained=EleutherAI/pythia-v1.1-160m,revision=step1000", 1000],
    ["https://olmo-checkpoints.example/run/step1000-unsharded/", 1000],
    ["160m_step63000.json", 63_000],
    ["stage1-step-1000-tokens3B", 1000],
    ["ep1-step20", 20],
    ["out/checkpoint-200/results_2031-01-01T00-00-00.json", 200],
  ])("%j is step %d", (text, step) => {
    expect(stepOfText(text)).toBe(step);
  });

  it.each([
    ["1800"],
    ["pythia-160m"],
    ["main"],
    [""],
    ["footstep12"],
    ["step"],
    ["steps"],
    ["step5k"],
    ["step1e5"],
    ["step1.5"],
    ["step-by-step"],
    ["2031-01-02"],
    ["step9999999999999999999"],
  ])("%j says none", (text) => {
    expect(stepOfText(text)).toBeNull();
  });

  it("takes the innermost of several, and a step before a checkpoint", () => {
    expect(stepOfText("run/checkpoint-100/eval/checkpoint-200")).toBe(200);
    expect(stepOfText("global_step_50/checkpoint-9")).toBe(50);
    expect(stepOfText("checkpoint-9-step50")).toBe(50);
  });
});
