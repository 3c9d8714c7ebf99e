import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { movesSince } from "./moves-since.ts";

const PAGE = 4;

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("movesSince", () => {
  it("gives every run that moved at or after a time, longest ago first, in whatever pages it reads them", async () => {
    await using test = await createTestStore();
    // Three runs at each moment: a page ends among runs of one moment, which must be neither lost nor told again.
    await test.store.pool.query(
      "INSERT INTO run (project, name, created_at_ms, last_step, last_received_at_ms) SELECT 'p', 'run ' || n, 0, n, 100 + n / 3 FROM generate_series(1, 30) n",
    );
    await test.store.pool.query("INSERT INTO run (project, name, created_at_ms) VALUES ('p', 'has never sent', 0)");
    const moves = await all(movesSince(test.store.records, 103, PAGE));
    expect(moves.map(({ lastStep }) => lastStep)).toEqual(Array.from({ length: 22 }, (_, index) => index + 9));
    expect(moves[0]).toEqual({ runId: expect.any(Number), lastStep: 9, samples: 0, atMs: 103, incidentsChanged: true });
    expect(await all(movesSince(test.store.records, 103))).toEqual(moves);
    expect(await all(movesSince(test.store.records, 111, PAGE))).toEqual([]);
  });

  it("reads no more than a page at once, also where all have moved at the same moment", async () => {
    await using test = await createTestStore();
    await test.store.pool.query(
      "INSERT INTO run (project, name, created_at_ms, last_received_at_ms) SELECT 'p', 'run ' || n, 0, 5 FROM generate_series(1, 11) n",
    );
    const sizes: number[] = [];
    const { runs } = test.store.records;
    const counted = {
      ...runs,
      movedAfter: async (...question: Parameters<typeof runs.movedAfter>) => {
        const page = await runs.movedAfter(...question);
        sizes.push(page.moves.length);
        return page;
      },
    };
    const moves = await all(movesSince({ runs: counted }, 0, PAGE));
    expect(new Set(moves.map(({ runId }) => runId)).size).toBe(11);
    expect(sizes).toEqual([PAGE, PAGE, 3]);
  });
});
