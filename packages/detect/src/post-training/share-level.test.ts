import type { Finding, Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createMonitor } from "../index.ts";
import { noisy } from "../testing/rl-traces.fixture.ts";
import { CONTEXT, woven } from "../testing/series.fixture.ts";

const COUNT = 120;
const share = (metric: string, seed: number, level: (index: number) => number): Sample[] =>
  noisy({ metric, count: COUNT, sigma: 0.005, seed, level, isShare: true });
const groups = (level: number): Sample[] => share("zero_variance_share", 1, () => level);
const right = (level: number): Sample[] => share("success_rate", 2, () => level);
const answers = (count: number): Sample[] => [{ metric: "group_size", step: 0, timeMs: null, value: count }];
const reward = (level: number): Sample[] => noisy({ metric: "reward", count: COUNT, sigma: 0.01, seed: 3, level: () => level });

function saidBy(detector: string, samples: readonly Sample[], parameters: Readonly<Record<string, number>> = {}): Finding | null {
  const monitor = createMonitor({ ...CONTEXT, parameters: { [detector]: parameters } });
  return [...monitor.observe(samples), ...monitor.finish()].findLast((finding) => finding.detector === detector) ?? null;
}
const groupsSay = (samples: readonly Sample[], parameters?: Readonly<Record<string, number>>): Finding | null =>
  saidBy("zero-variance-groups", samples, parameters);
const textOf = (finding: Finding | null): string => finding?.evidence.map(({ text }) => text).join("\n") ?? "";

describe("groups without variance, judged against chance", () => {
  // 0.95^8 + 0.05^8 = 0.6634: of the groups beyond that, half and four fifths are reached at 0.83 and 0.93.
  it.each([
    [0.7, null],
    [0.8, null],
    [0.88, "warning"],
    [0.97, "critical"],
  ] as const)("where nineteen of twenty answers are right and eight make a group, a share of %d is %s", (level, severity) => {
    const finding = groupsSay(woven(reward(1), right(0.95), answers(8), groups(level)));
    expect(finding?.severity ?? null).toBe(severity);
    if (severity !== null)
      expect(textOf(finding)).toMatch(/With 95 % of the answers right and 8 answers a prompt, chance alone makes at least 6[56] % /);
  });

  it.each([0.2, 0.5, 0.8])(
    "where a share of %d is right, and 64 make a group, chance makes nothing alike and the bounds are the fixed ones",
    (rate) => {
      const severity = (level: number) => groupsSay(woven(reward(1), right(rate), answers(64), groups(level)))?.severity ?? null;
      expect([0.45, 0.55, 0.85].map(severity)).toEqual([null, "warning", "critical"]);
    },
  );

  // 0.9987^8 = 0.98965 and 0.9988^8 = 0.9904: the first leaves room above chance, the second none.
  it.each([0, 0.0005, 0.001, 0.0012, 0.0013, 0.9987, 0.9988, 0.999, 1])(
    "pages where all groups are alike and a share of %d is right: nothing is learnt",
    (rate) => {
      const exactly = (metric: string, value: number): Sample[] => right(0).map((sample) => ({ ...sample, metric, value }));
      const finding = groupsSay(woven(reward(1), exactly("success_rate", rate), answers(8), exactly("zero_variance_share", 1)));
      expect(finding?.severity).toBe("critical");
      const isFixed = rate < 0.00125 || rate > 0.99875;
      expect(textOf(finding)).toContain(
        isFixed ? "next to none is left to learn from, and the bounds are fixed" : "the bounds are of the groups beyond that",
      );
      expect(textOf(finding)).toContain(`above ${isFixed ? "80 %" : "100 %"} the effective batch`);
    },
  );

  it("is never stricter than the fixed bounds", () => {
    for (const rate of [0, 0.1, 0.5, 0.97, 1]) {
      for (const level of [0.3, 0.48]) expect(groupsSay(woven(reward(1), right(rate), answers(4), groups(level)))).toBeNull();
    }
  });

  it("keeps the fixed bounds where the rate or the size is not known, and says which", () => {
    const rateMissing = groupsSay(woven(reward(0.95), answers(8), groups(0.7)));
    expect(rateMissing?.severity).toBe("warning");
    expect(textOf(rateMissing)).toMatch(/not known without the success rate \(log success_rate, as a share\): the bounds are fixed/);
    expect(textOf(groupsSay(woven(reward(1), right(0.95), groups(0.7))))).toMatch(
      /not known without the number of answers a prompt \(log group_size\): the bounds are fixed/,
    );
  });

  it("takes the size that is told, and the rate from a reward that has two values only", () => {
    const told = { group: 8, right: 1, wrong: -1 };
    // A mean of 0.9 between -1 and 1 is 95 % right.
    expect(groupsSay(woven(reward(0.9), groups(0.75)), told)).toBeNull();
    expect(textOf(groupsSay(woven(reward(0.9), groups(0.97)), told))).toMatch(/With 95 % of the answers right/);
    expect(groupsSay(woven(reward(0.9), groups(0.75)), { group: 8 })?.severity).toBe("warning");
  });

  it("takes no rate that is no share, and none that is older than what is judged", () => {
    const percent = right(0.95).map((sample) => ({ ...sample, value: 100 * sample.value }));
    expect(groupsSay(woven(reward(1), percent, answers(8), groups(0.7)))?.severity).toBe("warning");
    const early = right(0.95).filter(({ step }) => step < 40);
    expect(groupsSay(woven(reward(1), early, answers(8), groups(0.7)))?.severity).toBe("warning");
  });
});

describe("a reward at its limit", () => {
  const saturated = share("reward_saturation", 4, (index) => (index < 40 ? 0.2 : 0.75));
  const spread = (level: (index: number) => number): Sample[] =>
    noisy({ metric: "reward_std", count: COUNT, sigma: 0.001, seed: 5, level });
  const said = (samples: readonly Sample[]): string => textOf(saidBy("reward-saturation", woven(reward(1), saturated, samples)));

  it("is told with what is left of the reward's variance", () => {
    expect(said(spread((index) => (index < 40 ? 0.4 : 0.1)))).toMatch(
      /The variance of the reward, reward_std squared, is 0\.0\d+, 6\.\d % of the 0\.1[56]\d* at the start/,
    );
  });

  it("is told with what is missing where no spread, or too little of it, is logged", () => {
    expect(said([])).toContain("How far rewards still differ is not known: no reward_std is logged");
    expect(said(spread(() => 0.4).slice(0, 12))).toContain("12 points of reward_std, a start and a present need 20");
  });

  it("is judged by the share alone: a variance that vanishes is no alarm", () => {
    expect(
      saidBy(
        "reward-saturation",
        woven(
          reward(1),
          share("reward_saturation", 4, () => 0.3),
          spread((index) => 0.4 * 0.9 ** index),
        ),
      ),
    ).toBeNull();
  });
});

describe("a collapse of entropy", () => {
  const entropy = (index: number): number => 0.03 + 0.77 * Math.exp(-index / 25);
  const collapsed = noisy({ metric: "entropy", count: COUNT, sigma: 0.004, seed: 6, level: entropy });
  const follows = noisy({ metric: "reward", count: COUNT, sigma: 0.01, seed: 7, level: (index) => 1.2 - 0.4 * Math.exp(entropy(index)) });

  it("is told with the reward that is left to gain, by the line over exp(H) that the run has followed", () => {
    expect(textOf(saidBy("entropy-collapse", woven(follows, collapsed)))).toMatch(
      /As the reward has followed the entropy so far, R = b - a exp\(H\), it ends at 0\.(?:79|80)\d* ± 0\.00\d* with no entropy left: 0\.0\d* ± 0\.000\d* is left to gain, 9\d % of the gain /,
    );
  });

  it("says nothing of it where the reward has not followed, or is logged at other steps", () => {
    for (const other of [reward(0.5), follows.map((sample) => ({ ...sample, step: sample.step + 0.5 }))]) {
      const finding = saidBy("entropy-collapse", woven(other, collapsed));
      expect(finding).not.toBeNull();
      expect(textOf(finding)).not.toContain("left to gain");
    }
  });
});
