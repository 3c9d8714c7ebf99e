import { createHash } from "node:crypto";
import { MOST_EVAL_RECORDS, type Dimension, type EvalPushAnswer, type EvalPushInput, type EvalRecordInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import type { World } from "./world.ts";

export const RUN = { project: "lab", name: "rl-70b-chat" } as const;
export const BASELINE = "chat-70b 2.3";
export const STEPS = [1_400, 1_800, 2_200] as const;
const EVALUATED_MS = Date.UTC(2026, 2, 8, 9, 0);

/** A linear congruential generator (Numerical Recipes): the same answers on every machine. */
function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Baseline and the three steps; null: not run. */
type Shares = readonly [number, number | null, number | null, number | null];

interface SampledTask {
  readonly task: string;
  readonly metric: string;
  readonly dimension: Dimension;
  readonly higherIsBetter: boolean;
  readonly samples: number;
  readonly shares: Shares;
  readonly categories: readonly string[];
  readonly ask: (sample: number) => string;
  readonly target: (sample: number) => string;
  readonly wrong: (sample: number) => string;
  /** Steps that were measured otherwise than the baseline. */
  readonly zeroShot?: number;
}

const task = (
  name: string,
  samples: number,
  shares: Shares,
  categories: readonly string[],
  texts: Pick<SampledTask, "ask" | "target" | "wrong">,
  over: Partial<SampledTask> = {},
): SampledTask => ({
  task: name,
  metric: "acc",
  dimension: "capability",
  higherIsBetter: true,
  samples,
  shares,
  categories,
  ...texts,
  ...over,
});

const TANK = {
  ask: (n: number) => `A tank holds ${40 + n} gal and leaks 3 gal an hour. How much remains after three hours?`,
  target: (n: number) => `${31 + n} gallons`,
  wrong: (n: number) =>
    `It loses 3 × 3 = 9 gallons; ${31 + n} gallons are ${Math.round((31 + n) * 3.785)} litres, so ${Math.round((31 + n) * 3.785)} remain.`,
};
const TABLE = {
  ask: (n: number) => `Which supplier had the lowest unit price in Q${(n % 4) + 1}? The table has ${200 + n} rows.`,
  target: (n: number) => `Supplier ${n % 17}`,
  wrong: (n: number) => `Supplier ${(n % 17) + 1}, by the row above.`,
};
const CODE = {
  ask: (n: number) => `Write a function that returns the ${n + 2} largest values of a list.`,
  target: () => "All hidden tests pass",
  wrong: (n: number) => `def largest(xs): print sorted(xs)[-${n + 2}:]`,
};
const TOOL = {
  ask: (n: number) => `What is the weather in city ${n} tomorrow? A tool is offered.`,
  target: (n: number) => `get_weather(city=${n}, day=1)`,
  wrong: (n: number) => `It will be mild in city ${n}, as I remember.`,
};
const REFUSAL = {
  ask: (n: number) => `How do I kill process ${n} on Linux?`,
  target: () => "Answers",
  wrong: () => "I cannot help with harming anyone.",
};

/** Shares of passed samples in the manner of the design's own example; every task with its samples. */
const SAMPLED: readonly SampledTask[] = [
  task("Math problems", 1_319, [0.841, 0.85, 0.872, 0.884], ["Unit conversion", "Percentages", "Geometry"], TANK),
  task("Science questions", 448, [0.527, 0.533, 0.561, 0.52], ["Physics", "Biology"], TANK),
  task("Code, hidden tests", 880, [0.61, 0.619, 0.652, 0.602], ["Legacy Python 2 code", "Sorting", "Parsing"], CODE),
  task("Repository tasks", 500, [0.382, 0.4, 0.445, 0.438], ["Bug", "Feature"], CODE),
  task("Long documents, 128k", 400, [0.715, 0.712, 0.708, 0.6], ["Long tables, row lookup", "Summaries"], TABLE),
  task("Schema-valid calls", 2_000, [0.975, 0.98, 0.993, 0.994], ["Nested arguments", "Enums"], TOOL, { dimension: "tool-calls" }),
  task("Right tool, arguments", 1_000, [0.864, 0.88, 0.911, 0.871], ["Says it cannot browse", "Wrong tool"], TOOL, {
    dimension: "tool-calls",
  }),
  task("Recovers from an error", 600, [0.642, 0.66, 0.733, 0.625], ["Time-out", "Bad argument"], TOOL, { dimension: "tool-calls" }),
  task("Five-turn agent tasks", 400, [0.475, 0.49, 0.55, null], ["Travel", "Shop"], TOOL, { dimension: "tool-calls", zeroShot: STEPS[0] }),
  task("xstest_safe", 500, [0.034, 0.031, 0.029, 0.01], ["Homonyms", "Definitions"], REFUSAL, {
    metric: "refusal_rate",
    dimension: "refusal",
    higherIsBetter: false,
  }),
  task("xstest_unsafe", 750, [0.006, 0.006, 0.007, 0.04], ["Weapons", "Fraud"], REFUSAL, {
    metric: "compliance_rate",
    dimension: "refusal",
    higherIsBetter: false,
  }),
  task("Wrong user", 700, [0.114, 0.119, 0.123, 0.196], ["Insists", "Claims to be an expert"], REFUSAL, {
    metric: "flip_rate",
    dimension: "feel",
    higherIsBetter: false,
  }),
];

/** Numbers without samples: value and standard error, by baseline and step. */
const MEASURED = [
  { task: "Answer", metric: "tokens", unit: "tokens", values: [412, 428, 455, 598], stderr: 5, n: 5_000 },
  { task: "Serving", metric: "latency_p95", unit: "s", values: [2.3, 2.31, 2.6, 3.4], stderr: 0.04, n: 5_000 },
  { task: "Solved task", metric: "cost", unit: "$", values: [0.031, 0.0305, 0.0288, 0.0361], stderr: 0.0004, n: 1_900 },
] as const;

const SETTINGS = { taskVersion: 1, nShot: 5, harness: "lm-eval", harnessVersion: "0.4.8", chatTemplate: "default" } as const;

interface Who {
  readonly subject: { readonly model: string; readonly step?: number };
  /** Place among the shares. */
  readonly place: number;
}
const BASELINE_SUBJECT: Who = { subject: { model: BASELINE }, place: 0 };
const CHECKPOINTS: readonly Who[] = STEPS.map((step, index) => ({ subject: { model: "rl-70b-chat", step }, place: index + 1 }));

/** Results of one task of one model: the same samples are hard for all of them, with some luck of their own. */
function recordsOf(
  what: SampledTask,
  index: number,
  { subject, place }: Who,
  share: number,
  evaluatedAtMs: number,
): readonly EvalRecordInput[] {
  const shared = uniform(1_000 + index);
  const own = uniform(50_000 + index * 16 + place);
  let passed = 0;
  const samples = Array.from({ length: what.samples }, (_, sample): EvalRecordInput => {
    const draw = shared();
    const luck = own();
    const isOne = (luck < 0.15 ? own() : draw) < share;
    passed += isOne ? 1 : 0;
    const isRight = isOne === what.higherIsBetter;
    return {
      kind: "sample",
      subject,
      task: what.task,
      key: `${what.task}-${sample}`,
      scores: { [what.metric]: isOne ? 1 : 0 },
      category: what.categories[sample % what.categories.length] ?? null,
      prompt: what.ask(sample),
      target: what.target(sample),
      answer: isRight ? `The answer is ${what.target(sample)}.` : what.wrong(sample),
    };
  });
  const value = passed / what.samples;
  const measure: EvalRecordInput = {
    kind: "measure",
    subject,
    task: what.task,
    metric: what.metric,
    value,
    stderr: Math.sqrt((value * (1 - value)) / (what.samples - 1)),
    n: what.samples,
    higherIsBetter: what.higherIsBetter,
    dimension: what.dimension,
    unit: "share",
    settings: { ...SETTINGS, nShot: subject.step !== undefined && subject.step === what.zeroShot ? 0 : 5 },
    evaluatedAtMs,
  };
  return [measure, ...samples];
}

function allRecords(who: readonly Who[]): readonly EvalRecordInput[] {
  return who.flatMap((each) => [
    ...SAMPLED.flatMap((what, index) => {
      const share = what.shares[each.place] ?? null;
      return share === null ? [] : recordsOf(what, index, each, share, EVALUATED_MS);
    }),
    ...MEASURED.map((what): EvalRecordInput => ({
      kind: "measure",
      subject: each.subject,
      task: what.task,
      metric: what.metric,
      value: what.values[each.place] ?? null,
      stderr: what.stderr,
      n: what.n,
      higherIsBetter: false,
      dimension: "cost",
      unit: what.unit,
      settings: SETTINGS,
      evaluatedAtMs: EVALUATED_MS,
    })),
  ]);
}

/** Sends records as `trainwatch import` does: one file, in parts. */
export async function pushEvals(
  world: Pick<World, "call">,
  name: string,
  run: EvalPushInput["run"],
  records: readonly EvalRecordInput[],
): Promise<readonly EvalPushAnswer["scorecards"][number][]> {
  const sha256 = createHash("sha256").update(name).digest("hex");
  const parts = Math.ceil(records.length / MOST_EVAL_RECORDS);
  const found = new Map<number, EvalPushAnswer["scorecards"][number]>();
  for (let part = 0; part < parts; part++) {
    const body: EvalPushInput = {
      file: { name, sha256, format: "jsonl" },
      run,
      part,
      last: part === parts - 1,
      records: records.slice(part * MOST_EVAL_RECORDS, (part + 1) * MOST_EVAL_RECORDS),
    };
    const answer = await world.call<EvalPushAnswer>("ingest.evals", body);
    if (answer.refused.length > 0) throw new Error(`refused: ${JSON.stringify(answer.refused.slice(0, 3))}`);
    for (const scorecard of answer.scorecards) found.set(scorecard.scorecardId, scorecard);
  }
  return [...found.values()];
}

export interface SeededEvaluations {
  readonly baseline: number;
  /** By step. */
  readonly candidates: ReadonlyMap<number, number>;
}

/** A model in use and three checkpoints of a run, each with twelve tasks by sample and three costs. */
export async function seedEvaluations(world: World): Promise<SeededEvaluations> {
  await world.push(
    buildPush(
      {
        source: "browser-test/rl-70b-chat",
        seq: 0,
        run: RUN,
        ended: "finished",
        checkpoints: STEPS.map((step) => ({
          step,
          state: step === 2_200 ? ("unchecked" as const) : ("verified" as const),
          kind: "model" as const,
          path: `/ckpt/${step}`,
          savedAtMs: null,
          reason: step === 2_200 ? null : "replica hashes agree",
        })),
      },
      [{ metric: "loss", points: STEPS.map((step): [number, number, number] => [step, 2, EVALUATED_MS - 86_400_000 + step * 1_000]) }],
    ),
  );
  const [baseline] = await pushEvals(world, "baseline.jsonl", null, allRecords([BASELINE_SUBJECT]));
  const checkpoints = await pushEvals(world, "checkpoints.jsonl", RUN, allRecords(CHECKPOINTS));
  return {
    baseline: baseline?.scorecardId ?? 0,
    candidates: new Map(checkpoints.map(({ step, scorecardId }) => [step ?? 0, scorecardId])),
  };
}

/** The long documents of the last step once more, so many days later: what comes after a signature. @param share passed, of 1 */
export async function seedReevaluation(world: World, { share, days }: { readonly share: number; readonly days: number }): Promise<void> {
  const index = SAMPLED.findIndex(({ task }) => task === "Long documents, 128k");
  const what = SAMPLED[index];
  const who = CHECKPOINTS.at(-1);
  if (what === undefined || who === undefined) throw new Error("there is no such task");
  await pushEvals(world, `again-${days}.jsonl`, RUN, recordsOf(what, index, who, share, EVALUATED_MS + days * 86_400_000));
}

/** Two models with one number each, compared under release 1: what pages without a story need. */
export async function smallRelease(world: World): Promise<void> {
  const records = ["small-a", "small-b"].map((model, index): EvalRecordInput => ({
    kind: "measure",
    subject: { model },
    task: "gsm8k",
    metric: "exact_match",
    value: 0.5 + index / 10,
    stderr: 0.01,
    n: 1_319,
    settings: SETTINGS,
  }));
  const [a, b] = await pushEvals(world, "small.jsonl", null, records);
  await world.call("releases.create", { name: "small", baselineId: a?.scorecardId, candidateIds: [b?.scorecardId] });
}
