import type pg from "pg";
import { joinBands } from "./bands/join-bands.ts";
import type { LineBook } from "./bands/line-book.ts";
import { type Block, type BlockOwner, FULL_POINTS, pointsBlock, writeBlocks } from "./block.ts";
import type { Head } from "./dictionary.ts";
import { noteRows } from "./group.ts";
import { addHeads, headOf } from "./heads.ts";
import type { HeadBook } from "./head-book.ts";
import { type ReachIn, mayOverlap, narrowed, reachOf, readOverlapping } from "./overlap.ts";
import { type Points, decodePoints, pickPoints, slicePoints, sortPoints } from "./points.ts";

/** New points of one series in one attempt; `far` ones are kept apart and left out of the head's marks. */
export interface Batch extends BlockOwner {
  readonly points: Points;
  readonly far: boolean;
}

export interface AppendOutcome {
  readonly stored: number;
  /** Points that were there already: the same step and value, and no other time. */
  readonly repeated: number;
  /** Stored points on a step that had another value: each is one of several of its step. */
  readonly seconds: readonly (BlockOwner & { readonly step: number })[];
  /** What was stored, batch by batch, in the order of the input: without repeats, sorted. */
  readonly batches: readonly Batch[];
}

/** What an append takes from its transaction. */
export interface AppendPlace {
  readonly groupId: number;
  /** Number of the next row, as `lockGroup` has told it. */
  readonly firstRow: number;
  /** Which lines the series belong to. */
  readonly lines: LineBook;
  readonly heads: HeadBook;
}

/**
 * Stores batches under the group's lock. Nothing is read for a batch that goes on behind all that its series has; for one that
 * overlaps, the rows of the overlap are.
 */
export async function appendBatches(
  client: pg.ClientBase,
  { groupId, firstRow, lines, heads }: AppendPlace,
  batches: readonly Batch[],
): Promise<AppendOutcome> {
  const sorted = batches.filter((batch) => batch.points.count > 0).map((batch) => ({ ...batch, points: sortPoints(batch.points) }));
  const known = await readOverlaps(client, groupId, sorted, heads);
  const seconds: (BlockOwner & { step: number })[] = [];
  let repeated = 0;
  const kept = sorted.map((batch) => {
    const fresh = withoutRepeats(batch, known.get(ownerKey(batch)) ?? [], seconds);
    repeated += batch.points.count - fresh.points.count;
    // The next batch of the same series in this push is compared with this one too.
    known.set(ownerKey(batch), [...(known.get(ownerKey(batch)) ?? []), fresh.points]);
    return fresh;
  });
  const full = kept.filter((batch) => batch.points.count > 0);
  const near = full.filter((batch) => !batch.far);
  const blocks = [...full.flatMap(rowsOf), ...(await joinBands(client, groupId, near, lines))];
  await writeBlocks(client, groupId, firstRow, blocks);
  await addHeads(
    client,
    groupId,
    full.map((batch): Head => headOf(batch, batch.points, batch.far)),
  );
  if (blocks.length > 0) await noteRows(client, groupId, blocks.length, blocks.length);
  return { stored: full.reduce((sum, batch) => sum + batch.points.count, 0), repeated, seconds, batches: kept };
}

function rowsOf(batch: Batch): Block[] {
  const rows: Block[] = [];
  for (let at = 0; at < batch.points.count; at += FULL_POINTS)
    rows.push(pointsBlock(batch, slicePoints(batch.points, at, at + FULL_POINTS), batch.far));
  return rows;
}

function ownerKey({ seriesId, attemptId }: BlockOwner): string {
  return `${seriesId}:${attemptId}`;
}

/** Stored points on the steps of the batches, by series and attempt. */
async function readOverlaps(
  client: pg.ClientBase,
  groupId: number,
  batches: readonly Batch[],
  book: HeadBook,
): Promise<Map<string, Points[]>> {
  const found = new Map<string, Points[]>();
  if (batches.length === 0) return found;
  const seriesIds = batches.map(({ seriesId }) => seriesId);
  const attemptIds = [...new Set(batches.map(({ attemptId }) => attemptId))];
  const heads = new Map((await book.of(seriesIds, attemptIds)).map((head) => [ownerKey(head), head]));
  const overlapping = batches.flatMap((batch): ReachIn[] => {
    const head = heads.get(ownerKey(batch));
    const reach = reachOf(batch.points);
    return head === undefined || !mayOverlap(reach, head)
      ? []
      : [{ seriesId: batch.seriesId, attemptId: batch.attemptId, ...narrowed(reach, head) }];
  });
  const blocks = await readOverlapping(client, groupId, overlapping);
  for (const block of blocks) found.set(ownerKey(block), [...(found.get(ownerKey(block)) ?? []), decodePoints(block.data)]);
  return found;
}

/** Leaves out what is known, in the batch itself too, and notes steps that get a second value. */
function withoutRepeats(batch: Batch, known: readonly Points[], seconds: (BlockOwner & { step: number })[]): Batch {
  const { points } = batch;
  if (known.length === 0 && risesStrictly(points.step)) return batch;
  const atStep = new Map<number, { value: number; timeMs: number }[]>();
  const wanted = new Set(points.step);
  for (const part of known) {
    for (let index = 0; index < part.count; index++) {
      const step = part.step[index] ?? 0;
      if (wanted.has(step)) remember(atStep, step, part.value[index] ?? 0, part.timeMs[index] ?? Number.NaN);
    }
  }
  const kept: number[] = [];
  for (let index = 0; index < points.count; index++) {
    const step = points.step[index] ?? 0;
    const value = points.value[index] ?? 0;
    const timeMs = points.timeMs[index] ?? Number.NaN;
    const others = atStep.get(step) ?? [];
    if (others.some((other) => sameValue(other.value, value) && sameTime(other.timeMs, timeMs))) continue;
    if (others.some((other) => !sameValue(other.value, value)))
      seconds.push({ seriesId: batch.seriesId, attemptId: batch.attemptId, step });
    remember(atStep, step, value, timeMs);
    kept.push(index);
  }
  return kept.length === points.count ? batch : { ...batch, points: pickPoints(points, kept) };
}

function remember(atStep: Map<number, { value: number; timeMs: number }[]>, step: number, value: number, timeMs: number): void {
  const others = atStep.get(step);
  if (others === undefined) atStep.set(step, [{ value, timeMs }]);
  else others.push({ value, timeMs });
}

function sameValue(a: number, b: number): boolean {
  return a === b || (a !== a && b !== b);
}

/** A source that sends a log again may have no times, or read them anew; where both have one it must be the same. */
function sameTime(a: number, b: number): boolean {
  return a === b || a !== a || b !== b;
}

function risesStrictly(steps: Float64Array): boolean {
  for (let index = 1; index < steps.length; index++) if ((steps[index] ?? 0) <= (steps[index - 1] ?? 0)) return false;
  return true;
}
