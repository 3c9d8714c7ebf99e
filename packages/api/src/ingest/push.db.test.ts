import type { PushInput } from "@trainwatch/core";
import { buildPush, createFakeClock, createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { parsePush } from "./parse-push.ts";
import { pushSamples } from "./push.ts";

async function setUp() {
  const { store, ...database } = await createTestStore();
  const clock = createFakeClock();
  const push = (input: PushInput) => pushSamples({ store, now: clock.now, moves: { announce: () => undefined } }, parsePush(JSON.parse(JSON.stringify(input))));
  return { store, clock, push, ...database };
}

const steps = (from: number, to: number, value: (step: number) => number) => Array.from({ length: to - from + 1 }, (_, index) => [from + index, value(from + index)] as const);

describe("ingest.push", () => {
  it("stores points that a window then shows", async () => {
    await using world = await setUp();
    const answer = await world.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: steps(1, 1000, (step) => 2 - step / 1000) }]));
    expect(answer).toMatchObject({ accepted: 1000, repeated: 0, missing: 0, refusedTotal: 0, attempt: "a1" });
    const window = await world.store.samples.window({ runId: answer.runId, metrics: ["loss"], attempts: "all", axis: "step", from: null, to: null, buckets: 1024 });
    expect(window.points).toBe(1000);
    expect(window.lines[0]?.summary).toMatchObject({ points: 1000, min: 1, minStep: 1000, max: 1.999, maxStep: 1 });
  });
});
