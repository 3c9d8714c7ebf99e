import type { Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { findingsOf, series, woven } from "../testing/series.fixture.ts";

const by = (samples: readonly Sample[], detector: string) => findingsOf(samples).filter((finding) => finding.detector === detector);

describe("loss scale collapse", () => {
  const scale = (level: (index: number) => number, count = 1_200) => series({ metric: "loss_scale", count, sigma: 0, level });

  it("is a warning after five halvings and critical at the floor", () => {
    const [warning] = by(
      scale((index) => (index < 800 ? 65_536 : 65_536 / 2 ** Math.min(6, index - 800))),
      "loss-scale-collapse",
    );
    expect(warning).toMatchObject({
      severity: "warning",
      onsetStep: 801,
      detectedStep: 805,
      peakValue: 1_024,
      baselineValue: 65_536,
      facts: [{ fact: "loss-scale-collapsed", value: 1_024 }],
    });
    const [critical] = by(
      scale((index) => (index < 800 ? 65_536 : 65_536 / 2 ** Math.min(16, index - 800))),
      "loss-scale-collapse",
    );
    expect(critical).toMatchObject({ severity: "critical", detectedStep: 805, state: "ongoing" });
    expect(critical?.summary).toBe("The loss scale collapsed from 65,536 to 1 from step 801 on, its floor; not recovered.");
  });

  it("recovers when the scale is back within two halvings", () => {
    const level = (index: number) =>
      index < 600 ? 65_536 : index < 606 ? 65_536 / 2 ** (index - 600) : Math.min(65_536, 2_048 * 2 ** Math.floor((index - 606) / 40));
    expect(by(scale(level), "loss-scale-collapse")).toMatchObject([{ state: "recovered", severity: "warning" }]);
  });

  it.each([
    ["the search with which fp16 training begins", (index: number) => 2 ** Math.max(14, 32 - index)],
    ["a scale that doubles each 200 steps and is halved once each time", (index: number) => 2 ** (15 + (index % 200 > 100 ? 1 : 0))],
    ["the constant 1 of bf16", () => 1],
    ["a constant 1,024", () => 1_024],
  ])("is silent on %s", (_, level) => expect(by(scale(level), "loss-scale-collapse")).toEqual([]));
});

describe("attention logits", () => {
  const logits = (level: (index: number) => number) => series({ metric: "attention_logit_max", count: 600, sigma: 0.01, seed: 31, level });

  it("are a note above 100 and a warning above 1,000 on three points, with the largest as a fact", () => {
    expect(
      by(
        logits((index) => (index < 300 ? 40 : 300)),
        "attention-logit",
      ),
    ).toMatchObject([{ severity: "info", onsetStep: 300, detectedStep: 302 }]);
    const [finding] = by(
      logits((index) => 40 * Math.exp(index / 100)),
      "attention-logit",
    );
    expect(finding).toMatchObject({ severity: "warning", state: "ongoing", facts: [{ fact: "attention-logit-high" }] });
    expect(finding?.facts[0]?.value).toBe(finding?.peakValue);
  });

  it("are one finding while they hover about the note's level, and end after fifty calm points", () => {
    const hover = (index: number) => (index < 100 ? 40 : index < 400 ? (index % 2 === 0 ? 95 : 110) : 40);
    expect(by(logits(hover), "attention-logit")).toEqual([]);
    const bouts = (index: number) => (index < 100 ? 40 : index < 400 ? (index % 8 < 5 ? 110 : 95) : 40);
    expect(by(logits(bouts), "attention-logit")).toMatchObject([{ severity: "info", state: "recovered" }]);
  });

  it("say nothing of a single high point", () => {
    expect(
      by(
        logits((index) => (index === 300 ? 5_000 : 40)),
        "attention-logit",
      ),
    ).toEqual([]);
  });
});

describe("learning rate off its schedule", () => {
  const rates = (level: (index: number) => number, firstStep = 0, count = 800) =>
    series({ metric: "learning_rate", count, firstStep, sigma: 0, level: (index) => level(index + firstStep) });
  const cosine = (step: number) => (step < 100 ? (step + 1) / 100 : 0.1 + 0.45 * (1 + Math.cos((Math.PI * (step - 100)) / 700))) * 3e-4;

  it("is a warning when the rate jumps above all it has been, with how far off as a fact", () => {
    const [finding, second] = by(
      rates((step) => (step < 400 ? cosine(step) : 5 * cosine(step))),
      "learning-rate-jump",
    );
    expect(second).toBeUndefined();
    expect(finding).toMatchObject({ severity: "warning", onsetStep: 400, state: "shifted", facts: [{ fact: "learning-rate-off" }] });
    expect(finding?.facts[0]?.value).toBeCloseTo(5, 1);
  });

  it("is a note when it drops, or goes back to where it has been", () => {
    expect(
      by(
        rates((step) => (step < 400 ? 1e-3 : 1e-4)),
        "learning-rate-jump",
      ),
    ).toMatchObject([{ severity: "info", onsetStep: 400 }]);
    expect(
      by(
        rates((step) => cosine(step % 400)),
        "learning-rate-jump",
      ).map(({ severity }) => severity),
    ).toEqual(["info"]);
  });

  it("is a warning when a resumed attempt warms up anew, and silent when it goes on warming up", () => {
    const anew = by(
      rates((step) => (3e-4 * (step - 4_999)) / 1_000, 5_000),
      "learning-rate-jump",
    );
    expect(anew).toMatchObject([{ severity: "warning", onsetStep: 5_000, detectedStep: 5_003 }]);
    expect(anew[0]?.summary).toMatch(/warms up anew from step 5,000 on/);
    expect(
      by(
        rates((step) => (3e-4 * step) / 10_000, 5_000),
        "learning-rate-jump",
      ),
    ).toEqual([]);
  });

  it.each([
    ["a warm-up and a cosine", cosine],
    ["a constant", () => 1e-3],
    ["a linear decay to zero", (step: number) => 1e-3 * Math.max(0, 1 - step / 700)],
    ["a warm-up, a plateau and a decay", (step: number) => 1e-3 * Math.min(1, (step + 1) / 50, Math.max(0, (800 - step) / 200))],
    ["an inverse square root", (step: number) => 1e-3 * Math.min((step + 1) / 100, Math.sqrt(100 / (step + 1)))],
    ["values printed to a millionth", (step: number) => Math.round(1e6 * cosine(step) * 0.02) / 1e6],
    ["zero throughout", () => 0],
  ])("is silent on %s, logged at each step and at each fiftieth", (_, level) => {
    expect(by(rates(level), "learning-rate-jump")).toEqual([]);
    expect(
      by(series({ metric: "learning_rate", count: 16, every: 50, sigma: 0, level: (index) => level(50 * index) }), "learning-rate-jump"),
    ).toEqual([]);
  });
});

describe("facts for the cause", () => {
  const loss = (level: (index: number) => number) => series({ count: 900, seed: 41, level });

  it("F7: an update norm that rose 30 steps before the loss led it by 30", () => {
    const norm = series({ metric: "update_norm", count: 900, sigma: 0.1, seed: 42, level: (index) => (index < 570 ? 0.02 : 0.1) });
    const [shift] = by(
      woven(
        loss((index) => (index < 600 ? 2 : 2.6)),
        norm,
      ),
      "loss-shift",
    );
    expect(shift?.facts).toEqual([{ fact: "norm-led-loss", value: 30 }]);
    expect(shift?.evidence.map(({ text }) => text)).toContain("The update norm was high before, from step 570 on");
  });

  it("a spike of one step says so, one of three does not", () => {
    const facts = (length: number) =>
      by(
        loss((index) => (index >= 600 && index < 600 + length ? 4 : 2)),
        "one-step-outlier",
      )
        .filter(({ peakStep }) => peakStep !== null && peakStep >= 600 && peakStep < 603)
        .flatMap((finding) => finding.facts);
    expect(facts(1)).toEqual([{ fact: "single-step", value: 1 }]);
    expect(facts(3)).toEqual([]);
  });

  it("non-finite values are counted", () => {
    const broken = loss(() => 2).map((sample) => (sample.step >= 600 && sample.step < 605 ? { ...sample, value: Number.NaN } : sample));
    expect(by(broken, "non-finite")[0]?.facts).toEqual([{ fact: "non-finite", value: 5 }]);
  });
});
