import { createTestStore } from "@trainwatch/testkit";
import { expect, it } from "vitest";
import { ramp, writePush } from "./world.fixture.ts";

/** More than a window answers as lines of their own. */
const RANKS = 5_000;
const BAD = 4_321;
const STEPS = 6;

it("D5: makes one band of five thousand ranks on every axis, packed or not, and a line of its own of a rank that is asked for", async () => {
  await using world = await createTestStore();
  const { store } = world;
  const ranks = (metric: string) =>
    Array.from({ length: RANKS }, (_, rank) => ({
      metric,
      labels: { rank: String(rank) },
      points: ramp(
        1,
        STEPS,
        (step) => (rank === BAD && step === 4 ? 90 : step),
        (step) => 1_000_000 + step * 1_000,
      ),
    }));
  const { runId } = await writePush(store, [
    ...ranks("loss"),
    // Of a name behind all the ranks' series.
    { metric: "tokens_consumed", points: ramp(1, STEPS, (step) => step * 100) },
  ]);
  const ask = (axis: "step" | "time" | "tokens", only?: readonly string[]) =>
    store.samples.window({
      runId,
      metrics: ["loss"],
      attempts: "all",
      axis,
      from: null,
      to: null,
      buckets: 256,
      ...(only === undefined ? {} : { ranks: only }),
    });
  for (const isPacked of [false, true]) {
    if (isPacked) while (await store.samples.maintain());
    for (const axis of ["step", "time", "tokens"] as const) {
      const { lines, points } = await ask(axis);
      expect(points).toBe(RANKS * STEPS);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ labels: {}, members: RANKS });
      expect(lines[0]?.summary).toMatchObject({ points: RANKS * STEPS, min: 1, max: 90, maxStep: 4, last: STEPS });
    }
    const { lines } = await ask("step");
    expect(lines[0]).toMatchObject({
      min: [1, 2, 3, 4, 5, 6],
      max: [1, 2, 3, 90, 5, 6],
      count: Array.from({ length: STEPS }, () => RANKS),
    });
    expect(lines[0]?.mean[3]).toBeCloseTo(4 + 86 / RANKS, 12);
    const alone = await ask("step", [String(BAD), "7"]);
    expect(alone.lines.map(({ labels, members, max }) => [labels, members, max[3]])).toEqual([
      [{ rank: "7" }, 1, 4],
      [{ rank: String(BAD) }, 1, 90],
    ]);
  }
  const onTokens = { runId, fromAxis: "step", toAxis: "tokens", from: 2, to: 5 } as const;
  expect(await store.samples.convertRange(onTokens)).toEqual({ from: 200, to: 500 });
});
