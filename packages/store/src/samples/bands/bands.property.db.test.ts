import type { Attempt, SeriesWindow } from "@trainwatch/core";
import { createTestStore } from "@trainwatch/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../../open-store.ts";
import { type WindowQuestion, readWindow } from "../window.ts";
import { FIRST_ATTEMPT, type WrittenSeries, writePush } from "../world.fixture.ts";
import { WIDE } from "./band-table.ts";

const RANKS = WIDE + 6;
const attempts: readonly Attempt[] = [
  { ...FIRST_ATTEMPT, firstStep: 0, lastStep: 900 },
  { ...FIRST_ATTEMPT, name: "a2", parent: "a1", branchStep: 300, origin: "step-fell-back", firstStep: 0, lastStep: 900 },
];

/** Points of many ranks or of few; a rank in the middle has a spike, and now and then something that is no number. */
const push = fc.record({
  kind: fc.constant("push" as const),
  attempt: fc.constantFrom("a1", "a2"),
  ranks: fc.constantFrom([0, RANKS], [0, RANKS], [3, 9], [RANKS - 2, RANKS]),
  from: fc.integer({ min: 0, max: 500 }),
  steps: fc.constantFrom(1, 5, 400),
  seed: fc.integer({ min: 1, max: 99 }),
  far: fc.constantFrom(false, false, false, true),
});
const act = fc.oneof(
  { weight: 4, arbitrary: push },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("maintain" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("relabel" as const), rank: fc.nat(RANKS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("reflag" as const), rank: fc.nat(RANKS - 1), lo: fc.nat(500), far: fc.boolean() }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

function seriesOf({ attempt, ranks, from, steps, seed, far }: Extract<Act, { kind: "push" }>): WrittenSeries[] {
  return Array.from({ length: (ranks[1] ?? 0) - (ranks[0] ?? 0) }, (_, index) => {
    const rank = index + (ranks[0] ?? 0);
    const value = (step: number): number => {
      const draw = (step * 31 + rank * 17 + seed * 7) % 997;
      if (draw < 3) return [Number.NaN, Infinity, 0][draw] ?? 0;
      return rank === 5 && step % 50 === 0 ? 1000 + step : draw / 8 - 10;
    };
    return {
      metric: "loss",
      labels: { rank: String(rank) },
      attempt,
      far,
      points: Array.from({ length: steps }, (_, at): [number, number] => [from + at, value(from + at)]),
    };
  });
}

async function move(store: Store, name: string, each: Exclude<Act, { kind: "push" | "maintain" }>): Promise<void> {
  await store.ingest.transaction(async (tx) => {
    const run = await tx.openRun({ project: "test", name }, 0);
    const { found } = await run.series([{ metric: "loss", labels: { rank: String(each.rank) }, unit: null }]);
    const ids = await run.attempts(attempts, new Map());
    const from = { seriesId: found[0]?.id ?? 0, attemptId: ids.get("a1") ?? 0 };
    if (each.kind === "relabel") await run.relabel({ from, to: { ...from, attemptId: ids.get("a2") ?? 0 } });
    else await run.reflag({ from, to: from, loStep: each.lo, hiStep: each.lo + 40, far: each.far });
    await run.append([]);
  });
}

/** The same window with the series read one by one, as if there were no bands. */
async function byMembers(store: Store, question: WindowQuestion): Promise<SeriesWindow> {
  const client = await store.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("DELETE FROM samples.band");
    return await readWindow(client, question);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** What must be the same to the last digit: means are sums in another order, and of several ranks' last points any is the last. */
function exact({ lines, ...rest }: SeriesWindow): unknown {
  return { ...rest, lines: lines.map((line) => ({ ...line, mean: null, last: null, summary: { ...line.summary, last: null } })) };
}

const means = ({ lines }: SeriesWindow): readonly (number | null)[] => lines.flatMap(({ mean }) => mean);

describe("a band of ranks", () => {
  it(
    "answers what its series answer, whatever was pushed, repeated, moved to another attempt, flagged or packed",
    { timeout: 600_000 },
    async () => {
      await using world = await createTestStore();
      const { store } = world;
      let runs = 0;
      let fromBands = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(act, { minLength: 1, maxLength: 8 }),
          fc.record({
            from: fc.integer({ min: 0, max: 900 }),
            width: fc.integer({ min: 0, max: 900 }),
            buckets: fc.constantFrom(16, 256, 1024),
          }),
          async (acts, { from, width, buckets }) => {
            const name = `run ${runs++}`;
            const { runId } = await writePush(
              store,
              [
                {
                  metric: "tokens_consumed",
                  points: [
                    [0, 0],
                    [900, 9000],
                  ],
                },
              ],
              attempts,
              name,
            );
            for (const each of acts) {
              if (each.kind === "push") await writePush(store, seriesOf(each), attempts, name);
              else if (each.kind === "maintain") await store.samples.maintain();
              else await move(store, name, each);
            }
            const ask = { runId, metrics: ["loss"], attempts: "all", buckets } as const;
            for (const question of [
              { ...ask, axis: "step", from: null, to: null },
              { ...ask, axis: "step", from, to: from + width },
              { ...ask, axis: "tokens", from: from * 10, to: (from + width) * 10 },
            ] as const) {
              const [banded, members] = [await store.samples.window(question), await byMembers(store, question)];
              expect(exact(banded)).toEqual(exact(members));
              const apart = means(banded).map((mean, at) => Math.abs((mean ?? 0) - (means(members)[at] ?? 0)));
              expect(Math.max(0, ...apart)).toBeLessThan(1e-9);
            }
            const { rowCount } = await store.pool.query("SELECT FROM samples.band WHERE group_id = $1 AND through = 2147483647", [runId]);
            if ((rowCount ?? 0) > 0) fromBands++;
          },
        ),
        { numRuns: 25, endOnFailure: true },
      );
      // Else it has compared series with themselves.
      expect(fromBands).toBeGreaterThan(10);
    },
  );
});
