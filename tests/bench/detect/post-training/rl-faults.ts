import { constant, type Level, type RlMetric, type RlRun } from "./rl-run.ts";

/** Something that goes wrong from one step on. */
export interface RlFault {
  readonly name: string;
  /** The detector that is there for it. */
  readonly detector: string;
  /** Earliest and latest onset as shares of the run; without it 0.3 and 0.55. */
  readonly between?: readonly [number, number];
  /** Told to the detector, as a rule would. */
  parameters?(run: RlRun, onset: number): Readonly<Record<string, number>>;
  strike(run: RlRun, onset: number): RlRun;
}

type Change = (level: number, age: number) => number;

/** Steps within which a level that fails has failed altogether. */
const WITHIN = 20;
/** Share of it that has come after so many steps. */
const come = (age: number, within: number = WITHIN): number => Math.min(1, age / within);
const towards =
  (value: number, within?: number): Change =>
  (level, age) =>
    level + (value - level) * come(age, within);

function changed(run: RlRun, onset: number, changes: Partial<Record<RlMetric, Change>>): RlRun {
  const levels: Record<RlMetric, Level> = { ...run.levels };
  for (const [metric, change] of Object.entries(changes)) {
    if (!isMetric(run, metric) || change === undefined) continue;
    const before = run.levels[metric];
    levels[metric] = (step) => (step < onset ? before(step) : change(before(step), step - onset));
  }
  return { ...run, levels };
}

const isMetric = (run: RlRun, name: string): name is RlMetric => name in run.levels;

/** A share that moves to another value. */
const share = (name: string, detector: string, metric: RlMetric, value: number): RlFault => ({
  name,
  detector,
  strike: (run, onset) => changed(run, onset, { [metric]: towards(value) }),
});

/** The held-out score stays where it is while the reward climbs on. */
function parted(run: RlRun, onset: number, gain: number, fall: number): RlRun {
  const left = run.layout.steps - onset;
  const held = run.levels["eval/held_out/accuracy"](onset);
  const after = (_: number, age: number): number => held - fall * (age / left);
  return changed(run, onset, {
    reward: (level, age) => Math.min(0.98, level + gain * (age / left)),
    "eval/held_out/accuracy": after,
    pass_at_1: after,
    win_rate_length_controlled: constant(run.levels.win_rate_length_controlled(onset)),
  });
}

export const RL_FAULTS: readonly RlFault[] = [
  {
    name: "held-out score falls 4 points by the end, reward climbs",
    detector: "over-optimisation",
    strike: (run, onset) => parted(run, onset, 0.1, 0.04),
  },
  {
    name: "held-out score falls 8 points by the end, reward climbs",
    detector: "over-optimisation",
    strike: (run, onset) => parted(run, onset, 0.1, 0.08),
  },
  {
    name: "KL grows fourfold in 15 steps",
    detector: "kl-drift",
    strike: (run, onset) => changed(run, onset, { kl: (level, age) => level * 4 ** come(age, 15) }),
  },
  {
    name: "KL grows to 2.5 times its trend in 60 steps",
    detector: "kl-drift",
    strike: (run, onset) => changed(run, onset, { kl: (level, age) => level * 2.5 ** come(age, 60) }),
  },
  {
    name: "KL grows to three times its target, which is told",
    detector: "kl-drift",
    parameters: (run, onset) => ({ target: run.levels.kl(onset) }),
    strike: (run, onset) => changed(run, onset, { kl: (level, age) => level * 3 ** come(age, 60) }),
  },
  {
    name: "entropy falls to 20 % of its start in 100 steps",
    detector: "entropy-collapse",
    strike: (run, onset) => changed(run, onset, { entropy: towards(0.2 * run.levels.entropy(0), 100) }),
  },
  {
    name: "entropy falls to 3 % of its start in 30 steps, reward stands still",
    detector: "entropy-collapse",
    strike: (run, onset) =>
      changed(run, onset, { entropy: towards(0.03 * run.levels.entropy(0), 30), reward: constant(run.levels.reward(onset)) }),
  },
  {
    name: "distinct answers fall to 35 % of their start",
    detector: "diversity-collapse",
    strike: (run, onset) => changed(run, onset, { distinct_answers: towards(0.35 * run.levels.distinct_answers(0), 60) }),
  },
  {
    name: "pass@k falls by 6 points, pass@1 does not",
    detector: "diversity-collapse",
    strike: (run, onset) => changed(run, onset, { pass_at_k: (level, age) => level - 0.06 * come(age, 60) }),
  },
  share("groups without variance: 65 %", "zero-variance-groups", "zero_variance_share", 0.65),
  share("groups without variance: 90 %", "zero-variance-groups", "zero_variance_share", 0.9),
  share("clip fraction 0.3", "clip-fraction", "clip_fraction", 0.3),
  share("clip fraction 0.6", "clip-fraction", "clip_fraction", 0.6),
  share("8 % of the answers cut off", "truncation", "truncation_share", 0.08),
  share("25 % of the answers cut off", "truncation", "truncation_share", 0.25),
  share("KL between sampler and trainer 0.15", "rollout-mismatch", "rollout_mismatch_kl", 0.15),
  share("KL between sampler and trainer 0.3", "rollout-mismatch", "rollout_mismatch_kl", 0.3),
  share("effective share of the samples 0.15", "rollout-mismatch", "rollout_ess", 0.15),
  share("mean importance weight 3", "rollout-mismatch", "rollout_weight_mean", 3),
  share("rollouts 10 versions old", "policy-staleness", "policy_staleness", 10),
  share("rollouts 14 versions old", "policy-staleness", "policy_staleness", 14),
  share("70 % of the answers at the largest reward", "reward-saturation", "reward_saturation", 0.7),
  {
    name: "the reward's growth is bought with length, answers up to 2.5 times as long",
    detector: "length-exploitation",
    between: [0.05, 0.15],
    strike: boughtWithLength,
  },
  {
    name: "reward climbs by 0.12, held-out score does not follow",
    detector: "reward-hacking",
    strike: (run, onset) => parted(run, onset, 0.12, 0),
  },
  {
    name: "reward climbs by 0.25, held-out score does not follow",
    detector: "reward-hacking",
    strike: (run, onset) => parted(run, onset, 0.25, 0),
  },
  {
    name: "hidden tests fail more often, by 5 points",
    detector: "reward-hacking",
    strike: (run, onset) => changed(run, onset, { hidden_test_failure: (level, age) => level + 0.05 * come(age, 60) }),
  },
  {
    name: "3 % more of the answers edit test files",
    detector: "reward-hacking",
    strike: (run, onset) => changed(run, onset, { test_file_edits: (level, age) => level + 0.03 * come(age, 60) }),
  },
  {
    name: "flip rate up by 6 points",
    detector: "sycophancy",
    strike: (run, onset) => changed(run, onset, { sycophancy_flip: (level, age) => level + 0.06 * come(age, 60) }),
  },
  {
    name: "flip rate up by 12 points",
    detector: "sycophancy",
    strike: (run, onset) => changed(run, onset, { sycophancy_flip: (level, age) => level + 0.12 * come(age, 60) }),
  },
];

/** From the onset on nothing is learned but to write more: the reward grows by what the added length brings, within a batch and from step to step alike. */
function boughtWithLength(run: RlRun, onset: number): RlRun {
  const perToken = 0.35 / (1.5 * run.levels.response_length(onset));
  const [reward, length, wins] = [
    run.levels.reward(onset),
    run.levels.response_length(onset),
    run.levels.win_rate_length_controlled(onset),
  ];
  const longer = (age: number): number => 1.5 * length * come(age, 0.6 * (run.layout.steps - onset));
  const struck = changed(run, onset, {
    response_length: (_, age) => length + longer(age),
    reward: (_, age) => reward + perToken * longer(age),
    win_rate_length_controlled: constant(wins),
  });
  return { ...struck, rewardPerToken: (step) => (step < onset ? run.rewardPerToken(step) : perToken) };
}
