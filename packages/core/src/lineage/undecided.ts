import type { GuessedReach, LineagePoint, LongestFallen, UndecidedState } from "./contract.ts";
import { allStrands, memoryBefore } from "./decide-strands.ts";
import type { Ledger } from "./ledger.ts";
import { cadence } from "./track.ts";

/** What is undecided, of the series at hand and of all others; null where nothing is. */
export function undecidedState<P extends LineagePoint>(ledger: Ledger<P>): UndecidedState | null {
  const { elsewhere, nextPlace } = ledger;
  const strands = allStrands(ledger).length + (elsewhere?.strands ?? 0);
  if (strands === 0) return null;
  return { strands, fallen: allFallen(ledger), nextPlace, reach: guessedReach(ledger), longest: longestFallen(ledger) };
}

export function allFallen<P extends LineagePoint>({ fallen, elsewhere }: Ledger<P>): number {
  return fallen + (elsewhere?.fallen ?? 0);
}

/** First and last steps of what was placed by a guess, by attempt. */
export function guessedReach<P extends LineagePoint>(ledger: Ledger<P>): readonly GuessedReach[] {
  const reaches = new Map(ledger.elsewhere?.reach.map((each) => [each.attempt, each]));
  for (const { given, first, last } of allStrands(ledger)) {
    if (given === null) continue;
    const known = reaches.get(given.attempt) ?? { first, last };
    reaches.set(given.attempt, { attempt: given.attempt, first: Math.min(known.first, first), last: Math.max(known.last, last) });
  }
  return [...reaches.values()].sort((a, b) => (a.attempt < b.attempt ? -1 : 1));
}

/** The longest of what has fallen into the guessed attempt; of equally long ones that of the series that fell first. */
export function longestFallen<P extends LineagePoint>(ledger: Ledger<P>): LongestFallen | null {
  const { provisional, current } = ledger;
  if (provisional === null || current === null) return null;
  const other = ledger.elsewhere?.longest ?? null;
  const others = other === null || ledger.strands.has(other.series) ? [] : [other];
  const own = allStrands(ledger)
    .filter((strand) => strand.kind === "fallen" && strand.given?.attempt === provisional)
    .map(({ series, place, first, count, recent }) => ({ series, place, first, count, gap: cadence({ recent }) }));
  const [longest] = [...own, ...others].sort((a, b) => b.count - a.count || a.place - b.place);
  if (longest === undefined) return null;
  const { remembered, usualGap } = other ?? memoryBefore(longest.first, ledger.tracks.all(current.name));
  return {
    series: longest.series,
    place: longest.place,
    first: longest.first,
    count: longest.count,
    gap: longest.gap,
    remembered,
    usualGap,
  };
}
