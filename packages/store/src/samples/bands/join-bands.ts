import type pg from "pg";
import type { Block, BlockOwner } from "../block.ts";
import type { Points } from "../points.ts";
import { bandBlocks, stepCells } from "./band-cells.ts";
import { type Band, WHOLE, WIDE, insertBand, lineKey, readBands } from "./band-table.ts";
import type { Line, LineBook } from "./line-book.ts";

/** What a push stores of one series in one attempt. */
interface NewPoints extends BlockOwner {
  readonly points: Points;
}

interface NewOfLine {
  readonly line: Line;
  readonly attemptId: number;
  readonly batches: NewPoints[];
}

/**
 * Rows by which bands grow with a push, under the group's lock and before its points are counted in the heads. A push as wide as that begins the
 * bands of its lines where nothing of them is stored in the attempt; where something is, maintenance makes the band.
 * @param batches without far points, which are in no band.
 */
export async function joinBands(
  client: pg.ClientBase,
  groupId: number,
  batches: readonly NewPoints[],
  lines: LineBook,
): Promise<readonly Block[]> {
  const known = await readBands(client, groupId);
  if (known.length === 0 && batches.length < WIDE) return [];
  const bands = new Map(known.map((band) => [placeKey(lineKey(band), band.attemptId), band]));
  const blocks: Block[] = [];
  for (const [key, group] of byLine(batches, await lines.of(batches.map(({ seriesId }) => seriesId)))) {
    const band = bands.get(key) ?? (await beginWide(client, groupId, group));
    const taken = band === null ? [] : group.batches.filter(({ seriesId }) => seriesId <= band.through);
    if (band !== null && taken.length > 0) blocks.push(...bandBlocks(band, stepCells(taken.map(({ points }) => points))));
  }
  return blocks;
}

function byLine(batches: readonly NewPoints[], lineOf: ReadonlyMap<number, Line | null>): ReadonlyMap<string, NewOfLine> {
  const groups = new Map<string, NewOfLine>();
  for (const batch of batches) {
    const line = lineOf.get(batch.seriesId);
    if (line === undefined || line === null) continue;
    const key = placeKey(line.key, batch.attemptId);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { line, attemptId: batch.attemptId, batches: [batch] });
    else group.batches.push(batch);
  }
  return groups;
}

function placeKey(line: string, attemptId: number): string {
  return `${attemptId} ${line}`;
}

async function beginWide(client: pg.ClientBase, groupId: number, { line, attemptId, batches }: NewOfLine): Promise<Band | null> {
  const seriesIds = new Set(batches.map(({ seriesId }) => seriesId));
  if (seriesIds.size < WIDE) return null;
  const { rowCount } = await client.query(
    `SELECT FROM samples.head WHERE group_id = $1 AND attempt_id = $2 AND series_id = ANY(ARRAY(
       SELECT id FROM series WHERE run_id = $1 AND metric = $3 AND labels - 'rank' = $4 AND labels ? 'rank')) LIMIT 1`,
    [groupId, attemptId, line.metric, JSON.stringify(line.shared)],
  );
  const bandId = [...seriesIds].reduce((least, id) => Math.min(least, id), WHOLE);
  const { metric, shared } = line;
  const band: Band = { metric, shared, bandId, attemptId, through: rowCount === 0 ? WHOLE : 0 };
  await insertBand(client, groupId, band);
  return band;
}
