import type pg from "pg";
import type { FleetWriter } from "./contract.ts";
import { createAskPlaces } from "./places/ask-places.ts";
import type { ReadersFirst } from "./readers-first.ts";
import { commitRows } from "./write/commit-rows.ts";
import { createGroupCommit } from "./write/group-commit.ts";
import type { LateBlocks } from "./write/late-blocks.ts";
import { createOpenWindows } from "./write/open-windows.ts";

/** The write side of the fleet store. It keeps nothing but what windows it has made: several processes may have one each. */
export function createFleetWriter(pool: pg.Pool, late: LateBlocks, rest?: ReadersFirst["rest"]): FleetWriter {
  const windows = createOpenWindows(pool);
  const commits = createGroupCommit({
    commit: (requests) => commitRows({ pool, windows, late }, requests),
    ...(rest === undefined ? {} : { rest }),
  });
  return { places: createAskPlaces(pool), write: (rows) => commits.add(rows) };
}
