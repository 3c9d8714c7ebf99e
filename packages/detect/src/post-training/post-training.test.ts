import type { Finding, Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createMonitor } from "../index.ts";
import { CONTEXT, findingsOf, woven } from "../testing/series.fixture.ts";
import { healthyRlTrace, noisy, troubledRlTrace } from "../testing/rl-traces.fixture.ts";
import { POST_TRAINING_DETECTORS } from "@trainwatch/core";

const HEALTHY_RUNS = 40;

/** Alarms of post-training, newest form of each. */
const alarmsOf = (samples: readonly Sample[]): readonly Finding[] =>
  findingsOf(samples).filter(({ detector, severity }) => POST_TRAINING_DETECTORS.has(detector) && severity !== "info");

const of = (findings: readonly Finding[], detector: string, metric?: string): Finding => {
  const found = findings.find((finding) => finding.detector === detector && (metric === undefined || finding.metric === metric));
  if (found === undefined) throw new Error(`${detector} is silent`);
  return found;
};

describe("a healthy run of reinforcement learning", () => {
  it(`raises nobody in ${HEALTHY_RUNS} draws of 600 steps with drifting entropy, growing KL and rising length`, () => {
    const said = Array.from({ length: HEALTHY_RUNS }, (_, run) => alarmsOf(healthyRlTrace(1_000 + 40 * run)).map(({ summary }) => summary));
    expect(said.flat()).toEqual([]);
  });
});

describe("a run in which all goes wrong", () => {
  const findings = alarmsOf(troubledRlTrace());

  it("is told of by every detector of post-training", () => {
    expect([...POST_TRAINING_DETECTORS].filter((id) => !findings.some(({ detector }) => detector === id))).toEqual([]);
  });

  it.each([
    ["truncation", "critical", 200, 215],
    ["clip-fraction", "critical", 200, 230],
    ["zero-variance-groups", "critical", 200, 215],
    ["policy-staleness", "warning", 300, 310],
    ["reward-saturation", "warning", 350, 365],
    ["entropy-collapse", "warning", 150, 260],
    ["kl-drift", "critical", 395, 470],
    ["sycophancy", "critical", 295, 330],
  ] as const)("%s speaks with %s, from step %i to %i on", (detector, severity, from, to) => {
    const finding = of(findings, detector);
    expect(finding.severity).toBe(severity);
    expect(finding.detectedStep).toBeGreaterThanOrEqual(from);
    expect(finding.detectedStep).toBeLessThanOrEqual(to);
  });

  it.each([
    ["rollout-mismatch", "rollout_ess", "critical"],
    ["rollout-mismatch", "rollout_mismatch_kl", "warning"],
    ["rollout-mismatch", "rollout_weight_mean", "warning"],
    ["diversity-collapse", "distinct_answers", "warning"],
    ["diversity-collapse", "pass_at_k", "critical"],
    ["reward-hacking", "hidden_test_failure", "critical"],
    ["reward-hacking", "test_file_edits", "critical"],
    ["reward-hacking", "eval/held_out/accuracy", "warning"],
    ["length-exploitation", "response_length", "critical"],
    ["over-optimisation", "eval/held_out/accuracy", "critical"],
  ] as const)("%s speaks of %s with %s", (detector, metric, severity) => {
    expect(of(findings, detector, metric).severity).toBe(severity);
  });

  it("says that what came back is over", () => {
    expect(["truncation", "clip-fraction", "zero-variance-groups", "policy-staleness"].map((id) => of(findings, id).state)).toEqual(
      Array.from({ length: 4 }, () => "recovered"),
    );
  });

  it("dates the turn where the score was best, with its interval, KL and noise", () => {
    const turn = of(findings, "over-optimisation");
    expect(turn.onsetStep).toBeGreaterThan(170);
    expect(turn.onsetStep).toBeLessThan(310);
    expect(turn.onsetLowerStep).toBeLessThanOrEqual(turn.onsetStep ?? 0);
    expect(turn.summary).toMatch(/^Reward climbs while held-out score falls, turning point at step \d+\.$/);
    const text = turn.evidence.map((item) => item.text).join("\n");
    expect(text).toMatch(/90 %: \d+ to \d+/);
    expect(text).toMatch(/at a KL of [\d.]+ nats/);
    expect(text).toMatch(/one evaluation is good to ± [\d.]+ pp, from the scatter about the fit$/m);
  });
});

describe("what every run does", () => {
  const approaching = (from: number, to: number, scale: number) => (index: number) => from + (to - from) * (1 - Math.exp(-index / scale));

  it("is a KL that grows manifold from nothing: no page, though it has passed any level that counts", () => {
    const opening = noisy({ metric: "kl", count: 200, sigma: 0.006, seed: 11, level: approaching(0, 0.4, 20) });
    expect(alarmsOf(opening)).toEqual([]);
  });

  it("is a score that follows the reward less and less: no sign of hacking in 20 draws", () => {
    const said = Array.from({ length: 20 }, (_, run) =>
      alarmsOf(
        woven(
          noisy({ metric: "reward", count: 600, sigma: 0.03, seed: 300 + run, level: approaching(0.3, 0.6, 200) }),
          noisy({
            metric: "eval/held_out/accuracy",
            count: 60,
            every: 10,
            sigma: 0.008,
            seed: 400 + run,
            level: approaching(0.3, 0.45, 17),
          }),
        ),
      ).map(({ summary }) => summary),
    );
    expect(said.flat()).toEqual([]);
  });
});

it("a KL that leaves its trend within sixty steps does not become its own baseline", () => {
  const drifting = noisy({
    metric: "kl",
    count: 500,
    sigma: 0.008,
    seed: 12,
    level: (index) => 0.1 * 2.5 ** Math.min(1, Math.max(0, index - 300) / 60),
  });
  const found = of(alarmsOf(drifting), "kl-drift");
  expect(found.detectedStep).toBeGreaterThan(300);
  expect(found.detectedStep).toBeLessThan(360);
});

describe("a held-out score that falls", () => {
  const score = noisy({
    metric: "eval/held_out/accuracy",
    count: 60,
    every: 10,
    sigma: 0.01,
    seed: 3,
    level: (at) => 0.6 - 0.006 * Math.max(0, at - 20),
  });
  const reward = (level: (at: number) => number) => noisy({ metric: "reward", count: 600, sigma: 0.03, seed: 4, level });

  it("is a ticket where the reward falls as well, and a page where it climbs", () => {
    const falling = of(
      alarmsOf(
        woven(
          reward((at) => 0.7 - at / 3_000),
          score,
        ),
      ),
      "over-optimisation",
    );
    const climbing = of(
      alarmsOf(
        woven(
          reward((at) => 0.4 + at / 2_000),
          score,
        ),
      ),
      "over-optimisation",
    );
    expect([falling.severity, climbing.severity]).toEqual(["warning", "critical"]);
    expect(falling.summary).toMatch(/^Held-out score falls while training goes on, turning point/);
  });

  it("turns the other way round where lower is better", () => {
    const errors = score.map((sample) => ({ ...sample, metric: "eval/held_out/error", value: 1 - sample.value }));
    const found = of(
      alarmsOf(
        woven(
          reward((at) => 0.4 + at / 2_000),
          errors,
        ),
      ),
      "over-optimisation",
    );
    expect(Number(found.peakValue)).toBeGreaterThan(Number(found.baselineValue));
  });

  it("is nothing of post-training without a reward or a KL", () => {
    expect(alarmsOf(score)).toEqual([]);
  });

  const told = (prompts: number, samples: readonly Sample[]): Finding => {
    const monitor = createMonitor({ ...CONTEXT, parameters: { "over-optimisation": { prompts } } });
    const climbing = reward((at) => 0.4 + at / 2_000);
    return of([...monitor.observe(woven(climbing, samples)), ...monitor.finish()], "over-optimisation");
  };
  const textOf = ({ evidence }: Finding): string => evidence.map((item) => item.text).join("\n");

  it("is told with what the number of prompts says of the noise, and that few of them make it late", () => {
    const text = textOf(told(400, score));
    expect(text).toMatch(/from the scatter about the fit, within the ± 2\.\d pp that 400 prompts allow$/m);
    expect(text).toContain("Fewer than 1,000 prompts are asked");
    expect(textOf(told(40_000, score))).toMatch(
      /more than the ± 0\.\d pp that 40,000 prompts allow: the policy or the evaluation scatters as well$/m,
    );
    const elo = score.map((sample) => ({ ...sample, metric: "eval/held_out/elo", value: 1_000 * sample.value }));
    expect(textOf(told(400, elo))).toMatch(/; no share, so the number of prompts says nothing of it$/m);
  });

  it("is the same where it is logged per cent, and where what is logged is the share that is wrong", () => {
    const [share, percent, wrong] = [
      score,
      score.map((sample) => ({ ...sample, value: 100 * sample.value })),
      score.map((sample) => ({ ...sample, metric: "eval/held_out/error_rate", value: 1 - sample.value })),
    ].map((samples) => told(1_000, samples));
    const [noise, ofPercent, ofWrong] = [share, percent, wrong].map(
      (finding) => /one evaluation is good to .*/.exec(textOf(finding ?? fail()))?.[0],
    );
    expect(noise).toMatch(/ ± 1\.\d pp, from the scatter about the fit, within the ± 1\.\d pp that 1,000 prompts allow$/);
    expect(ofPercent).toBe(noise);
    expect(ofWrong).toMatch(/within the ± [\d.]+(?: pp)? that 1,000 prompts allow$/);
    expect(percent?.detectedStep).toBe(share?.detectedStep);
    expect(wrong?.onsetStep).toBe(share?.onsetStep);
    expect(Number(percent?.peakValue)).toBeCloseTo(100 * Number(share?.peakValue), 9);
    expect(Number(wrong?.baselineValue)).toBeCloseTo(1 - Number(share?.baselineValue), 9);
  });

  it("is found no later where the number of prompts is told", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const run = noisy({
        metric: "eval/held_out/accuracy",
        count: 60,
        every: 10,
        sigma: 0.012,
        seed: 900 + seed,
        level: (at) => 0.6 - 0.25 * Math.exp(-at / 9) - 0.003 * Math.max(0, at - 30),
      });
      const first = (samples: readonly Sample[], prompts: number): number =>
        told(prompts, samples).detectedStep ?? Number.POSITIVE_INFINITY;
      expect(first(run, 1_000)).toBeLessThanOrEqual(first(run, 0));
    }
  });
});

describe("what post-training detectors say that they cannot see", () => {
  const why = (samples: readonly Sample[]): Map<string, string | null> => {
    const monitor = createMonitor(CONTEXT);
    monitor.observe(samples);
    return new Map(monitor.coverage().map((entry) => [entry.detector, entry.why]));
  };

  it("is over-optimisation, where a reward comes and no held-out score", () => {
    const said = why(noisy({ metric: "reward", count: 100, sigma: 0.1, seed: 1, level: () => 1 }));
    expect(said.get("over-optimisation")).toBe("No held-out evaluation: over-optimisation cannot be seen");
    expect(said.get("truncation")).toBe("no share of truncated answers is logged");
  });

  it("is nothing on a pre-training run: they are not blind there, it is not their concern", () => {
    const said = why(noisy({ metric: "loss", count: 100, sigma: 0.1, seed: 1, level: () => 2 }));
    expect([...POST_TRAINING_DETECTORS].filter((id) => said.has(id))).toEqual([]);
    expect(said.has("loss-shift")).toBe(true);
  });

  it("is how many evaluations are missing", () => {
    const evaluations = noisy({ metric: "eval/a/accuracy", count: 4, sigma: 0.1, seed: 1, level: () => 1 });
    const rewards = noisy({ metric: "reward", count: 4, sigma: 0.1, seed: 1, level: () => 1 });
    expect(why(woven(rewards, evaluations)).get("over-optimisation")).toBe("too short: 4 held-out evaluations, a fit needs 10");
  });
});

function fail(): never {
  throw new Error("no finding");
}
