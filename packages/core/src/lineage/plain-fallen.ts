import type { BookedAttempt } from "./attempt-book.ts";
import type { LineagePoint, PlainSeries, Placement } from "./contract.ts";
import { type Ledger, addStrand } from "./ledger.ts";
import { type Strand, extendStrand, newStrand, staysFallen } from "./strand.ts";
import { followsLoneJump, isLate, remembers } from "./track.ts";

/** What has fallen and then fell silent while the run went on this long elsewhere is let go. */
export const IDLE_POINTS = 4096;

/**
 * Takes whole series that fall back as others have, or go on where they have fallen to, while that decides nothing: of a run of sixteen
 * thousand ranks each falls back in its own push. Null where a point needs more than that; then nothing has been taken.
 */
export function fallPlainly<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  series: readonly PlainSeries[],
): readonly Placement[] | null {
  const { provisional, elsewhere } = ledger;
  if (provisional === null || ledger.naming || ledger.idle + 1 >= IDLE_POINTS) return null;
  const strands = series.map((each) => fallenOf(ledger, current, each));
  const isPlain = series.every(({ step }, index) => {
    const strand = strands[index];
    // Where the old attempt branches off is known for this first step.
    return strand !== undefined && (elsewhere === null || (strand?.first ?? step[0]) === elsewhere.longest?.first);
  });
  if (!isPlain) return null;
  ledger.idle = 0;
  return series.map((each, index): Placement => ({ ...fallOn(ledger, strands[index] ?? null, each, provisional), flag: null }));
}

/** The sequence that the series goes on with, null where it begins one, undefined where it is not as simple as that. */
function fallenOf<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  { series, step, value }: PlainSeries,
): Strand<P> | null | undefined {
  const [track, second] = ledger.tracks.peek(current.name, series)?.tracks ?? [];
  const [strand, other] = ledger.strands.get(series) ?? [];
  if (track === undefined || second !== undefined || other !== undefined || track.jump !== null || track.ahead !== null) return undefined;
  const first = step[0] ?? Number.NaN;
  if (!risesBelow(step, strand?.last ?? -Infinity, strand === undefined ? track.last : track.last + 1)) return undefined;
  if (strand !== undefined) return strand.given !== null && staysFallen(strand, step.length) ? strand : undefined;
  const begins = !remembers(track, first, value[0] ?? Number.NaN) && !followsLoneJump(track, first) && !isLate(track, first);
  return begins && staysFallen(newStrand("fallen", { series, step: first, value: 0 }), step.length - 1) ? null : undefined;
}

/** Whether steps rise from above `low` and stay below `high`. */
function risesBelow(step: ArrayLike<number>, low: number, high: number): boolean {
  let last = low;
  for (let index = 0; index < step.length; index++) {
    const here = step[index] ?? Number.NaN;
    if (!(here > last && here < high)) return false;
    last = here;
  }
  return step.length > 0;
}

function fallOn<P extends LineagePoint>(
  ledger: Ledger<P>,
  known: Strand<P> | null,
  { series, step, value }: PlainSeries,
  provisional: string,
): { readonly attempt: string; readonly writer: string | null } {
  const points = Array.from(step, (at, index) => ({ series, step: at, value: value[index] ?? Number.NaN }));
  const [first, ...rest] = points;
  const strand = known ?? newStrand<P>("fallen", first ?? { series, step: Number.NaN, value: Number.NaN });
  if (known === null) addStrand(ledger, strand);
  for (const point of known === null ? rest : points) extendStrand(strand, point);
  ledger.order += points.length;
  return (strand.given ??= { attempt: provisional, writer: null });
}
