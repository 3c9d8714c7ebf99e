import type { LineagePoint, PlainSeries } from "./contract.ts";
import type { Ledger } from "./ledger.ts";
import { rememberLate } from "./track.ts";

/** Takes whole series that came late into an attempt without moving its ends; see {@link Lineage.late}. */
export function takeLate<P extends LineagePoint>(ledger: Ledger<P>, name: string, series: readonly PlainSeries[]): boolean {
  const attempt = ledger.book.get(name);
  if (attempt === undefined || !series.every((each) => fitsBelow(ledger, name, each))) return false;
  for (const { series: key, step, value } of series) {
    const track = ledger.tracks.peek(name, key)?.tracks[0];
    for (let index = 0; index < step.length; index++) {
      const at = step[index] ?? 0;
      if (track !== undefined) rememberLate(track, at, value[index] ?? Number.NaN);
      ledger.book.reach(attempt, at);
    }
  }
  return true;
}

/** Whether all steps lie below the end of the only sequence of the series, and none of them is known to be there. */
function fitsBelow<P extends LineagePoint>(ledger: Ledger<P>, name: string, { series, step }: PlainSeries): boolean {
  const [track, other] = ledger.tracks.peek(name, series)?.tracks ?? [];
  if (track === undefined || other !== undefined || ledger.strands.has(series)) return false;
  const known = new Set(track.recent.map(([at]) => at));
  return Array.from(step).every((at) => at < track.last && !known.has(at));
}
