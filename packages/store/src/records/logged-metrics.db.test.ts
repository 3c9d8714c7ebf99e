import { createTestStore } from "@trainwatch/testkit";
import { expect, it } from "vitest";
import { FIRST_ATTEMPT, ramp, writePush } from "../samples/world.fixture.ts";

const points = (count: number) => ramp(1, count, (step) => step);

it("metrics that are looked for come by name or prefix, those with the most points first, of all attempts or of some; no sample is read", async () => {
  await using world = await createTestStore();
  const second = { ...FIRST_ATTEMPT, name: "a2", parent: "a1", branchStep: 10 };
  const { runId } = await writePush(
    world.store,
    [
      { metric: "reward", points: points(50) },
      { metric: "reward", attempt: "a2", points: points(5) },
      { metric: "reward_std", points: points(50) },
      { metric: "eval/b/acc", points: points(9) },
      { metric: "eval/a/acc", points: points(3) },
      { metric: "eval/a/acc", attempt: "a2", points: points(4) },
      { metric: "evaluation", points: points(70) },
      { metric: "layer/eval/acc", points: points(70) },
    ],
    [FIRST_ATTEMPT, second],
  );
  await world.store.pool.query("ALTER TABLE samples.block RENAME TO out_of_reach");
  const ask = async (given: object = {}) => [
    ...(await world.store.records.runs.loggedMetrics({
      runId,
      names: ["reward", "kl"],
      prefix: "eval/",
      attempts: null,
      limit: 100,
      ...given,
    })),
  ];
  expect(await ask()).toEqual([
    ["reward", 55],
    ["eval/b/acc", 9],
    ["eval/a/acc", 7],
  ]);
  expect(await ask({ attempts: ["a2"] })).toEqual([
    ["reward", 5],
    ["eval/a/acc", 4],
    ["eval/b/acc", 0],
  ]);
  expect(await ask({ limit: 1 })).toEqual([["reward", 55]]);
  // An underscore of the prefix is one, and no letter that is left open.
  expect(await ask({ names: [], prefix: "eval_" })).toEqual([]);
  expect(await ask({ runId: runId + 1 })).toEqual([]);
});
