import type { FleetWriter } from "@trainwatch/store";
import type { Generations } from "./generations.ts";
import type { KnownDictionary } from "./known-dictionary.ts";
import type { ReadingTally } from "./reading-tally.ts";
import type { SeriesBook } from "./series-book.ts";
import type { TimeBounds } from "./time-bounds.ts";

/** What the ways into the fleet store share within a process. */
export interface FleetIngestParts {
  readonly book: SeriesBook;
  /** By source and digest. */
  readonly dictionaries: Generations<KnownDictionary>;
  readonly writer: FleetWriter;
  readonly tally: ReadingTally;
  /** Epoch milliseconds. */
  readonly now: () => number;
  timeBounds(): Promise<TimeBounds>;
}
