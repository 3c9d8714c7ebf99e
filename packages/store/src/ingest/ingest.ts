import type { Attempt, Push } from "@trainwatch/core";
import type pg from "pg";
import { inTransaction } from "../pool/index.ts";
import { type AppendOutcome, type Batch, appendBatches } from "../samples/append.ts";
import { lineBook } from "../samples/bands/line-book.ts";
import { resetBands } from "../samples/bands/reset-bands.ts";
import type { BlockOwner } from "../samples/block.ts";
import { lockGroup } from "../samples/group.ts";
import { headBook } from "../samples/head-book.ts";
import { type Relabel, relabelSamples } from "../samples/remove.ts";
import { type Reflag, reflagSamples } from "../samples/reflag.ts";
import { type AskedPoints, type StoredPart, readStored } from "../samples/stored-points.ts";
import { type NewBatch, type StoredBatch, countSamples, readBatch, writeBatch } from "./batch-rows.ts";
import { type PushedFacts, moveFacts, writeFacts } from "./fact-rows.ts";
import { readLineageHead, readLineageParts, writeLineage } from "./lineage-rows.ts";
import { type RunFactsNow, type RunMove, moveRun, openRun, readRun, writeAttempts } from "./run-rows.ts";
import {
  type FoundSeries,
  type NamedSeries,
  dropEmptyWriters,
  ensureSeries,
  ensureWriterSeries,
  findPrimaryLoss,
  findWriterSeries,
} from "./series-rows.ts";

/** What one push may do, all of it in one transaction: acknowledged means that it was committed, and so is on disk. */
export interface IngestTransaction {
  /** What was stored before under this (source, seq). */
  batch(source: string, seq: number): Promise<StoredBatch | null>;
  /** Finds or makes the run and locks it against other pushes, maintenance and deletion until the end. */
  openRun(run: Push["run"], nowMs: number): Promise<LockedRun>;
  /** False where the same (source, seq) was stored for another run meanwhile: the transaction must not go on. */
  finish(batch: NewBatch, move: RunMove): Promise<boolean>;
}

export interface LockedRun extends RunFactsNow {
  readonly id: number;
  /** What pushes have left for the next one to tell attempts apart by, as `saveLineage` got it; undefined before the first. */
  lineage(): Promise<unknown>;
  /** The same that is kept in parts, by number. */
  lineageParts(parts: readonly number[] | "all"): Promise<ReadonlyMap<number, string>>;
  /** @param head JSON-safe. @param parts those that have changed; null: there is none any more. */
  saveLineage(head: unknown, parts: ReadonlyMap<number, string | null>): Promise<void>;
  /** Makes the stored attempts those given; ids by name. `times`: of new points, epoch ms. */
  attempts(
    attempts: readonly Attempt[],
    times: ReadonlyMap<string, { readonly first: number; readonly last: number }>,
  ): Promise<ReadonlyMap<string, number>>;
  /** Ids by name of the attempts as stored. */
  attemptIds(): Promise<ReadonlyMap<string, number>>;
  series(wanted: readonly NamedSeries[]): Promise<{ readonly found: readonly FoundSeries[]; readonly made: number }>;
  /** Points stored on the steps of some others, by whichever attempt and writer, by the id asked for; perhaps some beside them. */
  stored(asked: readonly AskedPoints[]): Promise<ReadonlyMap<number, readonly StoredPart[]>>;
  /** The series that a second writer of a series has: the same metric and labels, and the label `writer`. */
  writerSeries(seriesId: number, writer: string): Promise<{ readonly id: number; readonly isNew: boolean }>;
  /** The series of that writer, null where there is none. */
  knownWriterSeries(seriesId: number, writer: string): Promise<number | null>;
  /** Of these series those of second writers that have no points are removed; how many. */
  dropEmptyWriters(seriesIds: readonly number[]): Promise<number>;
  /** The series of the training loss that stands for the run: without labels, else of the lowest rank; null where there is none. */
  primaryLoss(): Promise<number | null>;
  /** Last step of a series in an attempt, far ones left out; null where there is none. */
  lastStepOf(seriesId: number, attemptId: number): Promise<number | null>;
  /** Whether any point of a series is stored in an attempt. */
  hasPoints(seriesId: number, attemptId: number): Promise<boolean>;
  relabel(move: Relabel): Promise<void>;
  /** Far points turned out to be real, or others to be far. */
  reflag(reflag: Reflag): Promise<void>;
  /** Once a transaction. */
  append(batches: readonly Batch[]): Promise<AppendOutcome>;
  facts(facts: Omit<PushedFacts, "runId">): Promise<void>;
  /** Checkpoints, notes and assignments of an attempt that is none any more go to another one. */
  moveFacts(from: string, to: string): Promise<void>;
}

export interface Ingest {
  transaction<T>(act: (tx: IngestTransaction) => Promise<T>): Promise<T>;
  /** Of these sources those that a push was stored under. */
  knownSources(sources: readonly string[]): Promise<readonly string[]>;
  /** Forgets answers to pushes received before a time: points sent again are still known by their values. Returns how many. */
  forgetBatches(beforeMs: number): Promise<number>;
}

export function createIngest(pool: pg.Pool): Ingest {
  return {
    transaction: (act) => inTransaction(pool, "write", (client) => act(ingestTransaction(client))),
    async knownSources(sources) {
      // Index: the primary key (source, seq).
      const { rows } = await pool.query<{ source: string }>("SELECT DISTINCT source FROM ingest_batch WHERE source = ANY($1::text[])", [
        sources,
      ]);
      return rows.map(({ source }) => source);
    },
    async forgetBatches(beforeMs) {
      await pool.query("DELETE FROM ingest_counter WHERE minute_ms < $1", [beforeMs]);
      await pool.query("DELETE FROM fleet_counter WHERE minute_ms < $1", [beforeMs]);
      return (await pool.query("DELETE FROM ingest_batch WHERE received_at_ms < $1", [beforeMs])).rowCount ?? 0;
    },
  };
}

function ingestTransaction(client: pg.PoolClient): IngestTransaction {
  return {
    batch: (source, seq) => readBatch(client, source, seq),
    async openRun(run, nowMs) {
      // A run deleted between finding and locking it is made anew.
      for (;;) {
        const id = await openRun(client, run, nowMs);
        const firstRow = await lockGroup(client, id);
        const facts = await readRun(client, id);
        if (facts !== null) return lockedRun(client, id, firstRow, facts);
        await client.query("DELETE FROM samples.run_group WHERE group_id = $1", [id]);
      }
    },
    async finish(batch, move) {
      await moveRun(client, batch.runId, move);
      await countSamples(client, batch.runId, move.nowMs, batch.answer);
      return writeBatch(client, batch);
    },
  };
}

function lockedRun(client: pg.PoolClient, id: number, firstRow: number, facts: RunFactsNow): LockedRun {
  let nextRow = firstRow;
  const lines = lineBook(client, id);
  const heads = headBook(client, id);
  let moved: BlockOwner[] = [];
  // Before anything joins a band anew, and while the series that have lost their points are still there.
  const settleBands = async (): Promise<void> => {
    await resetBands(client, id, moved);
    moved = [];
  };
  return {
    ...facts,
    id,
    lineage: () => readLineageHead(client, id),
    lineageParts: (parts) => readLineageParts(client, id, parts),
    saveLineage: (head, parts) => writeLineage(client, id, head, parts),
    attempts: (attempts, times) => writeAttempts(client, id, attempts, times),
    async attemptIds() {
      const { rows } = await client.query<{ id: number; name: string }>("SELECT id, name FROM attempt WHERE run_id = $1", [id]);
      return new Map(rows.map((row) => [row.name, row.id]));
    },
    async series(wanted) {
      const named = await ensureSeries(client, id, wanted);
      lines.note(named.found, wanted);
      return named;
    },
    stored: (asked) => readStored(client, id, asked, heads),
    writerSeries: (seriesId, writer) => ensureWriterSeries(client, id, seriesId, writer),
    knownWriterSeries: (seriesId, writer) => findWriterSeries(client, id, seriesId, writer),
    async dropEmptyWriters(seriesIds) {
      await settleBands();
      return dropEmptyWriters(client, id, seriesIds);
    },
    primaryLoss: () => findPrimaryLoss(client, id),
    async lastStepOf(seriesId, attemptId) {
      const { rows } = await client.query<{ last: number | null }>(
        "SELECT last_step AS last FROM samples.head WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3",
        [id, seriesId, attemptId],
      );
      return rows[0]?.last ?? null;
    },
    async hasPoints(seriesId, attemptId) {
      const found = await client.query("SELECT FROM samples.head WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3", [
        id,
        seriesId,
        attemptId,
      ]);
      return found.rowCount !== 0;
    },
    async relabel(move) {
      moved.push(move.from, move.to);
      heads.forget();
      await relabelSamples(client, id, move);
    },
    async reflag(reflag) {
      moved.push(reflag.from, reflag.to);
      heads.forget();
      nextRow += await reflagSamples(client, id, nextRow, reflag);
    },
    async append(batches) {
      await settleBands();
      return appendBatches(client, { groupId: id, firstRow: nextRow, lines, heads }, batches);
    },
    facts: (pushed) => writeFacts(client, { runId: id, ...pushed }),
    moveFacts: (from, to) => moveFacts(client, id, from, to),
  };
}
