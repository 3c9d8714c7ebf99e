import type { LineageState } from "@trainwatch/core";
import type { StoredLineage } from "./stored-lineage.ts";
import type { Holder } from "./source-book.ts";

const SERIES_A_PART = 64;
const NO_SERIES = -1;

type Attempts = LineageState["tracks"];
type SeriesState = Attempts[number]["series"][number];
type StrandState = LineageState["strands"][number];

/** What is not by series. An attempt and a source have a slot, under which the parts speak of them; one that is dropped and comes back gets another. */
export interface LineageHead {
  /** Up to 2 the head held what is undecided of every series. */
  readonly version: 2 | 3;
  readonly nextSlot: number;
  readonly lineage:
    | (Omit<LineageState, "tracks" | "strands"> & {
        readonly tracks: readonly { readonly attempt: string; readonly slot: number }[];
        readonly strands?: LineageState["strands"];
      })
    | null;
  readonly sources: {
    readonly aliases: StoredLineage["sources"]["aliases"];
    readonly holders: readonly (Omit<Holder, "lasts"> & { readonly slot: number })[];
  };
}

/** Of some series, by slot. */
interface LineagePart {
  readonly tracks: Record<number, SeriesState[]>;
  readonly lasts: Record<number, Record<string, number>>;
  /** What is undecided; mostly nothing is. */
  strands?: StrandState[];
}

/** Parts that speak of some series. */
export function partsOf(seriesIds: readonly number[]): readonly number[] {
  return [...new Set(seriesIds.map(partOf))];
}

function partOf(seriesId: number): number {
  // A run that began without steps has begun with a series that is none.
  return Number.isInteger(seriesId) ? Math.floor(seriesId / SERIES_A_PART) : NO_SERIES;
}

/** The state that a head and some of its parts tell: of other series nothing is known. */
export function joinParts(head: LineageHead, texts: Iterable<string>): StoredLineage {
  const parts = [...texts].map((text): LineagePart => JSON.parse(text));
  const { lineage, sources } = head;
  return {
    version: 1,
    lineage: lineage && {
      ...lineage,
      tracks: lineage.tracks.map(({ attempt, slot }) => ({ attempt, series: parts.flatMap(({ tracks }) => tracks[slot] ?? []) })),
      strands: lineage.strands ?? parts.flatMap(({ strands }) => strands ?? []).sort((a, b) => (a.place ?? 0) - (b.place ?? 0)),
    },
    sources: {
      ...sources,
      holders: sources.holders.map(({ slot, ...holder }) => ({ ...holder, lasts: mergedLasts(parts, slot) })),
    },
  };
}

function mergedLasts(parts: readonly LineagePart[], slot: number): Holder["lasts"] {
  const lasts: Record<string, number> = {};
  for (const part of parts) Object.assign(lasts, part.lasts[slot]);
  return lasts;
}

/** Cuts a state by series; attempts and sources that `before` knows keep their slots. */
export function splitParts(state: StoredLineage, before: LineageHead | null): { head: LineageHead; parts: ReadonlyMap<number, string> } {
  let nextSlot = before?.nextSlot ?? 1;
  const attemptSlots = new Map(before?.lineage?.tracks.map(({ attempt, slot }) => [attempt, slot]));
  const sourceSlots = new Map(before?.sources.holders.map(({ source, slot }) => [source, slot]));
  const slotIn = (slots: ReadonlyMap<string, number>, name: string): number => slots.get(name) ?? nextSlot++;
  const parts = new Map<number, LineagePart>();
  const partAt = (series: string): LineagePart => {
    const part = partOf(Number(series));
    const known = parts.get(part) ?? { tracks: {}, lasts: {} };
    parts.set(part, known);
    return known;
  };
  const tracks = state.lineage?.tracks.map(({ attempt, series }) => {
    const slot = slotIn(attemptSlots, attempt);
    for (const each of series) (partAt(each.series).tracks[slot] ??= []).push(each);
    return { attempt, slot };
  });
  const holders = state.sources.holders.map(({ lasts, ...holder }) => {
    const slot = slotIn(sourceSlots, holder.source);
    for (const [series, last] of Object.entries(lasts)) (partAt(series).lasts[slot] ??= {})[series] = last;
    return { ...holder, slot };
  });
  for (const strand of state.lineage?.strands ?? []) (partAt(strand.series).strands ??= []).push(strand);
  const head: LineageHead = {
    version: 3,
    nextSlot,
    lineage: state.lineage && headOf(state.lineage, tracks ?? []),
    sources: { aliases: state.sources.aliases, holders },
  };
  return { head, parts: new Map([...parts].map(([part, each]) => [part, JSON.stringify(each)])) };
}

function headOf(
  { strands: _strands, ...shared }: LineageState,
  tracks: NonNullable<LineageHead["lineage"]>["tracks"],
): NonNullable<LineageHead["lineage"]> {
  return { ...shared, tracks };
}
