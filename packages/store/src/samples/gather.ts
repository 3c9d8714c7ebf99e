import type pg from "pg";
import { literal } from "../pool/index.ts";
import { addCell, addPoint } from "./accumulate.ts";
import { type StoredBlock, readBlocks } from "./block.ts";
import type { BucketGrid } from "./bucket-grid.ts";
import { type Cells, decodeCells, emptyCells } from "./cells.ts";
import { cellStart } from "./fold.ts";
import { decodePoints } from "./points.ts";
import { type Segment, cutCells, segmentIndex } from "./segments.ts";

/** Where a window looks in one attempt, and how it finds a place on its axis. */
export interface AttemptView {
  readonly attemptId: number;
  readonly segments: readonly Segment[];
  /** Cells up to this level are fine enough for the buckets. */
  readonly level: number;
  /** Position on the axis; undefined where it has none. */
  x(step: number, timeMs: number): number | undefined;
}

export interface GatherQuestion {
  readonly groupId: number;
  readonly seriesIds: readonly number[];
  readonly attempts: readonly AttemptView[];
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
  for (const level of new Set(question.attempts.map((attempt) => attempt.level))) {
    const attempts = question.attempts.filter((attempt) => attempt.level === level && attempt.segments.length > 0);
    if (attempts.length > 0) await gatherLevel(client, question, attempts, level, lines);
  }
  return [...lines.values()];
}

async function gatherLevel(client: pg.ClientBase, question: GatherQuestion, attempts: readonly AttemptView[], level: number, lines: Map<string, GatheredLine>): Promise<void> {
  const lo = Math.min(...attempts.flatMap((attempt) => attempt.segments.map((segment) => segment.lo)));
  const hi = Math.max(...attempts.flatMap((attempt) => attempt.segments.map((segment) => segment.hi)));
  const { times } = question;
  const owners = `series_id = ANY(${literal.ints(question.seriesIds)}) AND attempt_id = ANY(${literal.ints(attempts.map((attempt) => attempt.attemptId))})`;
  const blocks = await readBlocks(
    client,
    question.groupId,
    `${owners} AND up > ${level} AND level <= ${level} AND lo_step <= ${literal.float8(hi)} AND hi_step >= ${literal.float8(lo)}${question.withFar ? "" : " AND NOT far"}
     AND CASE WHEN lo_time_ms IS NULL THEN lo_step <= ${literal.float8(times.untimedHi)} AND hi_step >= ${literal.float8(times.untimedLo)}
       ELSE lo_time_ms <= ${literal.float8(times.to)} AND hi_time_ms >= ${literal.float8(times.from)} END`,
  );
  const packs = blocks.map((block) => (block.level === 0 ? { block, cells: null } : { block, cells: decodeCells(block.data) }));
  const cuts = new CutCells(attempts, level);
  for (const { block, cells } of packs) if (cells !== null) cuts.addCutByEnds(block, cells, question);
  const sink = new Sink(question, attempts, cuts, lines);
  for (const { block, cells } of packs) {
    if (cells === null) sink.takePoints(block, false);
    else sink.takeCells(block, cells);
  }
  if (cuts.isEmpty()) return;
  const ranges = cuts.ranges();
  const width = literal.float8(2 ** level);
  const behind = await readBlocks(
    client,
    question.groupId,
    `${owners} AND up <= ${level} AND level = 0 AND lo_step <= ${literal.float8(Math.max(...ranges) + 2 ** level)} AND hi_step >= ${literal.float8(Math.min(...ranges))}
     AND EXISTS (SELECT FROM unnest(${literal.float8s(ranges)}) AS cell (lo) WHERE lo_step < cell.lo + ${width} AND hi_step >= cell.lo)`,
  );
  for (const block of behind) sink.takePoints(block, true);
}

/** Cells that the window cuts, by attempt, and by series where an end in time falls into one. */
class CutCells {
  readonly #bySteps: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #byEnds = new Map<string, Set<number>>();
  readonly #views: ReadonlyMap<number, AttemptView>;
  readonly #level: number;

  constructor(attempts: readonly AttemptView[], level: number) {
    this.#level = level;
    this.#views = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
    this.#bySteps = new Map(attempts.map((attempt) => [attempt.attemptId, cutCells(attempt.segments, level)]));
  }

  addCutByEnds(block: StoredBlock, cells: Cells, { from, to }: GatherQuestion): void {
    const view = this.#views.get(block.attemptId);
    if (view === undefined || (from === -Infinity && to === Infinity)) return;
    for (let index = 0; index < cells.count; index++) {
      const first = view.x(cells.stepFirst[index] ?? 0, cells.timeFirst[index] ?? Number.NaN);
      const last = view.x(cells.stepLast[index] ?? 0, cells.timeLast[index] ?? Number.NaN);
      if (first === undefined || last === undefined || (first >= from && last <= to) || last < from || first > to) continue;
      const key = ownerKey(block);
      const cut = this.#byEnds.get(key) ?? new Set();
      this.#byEnds.set(key, cut.add(cellStart(cells.stepFirst[index] ?? 0, this.#level)));
    }
  }

  of(block: StoredBlock): (step: number) => boolean {
    const bySteps = this.#bySteps.get(block.attemptId);
    const byEnds = this.#byEnds.get(ownerKey(block));
    if ((bySteps === undefined || bySteps.size === 0) && byEnds === undefined) return () => false;
    return (step) => {
      const start = cellStart(step, this.#level);
      return bySteps?.has(start) === true || byEnds?.has(start) === true;
    };
  }

  isEmpty(): boolean {
    return this.#byEnds.size === 0 && [...this.#bySteps.values()].every((cut) => cut.size === 0);
  }

  /** Starts of all cut cells. */
  ranges(): readonly number[] {
    return [...new Set([...this.#bySteps.values(), ...this.#byEnds.values()].flatMap((cut) => [...cut]))];
  }
}

function ownerKey({ seriesId, attemptId }: StoredBlock): string {
  return `${seriesId}:${attemptId}`;
}

/** Puts points and cells into the buckets of their lines. */
class Sink {
  readonly #question: GatherQuestion;
  readonly #views: ReadonlyMap<number, AttemptView>;
  readonly #cuts: CutCells;
  readonly #lines: Map<string, GatheredLine>;

  constructor(question: GatherQuestion, attempts: readonly AttemptView[], cuts: CutCells, lines: Map<string, GatheredLine>) {
    this.#question = question;
    this.#views = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
    this.#cuts = cuts;
    this.#lines = lines;
  }

  takeCells(block: StoredBlock, cells: Cells): void {
    const view = this.#views.get(block.attemptId);
    if (view === undefined) return;
    const { from, to } = this.#question;
    const isCut = this.#cuts.of(block);
    const targets = view.segments.map((segment) => this.#buckets(block, segment));
    for (let index = 0; index < cells.count; index++) {
      const step = cells.stepFirst[index] ?? 0;
      const x = view.x(step, cells.timeFirst[index] ?? Number.NaN);
      if (x === undefined || x < from || x > to || isCut(step)) continue;
      const target = targets[segmentIndex(view.segments, step)];
      if (target !== undefined) addCell(target, this.#bucket(x), cells, index);
    }
  }

  /** @param onlyCut takes the points of cut cells only: the others have come in as cells. */
  takePoints(block: StoredBlock, onlyCut: boolean): void {
    const view = this.#views.get(block.attemptId);
    if (view === undefined) return;
    const { from, to } = this.#question;
    const isCut = this.#cuts.of(block);
    const targets = view.segments.map((segment) => this.#buckets(block, segment));
    const points = decodePoints(block.data);
    for (let index = 0; index < points.count; index++) {
      const step = points.step[index] ?? 0;
      const x = view.x(step, points.timeMs[index] ?? Number.NaN);
      if (x === undefined || x < from || x > to || (onlyCut && !isCut(step))) continue;
      const target = targets[segmentIndex(view.segments, step)];
      if (target !== undefined) addPoint(target, this.#bucket(x), points, index);
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
