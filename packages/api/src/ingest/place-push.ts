import { type Attempt, createLineage, type Lineage, type LineageCorrection, type LineagePoint, type LineageState } from "@trainwatch/core";
import type { StoredLineage } from "./stored-lineage.ts";
import type { ParsedPush } from "./parsed-push.ts";
import { type PlacedColumn, type PushedPoint, placePlainly, placePoints } from "./place-points.ts";
import type { SiftedColumn } from "./sift.ts";
import { type Arrival, aliased, asksForAll, noteArrival, overtakenIn, receive } from "./source-book.ts";

export interface PlacementFacts {
  readonly push: ParsedPush;
  readonly columns: readonly SiftedColumn[];
  /** Ids of the series of each column, in the order of `columns`. */
  readonly ids: readonly number[];
  readonly state: StoredLineage;
  /** `state` knows all series of the run, not those of the push only. */
  readonly isWhole: boolean;
  readonly nowMs: number;
}

export interface PlacedPush {
  readonly placed: readonly PlacedColumn[];
  /** Moves of what earlier pushes have stored, in order; `series` is an id as text. */
  readonly corrections: readonly LineageCorrection[];
  /** In the order of launch. */
  readonly attempts: readonly Attempt[];
  /** Attempt that the push's last points belong to. */
  readonly current: string;
  readonly state: StoredLineage;
}

/**
 * Finds attempt and writer of every point of a push, and what it tells about those of earlier ones. Null where that takes all series of the
 * run and the state has not all of them.
 */
export function placePush({ push, columns, ids, state, isWhole, nowMs }: PlacementFacts): PlacedPush | null {
  const lineage = createLineage<PushedPoint>(state.lineage ?? undefined, isWhole ? "all" : "some");
  const places = [...columns.keys()].filter((place) => columns[place]?.hasSteps === true && columns[place].step.length > 0);
  const stepped = places.flatMap((place) => columns[place] ?? []);
  const keys = places.map((place) => String(ids[place]));
  const arrival = { source: push.source, seq: push.seq, reach: reachOf(stepped, keys) };
  const order = lineage.attempts().map((attempt) => attempt.name);
  const names = push.attempt !== undefined || stepped.length === 0;
  if (!isWhole && !names && asksForAll(state.sources, arrival, state.lineage?.current ?? null, order)) return null;
  const received = names
    ? { book: state.sources, attempt: push.attempt ?? null, newAliases: [] }
    : receive(state.sources, arrival, state.lineage?.current ?? null, order);
  if (!isWhole && hasUndecided(state.lineage) && (decides(state.lineage, push, received.attempt) || isOvertaken(state, push))) return null;
  announceLaunch(lineage, push, received.attempt);
  const moved = received.newAliases.flatMap(({ attempt }) => movesOf(state.sources, received.book, attempt));
  const plain = placeLate(lineage, push, state.sources, stepped, keys) ?? placePlainly(lineage, stepped, keys);
  if (plain === null && !isWhole) return null;
  const { placed, corrections } =
    plain === null ? placePoints(lineage, stepped, keys) : { placed: plain, corrections: lineage.takeCorrections() };
  if (stepped.length < columns.length && lineage.attempts().length === 0) beginWithoutSteps(lineage, nowMs);
  const all = lineage.attempts();
  const attempts = all
    .filter((attempt) => !received.book.aliases.some((alias) => alias.attempt === attempt.name))
    .map((attempt) => ({
      ...attempt,
      parent: attempt.parent === null ? null : aliased(received.book, { attempt: attempt.parent, writer: null }).attempt,
    }));
  const lastPlaced = placed.findLast((each) => !each.far)?.attempt;
  const book = lastPlaced === undefined || names ? received.book : noteArrival(received.book, arrival, lastPlaced);
  const current = aliased(book, { attempt: lastPlaced ?? all.at(-1)?.name ?? push.attempt ?? "a1", writer: null }).attempt;
  return {
    placed: [...placed.map((each) => ({ ...each, ...aliased(book, each) })), ...withoutSteps(columns, current)],
    corrections: [
      ...moved,
      ...corrections.map((correction) => ({ ...correction, ...aliased(book, correction), becomes: aliased(book, correction.becomes) })),
    ],
    attempts,
    current,
    state: { version: 1, lineage: lineage.state(), sources: book },
  };
}

/** Whether anything is undecided, at hand or not: all series have a say in what it is decided to be. */
function hasUndecided(lineage: StoredLineage["lineage"]): lineage is LineageState {
  return lineage?.undecided !== undefined;
}

/** Whether a name, a launch, or that the names end, decides what is undecided of all series. */
function decides({ naming, current, wanted }: LineageState, { events }: ParsedPush, attempt: string | null): boolean {
  return wanted !== null || attempt !== (naming ? current : null) || events.some((event) => event.kind === "start");
}

function isOvertaken({ sources }: StoredLineage, { source, seq }: ParsedPush): boolean {
  return overtakenIn(sources, { source, seq }) !== null;
}

function reachOf(columns: readonly SiftedColumn[], keys: readonly string[]): Arrival["reach"] {
  const reach: Record<string, { first: number; last: number }> = {};
  columns.forEach(({ step }, index) => {
    const key = keys[index] ?? "";
    reach[key] = { first: reach[key]?.first ?? step[0] ?? 0, last: step.at(-1) ?? 0 };
  });
  return reach;
}

/** Moves all that stands in an attempt that has become a writer, what had become a writer of it before included. */
function movesOf(before: StoredLineage["sources"], book: StoredLineage["sources"], attempt: string): readonly LineageCorrection[] {
  const own = [
    attempt,
    ...before.aliases
      .filter((alias) => aliased(before, { attempt: alias.attempt, writer: null }).attempt === attempt)
      .map((alias) => alias.attempt),
  ];
  return own.flatMap((each) => {
    const from = { attempt: each, writer: null };
    return seriesIn(book.holders, each).map((series) => ({ series, ...aliased(before, from), becomes: aliased(book, from) }));
  });
}

/** A push that a later one of its source has overtaken goes where its neighbours are; null where it is no such push. */
function placeLate(
  lineage: Pick<Lineage, "late">,
  { source, seq, attempt }: ParsedPush,
  sources: StoredLineage["sources"],
  columns: readonly SiftedColumn[],
  keys: readonly string[],
): readonly PlacedColumn[] | null {
  const home = attempt === undefined ? overtakenIn(sources, { source, seq }) : null;
  const isLate =
    home !== null &&
    lineage.late(
      home,
      columns.map(({ step, value }, index) => ({ series: keys[index] ?? "", step, value })),
    );
  if (!isLate) return null;
  return columns.map((column) => ({ column, attempt: home, writer: null, far: false, members: "all" }));
}

function seriesIn(holders: StoredLineage["sources"]["holders"], attempt: string): readonly string[] {
  return [...new Set(holders.filter((holder) => holder.attempt === attempt).flatMap((holder) => Object.keys(holder.lasts)))];
}

/** Tells the lineage what is known of the launch: a name, and an event `start` with the step it builds on. */
function announceLaunch(lineage: Pick<Lineage, "named" | "marker">, push: ParsedPush, attempt: string | null): void {
  const start = push.events.find((event) => event.kind === "start");
  const branch = start?.step ?? undefined;
  lineage.named(attempt, branch === undefined ? {} : { branchStep: branch });
  if (start !== undefined && attempt === null) lineage.marker(start.text);
}

/** A run that begins with points that have no steps is in its first attempt all the same. */
function beginWithoutSteps(lineage: Lineage<PushedPoint>, nowMs: number): void {
  const point: LineagePoint = { series: "none", step: 0, timeMs: nowMs, value: 0 };
  lineage.place({ ...point, column: -1, at: 0 });
  lineage.settle();
}

/** Points of a source that counts no steps belong to the attempt that is under way. */
function withoutSteps(columns: readonly SiftedColumn[], attempt: string): readonly PlacedColumn[] {
  return columns
    .filter((column) => !column.hasSteps)
    .map((column) => ({ column, attempt, writer: null, far: false, members: "all" as const }));
}
