import type pg from "pg";
import { type ArrivalRow, type ArrivalRowsQuestion, readArrivals, readOfPush, readShared, rowsAfter, rowsOfPush } from "./arrival-rows.ts";
import { type ArrivedSample, type OpenedRow, countArrivals, openRow, placeSamples } from "./arrived-points.ts";
import type { Names, createNameBook } from "./dictionary.ts";
import { sliceRows } from "./slice-rows.ts";

/** How far a reader has come: all pushes up to `arrival`, and `offset` points of the one after it. */
export interface ArrivalCursor {
  readonly arrival: number;
  readonly offset: number;
}

export interface Arrivals {
  readonly samples: readonly ArrivedSample[];
  /** Pass back as `after`. Equal to it where nothing new had come. */
  readonly next: ArrivalCursor;
  /** Whether more is there already. */
  readonly more: boolean;
}

export interface ArrivalQuestion {
  readonly runId: number;
  readonly after: ArrivalCursor;
  readonly metrics: readonly string[];
  /** Points at most. */
  readonly limit: number;
}

/** Rows whose spans one call looks at, where no single push has more. */
const ROWS_AT_ONCE = 512;
/** Who asks for more than so many points reads a wide run, whose pushes are a thousand rows of few points each: one of them at a time would be a round trip for each. */
const WIDE_LIMIT = 20_000;
const POINTS_A_WIDE_ROW = 4;

function rowsAtOnce(limit: number): number {
  return limit <= WIDE_LIMIT ? ROWS_AT_ONCE : Math.ceil(limit / POINTS_A_WIDE_ROW);
}

/**
 * Points of some metrics in the order in which pushes brought them, and within one push by attempt, step and series. The order does not
 * depend on how much is read at once, nor on what the maintenance has packed meanwhile. Far points are left out. Null for an unknown run.
 *
 * Which rows to read is decided from their spans: a call opens those that hold what it gives and those that overlap with them, also in the
 * middle of a push of millions. It may give fewer points than `limit` though more are there. Expects a read transaction.
 */
export async function readSince(
  client: pg.ClientBase,
  names: ReturnType<typeof createNameBook>,
  { runId, after, limit, metrics }: ArrivalQuestion,
): Promise<Arrivals | null> {
  const dictionary = await names.read(client, runId, metrics);
  if (dictionary === null) return null;
  const question = { groupId: runId, seriesIds: dictionary.series.map(({ id }) => id) };
  const most = rowsAtOnce(limit);
  const rows = await rowsAfter(client, question, after.arrival, most);
  const plan = planPushes(rows, { ...after, limit, most, arrivals: dictionary.arrivals });
  const reader = { client, question, dictionary, after, limit };
  if (plan.kind === "pushes") return readPushes(reader, plan.through);
  const shared = (await readShared(client, question, plan.arrival)).map(openRow);
  // Rows that were packed together may hold points of pushes before it: these come first.
  if (countArrivals(shared, after.arrival, plan.arrival - 1).size > 0) return readPushes(reader, plan.arrival - 1);
  return readOnePush(reader, plan.arrival, shared);
}

interface Reader {
  readonly client: pg.ClientBase;
  readonly question: ArrivalRowsQuestion;
  readonly dictionary: Names;
  readonly after: ArrivalCursor;
  readonly limit: number;
}

type Plan =
  /** Read all pushes up to this one. */
  | { readonly kind: "pushes"; readonly through: number }
  /** This push is too large to be read at once; only what is packed with it may hold points of others before it. */
  | { readonly kind: "one-push"; readonly arrival: number };

interface PlanFacts extends ArrivalCursor {
  readonly limit: number;
  /** Rows at most that were looked at. */
  readonly most: number;
  /** Pushes stored so far. */
  readonly arrivals: number;
}

/** @param rows in the order of their newest push, at most `most`: the last push may have more rows than were seen */
function planPushes(rows: readonly ArrivalRow[], { arrival: after, offset, limit, most, arrivals }: PlanFacts): Plan {
  const isCut = rows.length === most;
  let certain = 0;
  let previous: number | null = null;
  for (let index = 0; index < rows.length;) {
    const push = rows[index]?.hiArrival ?? arrivals;
    let own = 0;
    for (; rows[index]?.hiArrival === push; index++) {
      const row = rows[index];
      if (row === undefined) continue;
      if (row.loArrival > after) certain += row.size;
      if (row.loArrival === push) own += row.size;
    }
    const isLarge = own > limit || (isCut && index === rows.length);
    if (isLarge) return previous === null ? { kind: "one-push", arrival: push } : { kind: "pushes", through: previous };
    if (certain >= offset + limit) return { kind: "pushes", through: push };
    previous = push;
  }
  return { kind: "pushes", through: arrivals };
}

async function readPushes({ client, question, dictionary, after, limit }: Reader, planned: number): Promise<Arrivals> {
  const rows = (await readArrivals(client, question, after.arrival, planned)).map(openRow);
  const wanted = after.offset + limit;
  const through = leastThrough(countArrivals(rows, after.arrival, planned), wanted) ?? planned;
  const points = placeSamples(rows, dictionary, after.arrival, through);
  const end = Math.min(points.length, wanted);
  const samples = points.slice(after.offset, end).map(({ sample }) => sample);
  const last = points[end - 1];
  if (last === undefined || end === points.length)
    return { samples, next: { arrival: through, offset: 0 }, more: through < dictionary.arrivals };
  // The push is cut: it counts as read only when all of it is.
  const given = points.slice(0, end).filter((point) => point.arrival === last.arrival).length;
  return { samples, next: { arrival: last.arrival - 1, offset: given }, more: true };
}

/** The least push with which the points wanted are there; null where they are not. */
function leastThrough(counts: ReadonlyMap<number, number>, wanted: number): number | null {
  let sum = 0;
  for (const arrival of [...counts.keys()].sort((a, b) => a - b)) {
    sum += counts.get(arrival) ?? 0;
    if (sum >= wanted) return arrival;
  }
  return null;
}

async function readOnePush(reader: Reader, arrival: number, shared: readonly OpenedRow[]): Promise<Arrivals> {
  const { client, question, dictionary, after, limit } = reader;
  const order = new Map(dictionary.attempts.map(({ id }, index) => [id, index]));
  const spanOf = (attemptId: number, loStep: number, hiStep: number, size: number) => ({
    attempt: order.get(attemptId) ?? -1,
    loStep,
    hiStep,
    size,
  });
  const own = await rowsOfPush(client, question, arrival);
  const spans = [
    ...own.map(({ rowNo, attemptId, loStep, hiStep, size }) => ({ ...spanOf(attemptId, loStep, hiStep, size), rowNo, opened: null })),
    ...shared.flatMap((opened) => {
      const size = countArrivals([opened], arrival - 1, arrival).get(arrival) ?? 0;
      const { rowNo, attemptId, loStep, hiStep } = opened.block;
      return size === 0 ? [] : [{ ...spanOf(attemptId, loStep, hiStep, size), rowNo, opened }];
    }),
  ];
  const total = spans.reduce((sum, { size }) => sum + size, 0);
  const slice = sliceRows(spans, after.offset, limit);
  const wanted = slice.rows.flatMap(({ rowNo, opened }) => (opened === null ? [rowNo] : []));
  const rows = [...slice.rows.flatMap(({ opened }) => opened ?? []), ...(await readOfPush(client, question, arrival, wanted)).map(openRow)];
  const from = after.offset - slice.before;
  const samples = placeSamples(rows, dictionary, arrival - 1, arrival)
    .slice(from, from + limit)
    .map(({ sample }) => sample);
  const given = after.offset + samples.length;
  if (given < total) return { samples, next: { arrival: arrival - 1, offset: given }, more: true };
  return { samples, next: { arrival, offset: 0 }, more: arrival < dictionary.arrivals };
}
