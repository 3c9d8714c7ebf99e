import { AppError, type PushAnswer } from "@trainwatch/core";
import type { IngestTransaction, LockedRun, NamedSeries, Store } from "@trainwatch/store";
import type { MoveFeed } from "../live/move-feed.ts";
import { pushHash } from "./body-hash.ts";
import { type Extent, placedSpans } from "./attempt-spans.ts";
import { type AttemptSpan, fileFacts } from "./file-facts.ts";
import { joinColumns } from "./join-columns.ts";
import { readLineage } from "./lineage-state.ts";
import type { ParsedPush } from "./parsed-push.ts";
import { type PlacedPush, type PlacementFacts, placePush } from "./place-push.ts";
import { withoutRepeats } from "./repeats.ts";
import { runMove } from "./run-move.ts";
import { type SiftedColumn, siftPush } from "./sift.ts";
import { storePoints } from "./store-points.ts";

export interface PushContext {
  readonly store: Pick<Store, "ingest">;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly moves: Pick<MoveFeed, "announce">;
}

/**
 * Stores a push, all of it or nothing. What it answers is on disk. The same (source, seq) with the same content answers the same and
 * stores nothing.
 * @throws AppError `conflict` where (source, seq) was used for another content, `unavailable` where the database is away.
 */
export async function pushSamples({ store, now, moves }: PushContext, push: ParsedPush): Promise<PushAnswer> {
  const bodyHash = pushHash(push);
  const nowMs = now();
  const done = await store.ingest.transaction(async (tx) => {
    const before = await tx.batch(push.source, push.seq);
    if (before !== null) return { answer: sameAnswer(push, bodyHash, before), lastStep: null };
    const run = await tx.openRun(push.run, nowMs);
    // The same push may have been stored while we waited for the run.
    const meanwhile = await tx.batch(push.source, push.seq);
    if (meanwhile !== null) return { answer: sameAnswer(push, bodyHash, meanwhile), lastStep: null };
    return storePush(tx, run, push, bodyHash, nowMs);
  });
  if (done.lastStep !== null || done.answer.accepted > 0) {
    moves.announce({
      runId: done.answer.runId,
      lastStep: done.lastStep,
      samples: done.answer.accepted,
      atMs: nowMs,
      incidentsChanged: false,
    });
  }
  return done.answer;
}

function sameAnswer(
  { source, seq }: ParsedPush,
  bodyHash: string,
  stored: { readonly bodyHash: string; readonly answer: PushAnswer },
): PushAnswer {
  if (stored.bodyHash === bodyHash) return stored.answer;
  throw new AppError(
    "conflict",
    `Push ${seq} of source ${source} was stored before with another content. Count on within the source, or use another source name.`,
    { details: { source, seq } },
  );
}

async function storePush(
  tx: IngestTransaction,
  run: LockedRun,
  push: ParsedPush,
  bodyHash: string,
  nowMs: number,
): Promise<{ answer: PushAnswer; lastStep: number | null }> {
  const named = push.series.map((series): NamedSeries => ({ metric: series.metric, labels: series.labels, unit: series.unit ?? null }));
  const base = await run.series(named);
  const sifted = siftPush(
    push,
    base.found.map((series) => series.metric),
  );
  const idOf = (column: SiftedColumn): number => base.found[column.series]?.id ?? 0;
  const columns = joinColumns(sifted.columns, sifted.columns.map(idOf));
  // Within an attempt that the source names, repeats are found when the points are stored.
  const fresh =
    push.attempt === undefined
      ? await withoutRepeats(run, columns, columns.map(idOf))
      : { columns, repeated: 0, owners: new Map<number, Extent>() };
  const { placed, corrections, attempts, current } = await place(run, {
    push,
    columns: fresh.columns,
    ids: fresh.columns.map(idOf),
    nowMs,
  });
  const stored = await storePoints(run, { base: base.found, attempts, placed, corrections, arrival: run.arrivals + 1 });
  const spans = [...(await repeatedSpans(run, fresh.owners)), ...placedSpans(placed)];
  const isNamed = push.attempt !== undefined;
  // A log sent again tells of the attempt that it is of, however far the run has come since.
  const home = placed.length > 0 ? current : (spans.at(-1)?.attempt ?? current);
  for (const filed of fileFacts({ checkpoints: push.checkpoints, events: push.events, spans, attempts, current: home, isNamed }))
    await run.facts({ ...filed, nowMs, assignments: [] });
  await run.facts({ attempt: home, nowMs, checkpoints: [], events: [], assignments: push.assignments });
  const answer: PushAnswer = {
    accepted: stored.accepted,
    repeated: stored.repeated + fresh.repeated,
    missing: sifted.missing,
    refused: sifted.refused,
    refusedTotal: sifted.refusedTotal,
    flagged: [...sifted.flagged, ...stored.flagged],
    attempt: home,
    runId: run.id,
  };
  const move = runMove({
    run,
    push,
    attempts,
    answer,
    stored,
    newSeries: base.made + stored.madeSeries,
    relabelled: corrections.length > 0,
    nowMs,
  });
  const written = await tx.finish({ source: push.source, seq: push.seq, runId: run.id, bodyHash, answer, nowMs }, move);
  if (!written)
    throw new AppError(
      "conflict",
      `Push ${push.seq} of source ${push.source} was stored meanwhile for another run. Count on within the source.`,
      { details: { source: push.source, seq: push.seq } },
    );
  return { answer, lastStep: move.lastStep };
}

/** Places a push by what is known of its own series, or by all of the run where that is not enough, and keeps what is known then. */
async function place(run: LockedRun, facts: Omit<PlacementFacts, "state" | "isWhole">): Promise<PlacedPush> {
  const lineage = await readLineage(run, facts.ids);
  const placed = placePush({ ...facts, ...lineage });
  if (placed !== null) {
    await lineage.save(placed.state);
    return placed;
  }
  const whole = await readLineage(run, "all");
  const placedByAll = placePush({ ...facts, ...whole });
  if (placedByAll === null) throw new Error(`the whole lineage of run ${run.id} does not suffice to place a push`);
  await whole.save(placedByAll.state);
  return placedByAll;
}

/** What a push repeats of each attempt, by the attempt's name. */
async function repeatedSpans(run: Pick<LockedRun, "attemptIds">, owners: ReadonlyMap<number, Extent>): Promise<readonly AttemptSpan[]> {
  if (owners.size === 0) return [];
  const names = new Map([...(await run.attemptIds())].map(([name, id]) => [id, name]));
  return [...owners].flatMap(([id, extent]) => {
    const name = names.get(id);
    return name === undefined ? [] : [extent.span(name)];
  });
}
