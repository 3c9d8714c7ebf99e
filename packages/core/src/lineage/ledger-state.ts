import { bookedState } from "./attempt-book.ts";
import type { LineagePoint, LineageState } from "./contract.ts";
import { allStrands } from "./decide-strands.ts";
import type { Ledger } from "./ledger.ts";
import { strandState } from "./strand.ts";
import { undecidedState } from "./undecided.ts";

export function ledgerState<P extends LineagePoint>(ledger: Ledger<P>): LineageState {
  const undecided = undecidedState(ledger);
  return {
    version: 1,
    attempts: bookedState(ledger.book.all),
    numbered: ledger.book.numbered(),
    current: ledger.current?.name ?? null,
    previous: ledger.previous,
    naming: ledger.naming,
    wanted: ledger.wanted,
    marker: ledger.marker === null ? null : { ...ledger.marker },
    tracks: ledger.tracks.state(),
    strands: allStrands(ledger).map(strandState),
    ...(undecided === null ? {} : { undecided }),
    provisional: ledger.provisional,
    idle: ledger.idle,
  };
}
