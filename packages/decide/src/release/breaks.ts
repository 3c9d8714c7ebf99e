import type { BreakCluster, BreakSummary } from "@trainwatch/core";
import type { Joins } from "./align.ts";
import type { ColumnInput } from "./contract.ts";
import type { JudgedRow } from "./judged-row.ts";
import { splitEpoch } from "./sample-clusters.ts";

/** Most clusters that are told of one candidate. */
const MOST_CLUSTERS = 200;

interface Tally {
  lost: number;
  won: number;
  example: BreakCluster["example"];
}

/**
 * What each candidate breaks and mends: samples that the baseline passes and it does not, and the reverse, by task and category, the largest loss
 * first. One row a task (the first with scores of pass and fail), so that a sample counts once. Candidates without common samples are left out.
 */
export function breaksOf(judged: readonly JudgedRow[], columns: readonly ColumnInput[], joins: Joins): readonly BreakSummary[] {
  return columns.slice(1).flatMap((_, place) => {
    const summary = breaksOfColumn(judged, place + 1, joins);
    return summary === null ? [] : [summary];
  });
}

function breaksOfColumn(judged: readonly JudgedRow[], column: number, joins: Joins): BreakSummary | null {
  const clusters: BreakCluster[] = [];
  let pairs = 0;
  for (const row of countedRows(judged, column)) {
    const counted = tally(row, column, joins);
    pairs += counted.pairs;
    for (const [category, { lost, won, example }] of counted.tallies) clusters.push({ task: row.entry.task, category, lost, won, example });
  }
  if (pairs === 0) return null;
  clusters.sort((a, b) => b.lost - b.won - (a.lost - a.won) || b.lost - a.lost || (a.task < b.task ? -1 : 1));
  return {
    column,
    pairs,
    lost: clusters.reduce((sum, { lost }) => sum + lost, 0),
    won: clusters.reduce((sum, { won }) => sum + won, 0),
    clusters: clusters.slice(0, MOST_CLUSTERS),
    clusterTotal: clusters.length,
  };
}

/** Rows whose samples are counted against the baseline: of each task the first with scores of pass and fail that may be compared. */
export function countedRows(judged: readonly JudgedRow[], column: number): readonly JudgedRow[] {
  const done = new Set<string>();
  return judged.filter((row) => {
    const samples = [row.readings[0]?.samples ?? null, row.readings[column]?.samples ?? null];
    const isUsable = row.judgements[column]?.comparable === true && row.direction !== 0;
    if (!isUsable || done.has(row.entry.task) || !samples.every((each) => each?.isBinary === true)) return false;
    done.add(row.entry.task);
    return true;
  });
}

function tally(
  row: JudgedRow,
  column: number,
  joins: Joins,
): { readonly pairs: number; readonly tallies: ReadonlyMap<string | null, Tally> } {
  const tallies = new Map<string | null, Tally>();
  const [own, other] = [row.readings[0]?.samples ?? null, row.readings[column]?.samples ?? null];
  let pairs = 0;
  if (own === null || other === null) return { pairs, tallies };
  const categories = row.readings[0]?.measure.samples?.categories ?? row.readings[column]?.measure.samples?.categories ?? null;
  const ofBaseline = (row.readings[0]?.measure.samples?.categories ?? null) !== null;
  const { places } = joins.align(own.keys, other.keys);
  for (let sample = 0; sample < places.length; sample++) {
    const place = places[sample] ?? -1;
    const change = place < 0 ? Number.NaN : ((other.scores[place] ?? Number.NaN) - (own.scores[sample] ?? Number.NaN)) * row.direction;
    if (Number.isNaN(change)) continue;
    pairs++;
    if (change === 0) continue;
    const category = categories?.[ofBaseline ? sample : place] ?? null;
    const known = tallies.get(category) ?? { lost: 0, won: 0, example: null };
    if (change < 0) {
      known.lost++;
      known.example ??= { rowKey: row.entry.key, ...splitEpoch(own.keys[sample] ?? "", own.epochs), prompt: null };
    } else known.won++;
    tallies.set(category, known);
  }
  return { pairs, tallies };
}
