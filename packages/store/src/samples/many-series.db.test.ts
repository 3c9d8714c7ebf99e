import { createTestStore } from "@trainwatch/testkit";
import { expect, it } from "vitest";
import { FIRST_ATTEMPT, ramp, writePush } from "./world.fixture.ts";

const LANES = ["loss", "grad_norm", "learning_rate", "tokens_per_second"];
const BUCKETS = 1024;
/** 64 series × 20,000 steps here; 64 × 1,000,000 is `npm run bench -- query page`. */
const SERIES = 64;
const STEPS = 20_000;
const KEYS = 2_000;

/** Chart lanes first, so that a page asks for four of 64. */
function metricNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => LANES[index] ?? `extra/${index}`);
}

it("A2: a run of 64 series and 2,000 keys, growing while it is looked at, never answers more than a chart can draw", async () => {
  await using world = await createTestStore();
  const { store } = world;
  const attempt = { ...FIRST_ATTEMPT, firstStep: 1, lastStep: STEPS };
  const { runId } = await writePush(
    store,
    metricNames(SERIES).map((metric) => ({ metric, points: ramp(1, STEPS, (step) => step % 97) })),
    [attempt],
  );
  await writePush(
    store,
    metricNames(KEYS).map((metric) => ({ metric, points: [[STEPS + 1, 5]] })),
    [attempt],
  );

  for (let live = 2; live <= 40; live++) {
    await writePush(
      store,
      LANES.map((metric) => ({ metric, points: [[STEPS + live, live]] })),
      [attempt],
    );
    if (live % 13 === 0) while (await store.samples.maintain());
    const window = await store.samples.window({
      runId,
      metrics: LANES,
      attempts: "effective",
      axis: "step",
      from: null,
      to: null,
      buckets: BUCKETS,
    });
    expect(window.lines.map(({ metric }) => metric).sort()).toEqual([...LANES].sort());
    for (const line of window.lines) {
      expect(line.x.length).toBeLessThanOrEqual(BUCKETS);
      expect(line.summary).toMatchObject({ points: STEPS + live, lastStep: STEPS + live, last: live });
    }
  }

  const page = await store.records.runs.metricKeys({ runId, search: "", limit: 50, cursor: null });
  expect([page.items.length, page.total]).toEqual([50, KEYS]);
});
