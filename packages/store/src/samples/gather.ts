import type pg from "pg";
import { literal } from "../pool/index.ts";
import { type Scratch, addCells, addPoints, newScratch } from "./accumulate.ts";
import { isBandSeries } from "./bands/band-table.ts";
import { FULL_POINTS, type StoredBlock, readBlocks } from "./block.ts";
import type { BucketGrid } from "./bucket-grid.ts";
import { type Cells, emptyCells, packedCells } from "./cells.ts";
import { CutCells } from "./cut-cells.ts";
import { decodePoints } from "./points.ts";
import type { AttemptView } from "./attempt-view.ts";
import { type Segment, segmentIndex } from "./segments.ts";

/** Series that are read in some attempts. */
export interface GatherPart {
  /** As many at a time as memory has room for. */
  readonly portions: readonly (readonly number[])[];
  readonly attempts: readonly AttemptView[];
}

export interface GatherQuestion {
  readonly groupId: number;
  readonly parts: readonly GatherPart[];
  readonly grid: BucketGrid;
  /** Ends on the axis, both included. On the step axis the segments say the same. */
  readonly from: number;
  readonly to: number;
  readonly withFar: boolean;
  /** Only rows that can hold such times; rows without any time are bound by these steps instead. Infinite where they do not matter. */
  readonly times: { readonly from: number; readonly to: number; readonly untimedLo: number; readonly untimedHi: number };
  /** Which line a series belongs to: a number from 0. */
  lineOf(seriesId: number): number;
}

/** Buckets of one line, in one attempt, of effective or of superseded steps. */
export interface GatheredLine {
  readonly line: number;
  readonly attemptId: number;
  readonly superseded: boolean;
  readonly buckets: Cells;
}

/**
 * Reads what a window needs and no more: the coarsest cells that fit its buckets, points that no such cell holds yet, and the points
 * of cells that the window cuts. Right whatever the maintenance has or has not packed.
 */
export async function gather(client: pg.ClientBase, question: GatherQuestion): Promise<readonly GatheredLine[]> {
  const lines = new Map<string, GatheredLine>();
  for (const part of question.parts) {
    for (const level of new Set(part.attempts.map((attempt) => attempt.level))) {
      const attempts = part.attempts.filter((attempt) => attempt.level === level && attempt.segments.length > 0);
      if (attempts.length === 0) continue;
      for (const seriesIds of part.portions) await gatherLevel(client, question, seriesIds, attempts, level, lines);
    }
  }
  return [...lines.values()];
}

async function gatherLevel(
  client: pg.ClientBase,
  question: GatherQuestion,
  seriesIds: readonly number[],
  attempts: readonly AttemptView[],
  level: number,
  lines: Map<string, GatheredLine>,
): Promise<void> {
  const lo = Math.min(...attempts.flatMap((attempt) => attempt.segments.map((segment) => segment.lo)));
  const hi = Math.max(...attempts.flatMap((attempt) => attempt.segments.map((segment) => segment.hi)));
  const { times } = question;
  const owners = `series_id = ANY(${literal.ints(seriesIds)}) AND attempt_id = ANY(${literal.ints(attempts.map((attempt) => attempt.attemptId))})`;
  const blocks = await readBlocks(
    client,
    question.groupId,
    `${owners} AND up > ${level} AND level <= ${level} AND lo_step <= ${literal.float8(hi)} AND hi_step >= ${literal.float8(lo)}${question.withFar ? "" : " AND NOT far"}
     AND CASE WHEN lo_time_ms IS NULL THEN lo_step <= ${literal.float8(times.untimedHi)} AND hi_step >= ${literal.float8(times.untimedLo)}
       ELSE lo_time_ms <= ${literal.float8(times.to)} AND hi_time_ms >= ${literal.float8(times.from)} END`,
  );
  const cuts = new CutCells(attempts, level);
  const sink = new Sink(question, attempts, cuts, lines);
  for (const block of blocks) if (block.level > 0) sink.findCuts(block);
  for (const block of blocks) sink.take(block, false);
  const starts = cuts.starts();
  if (starts.length === 0) return;
  const width = 2 ** level;
  const behind = await readBlocks(
    client,
    question.groupId,
    `${owners} AND up <= ${level} AND level = 0 AND lo_step < ${literal.float8(Math.max(...starts) + width)} AND hi_step >= ${literal.float8(Math.min(...starts))}
     AND EXISTS (SELECT FROM unnest(${literal.float8s(starts)}) AS cell (lo) WHERE lo_step < cell.lo + ${literal.float8(width)} AND hi_step >= cell.lo)`,
  );
  for (const block of behind) sink.take(block, true);
}

/** Puts points and cells into the buckets of their lines. */
class Sink {
  readonly #question: GatherQuestion;
  readonly #views: ReadonlyMap<number, AttemptView>;
  readonly #cuts: CutCells;
  readonly #lines: Map<string, GatheredLine>;
  readonly #scratch: Scratch = newScratch(FULL_POINTS);
  readonly #ends: Scratch = newScratch(FULL_POINTS);

  constructor(question: GatherQuestion, attempts: readonly AttemptView[], cuts: CutCells, lines: Map<string, GatheredLine>) {
    this.#question = question;
    this.#views = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
    this.#cuts = cuts;
    this.#lines = lines;
  }

  /** Notes cells into which an end of the window falls. On the step axis the segments have told. */
  findCuts(block: StoredBlock): void {
    const view = this.#views.get(block.attemptId);
    const { from, to, times } = this.#question;
    if (view === undefined || view.endsInSteps || (from === -Infinity && to === Infinity)) return;
    const isInside = block.loTimeMs !== null && block.hiTimeMs !== null && block.loTimeMs >= times.from && block.hiTimeMs <= times.to;
    if (isInside && Number.isFinite(times.from + times.to)) return;
    const cells = packedCells(block.data);
    const { a: stepFirst, b: stepLast } = { a: cells.read("stepFirst", this.#ends.a), b: cells.read("stepLast", this.#ends.b) };
    const timeFirst = cells.read("timeFirst", this.#scratch.a);
    const timeLast = cells.read("timeLast", this.#scratch.b);
    const ends = {
      count: cells.count,
      step: (index: number) => stepFirst[index] ?? 0,
      first: (index: number) => view.x(stepFirst[index] ?? 0, timeFirst[index] ?? Number.NaN),
      last: (index: number) => view.x(stepLast[index] ?? 0, timeLast[index] ?? Number.NaN),
    };
    this.#cuts.addCutByEnds(block, ends, from, to);
  }

  /** @param onlyCut takes what lies in cut cells only: the rest has come in as cells. */
  take(block: StoredBlock, onlyCut: boolean): void {
    if (block.level > 0 || isBandSeries(block.seriesId)) this.#takeCells(block, onlyCut);
    else this.#takePoints(block, onlyCut);
  }

  #takeCells(block: StoredBlock, onlyCut: boolean): void {
    const view = this.#views.get(block.attemptId);
    if (view === undefined) return;
    const { from, to } = this.#question;
    // Cells of one step are not cut: as with points, all of a row count that no coarser cell holds, and of others what the cut ones hold.
    const isCut = block.level > 0 || onlyCut ? this.#cuts.of(block) : null;
    if (onlyCut && isCut === null) return;
    const cells = packedCells(block.data);
    const step = cells.read("stepFirst", this.#scratch.a);
    const time = cells.read("timeFirst", this.#scratch.b);
    view.segments.forEach((segment) => {
      const places = new Int32Array(cells.count);
      let taken = 0;
      for (let index = 0; index < cells.count; index++) {
        const at = step[index] ?? 0;
        const x = at >= segment.lo && at <= segment.hi ? view.x(at, time[index] ?? Number.NaN) : undefined;
        const isTaken = x !== undefined && x >= from && x <= to && (isCut?.(at) ?? false) === onlyCut;
        places[index] = isTaken ? this.#bucket(x) : -1;
        if (isTaken) taken++;
      }
      if (taken > 0)
        addCells(this.#buckets(block, segment), cells, places, view.segments.length > 1 ? this.#ends : this.#scratch, !view.endsInSteps);
    });
  }

  #takePoints(block: StoredBlock, onlyCut: boolean): void {
    const view = this.#views.get(block.attemptId);
    if (view === undefined) return;
    const { from, to } = this.#question;
    const isCut = onlyCut ? this.#cuts.of(block) : null;
    if (onlyCut && isCut === null) return;
    const points = decodePoints(block.data);
    // Neighbours mostly go to one bucket: they are added as a run.
    let [runStart, runBucket, runSegment] = [0, -1, -1];
    for (let index = 0; index <= points.count; index++) {
      const step = points.step[index] ?? 0;
      const segment = index < points.count && (isCut === null || isCut(step)) ? segmentIndex(view.segments, step) : -1;
      const x = segment < 0 ? undefined : view.x(step, points.timeMs[index] ?? Number.NaN);
      const bucket = x === undefined || x < from || x > to ? -1 : this.#bucket(x);
      if (bucket === runBucket && segment === runSegment) continue;
      const target = runBucket < 0 ? undefined : view.segments[runSegment];
      if (target !== undefined) addPoints(this.#buckets(block, target), runBucket, points, runStart, index);
      [runStart, runBucket, runSegment] = [index, bucket, segment];
    }
  }

  #bucket(x: number): number {
    const { width, first, count } = this.#question.grid;
    return Math.min(Math.max(Math.floor(x / width) - first, 0), count - 1);
  }

  #buckets(block: StoredBlock, { superseded }: Segment): Cells {
    const line = this.#question.lineOf(block.seriesId);
    const key = `${line}:${block.attemptId}:${superseded}`;
    const known = this.#lines.get(key);
    if (known !== undefined) return known.buckets;
    const buckets = emptyCells(this.#question.grid.count);
    this.#lines.set(key, { line, attemptId: block.attemptId, superseded, buckets });
    return buckets;
  }
}
