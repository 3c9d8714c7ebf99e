import { createTestStore } from "@trainwatch/testkit";
import { expect, it } from "vitest";
import type { Store } from "../open-store.ts";
import { inTransaction } from "../pool/index.ts";
import { type Block, type BlockOwner, cellsBlock, pointsBlock, writeBlocks } from "./block.ts";
import { foldPoints } from "./fold.ts";
import { lockGroup, noteRows } from "./group.ts";
import { columnsOf, writePush } from "./world.fixture.ts";

/** Series of a run that are logged in lockstep, more than a transaction packs. */
const RANKS = 40;
/** Small rows a series by level, as a long run of one point a push leaves them: the oldest rows, and too few a level to be put together. */
const OLD_ROWS = [6, 6, 6, 6, 6, 6, 6, 6, 9, 9, 9, 9, 9, 9, 9, 12, 12, 12];
const FRESH_ROWS = 50;

async function ownersOf(store: Store): Promise<readonly BlockOwner[]> {
  const { rows } = await store.pool.query<BlockOwner>(
    'SELECT DISTINCT series_id AS "seriesId", attempt_id AS "attemptId" FROM samples.block ORDER BY 1, 2',
  );
  return rows;
}

function onePoint(step: number) {
  return columnsOf([[step, step]], step);
}

/** A row a series at a time, as pushes of one step of all ranks write them. */
function lockstepRows(owners: readonly BlockOwner[]): Block[] {
  const old = OLD_ROWS.flatMap((level, index) => {
    const cells = foldPoints(onePoint(index * 2 ** 13), level);
    return owners.map((owner) => cellsBlock(owner, level, cells));
  });
  const fresh = Array.from({ length: FRESH_ROWS }, (_, index) => onePoint(500_000 + index));
  return [...old, ...fresh.flatMap((points) => owners.map((owner) => pointsBlock(owner, points, false)))];
}

async function levels(store: Store): Promise<readonly unknown[]> {
  const { rows } = await store.pool.query(
    `SELECT level, sum(many)::int AS rows, max(many)::int AS "rowsASeries", sum(entries)::int AS entries FROM (
       SELECT level, count(*) AS many, sum(size) AS entries FROM samples.block GROUP BY series_id, attempt_id, level
     ) AS owned GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

it("packs fresh points of many ranks in lockstep, however many old rows of each they lie behind", async () => {
  await using world = await createTestStore();
  const { store } = world;
  const ranks = Array.from({ length: RANKS }, (_, rank) => ({
    metric: "loss",
    labels: { rank: String(rank) },
    points: [[0, 1] as const],
  }));
  const { runId } = await writePush(store, ranks);
  const owners = await ownersOf(store);
  expect(owners).toHaveLength(RANKS);
  await inTransaction(store.pool, "write", async (client) => {
    const blocks = lockstepRows(owners);
    await writeBlocks(client, runId, await lockGroup(client, runId), blocks);
    await noteRows(client, runId, blocks.length, blocks.length);
  });
  while (await store.samples.maintain());
  const [fresh, ...old] = await levels(store);
  expect(fresh).toMatchObject({ level: 0, entries: RANKS * (FRESH_ROWS + 1) });
  // 46 of them were read with the old ones and put together.
  expect(fresh).toHaveProperty("rowsASeries", 6);
  expect(old).toEqual(
    [6, 9, 12].map((level) => {
      const many = OLD_ROWS.filter((each) => each === level).length;
      return { level, rows: RANKS * many, rowsASeries: many, entries: RANKS * many };
    }),
  );
});
