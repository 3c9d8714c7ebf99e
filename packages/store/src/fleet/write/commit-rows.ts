import { explainDatabase } from "../../pool/index.ts";
import { type TailRow, type WriteOutcome, windowOf } from "../contract.ts";
import { byGroupAndTime, insertFast } from "./fast-insert.ts";
import { insertSlow, type RowOutcome, type SlowDeps } from "./slow-insert.ts";

/** Readings of one statement at most, in bytes: the driver and the database hold several copies of it. */
const STATEMENT_BYTES = 8 * 1024 * 1024;

interface Numbered {
  readonly row: TailRow;
  readonly request: number;
  /** Within its request. */
  readonly index: number;
}

/**
 * Stores the rows of several requests durably; an outcome a request.
 * @throws AppError `unavailable` where the database is away or lacks room
 */
export async function commitRows(deps: SlowDeps, requests: readonly (readonly TailRow[])[]): Promise<readonly WriteOutcome[]> {
  const rows = requests.flatMap((each, request) =>
    each.flatMap((row, index): readonly Numbered[] => (row.slots.length === 0 ? [] : [{ row, request, index }])),
  );
  rows.sort((a, b) => byGroupAndTime(a.row, b.row) || a.request - b.request || a.index - b.index);
  const tally = requests.map(() => ({ accepted: 0, repeated: 0, conflicts: Array<WriteOutcome["conflicts"][number]>() }));
  const note = ({ request, index }: Numbered, { accepted, repeated, conflicts }: RowOutcome): void => {
    const mine = tally[request];
    if (mine === undefined) return;
    mine.accepted += accepted;
    mine.repeated += repeated;
    for (const slot of conflicts) mine.conflicts.push({ row: index, slot });
  };
  try {
    const [firsts, seconds] = splitSame(rows);
    const left = await insertFirsts(deps, firsts, note);
    const rest = [...left, ...seconds].sort((a, b) => byGroupAndTime(a.row, b.row) || a.request - b.request || a.index - b.index);
    if (rest.length > 0) {
      const outcomes = await insertSlow(
        deps,
        rest.map(({ row }) => row),
      );
      rest.forEach((each, at) => note(each, outcomes[at] ?? { accepted: 0, repeated: 0, conflicts: [] }));
    }
  } catch (error) {
    throw explainDatabase(error, "What was not acknowledged may be sent again.") ?? error;
  }
  return tally;
}

/** Of rows of one group and time the first, and all others. */
function splitSame(sorted: readonly Numbered[]): readonly [Numbered[], Numbered[]] {
  const firsts: Numbered[] = [];
  const seconds: Numbered[] = [];
  for (const each of sorted) {
    const last = firsts.at(-1)?.row;
    const isSame = last !== undefined && last.groupId === each.row.groupId && last.timeMs === each.row.timeMs;
    (isSame ? seconds : firsts).push(each);
  }
  return [firsts, seconds];
}

async function insertFirsts(
  { pool, windows }: SlowDeps,
  firsts: readonly Numbered[],
  note: (each: Numbered, outcome: RowOutcome) => void,
): Promise<readonly Numbered[]> {
  await windows.ensure(windowsOf(firsts));
  const left: Numbered[] = [];
  for (const some of statements(firsts)) {
    const missing = new Set(
      await insertFast(
        pool,
        some.map(({ row }) => row),
      ),
    );
    some.forEach((each, index) => {
      if (missing.has(index)) left.push(each);
      else note(each, { accepted: each.row.slots.length, repeated: 0, conflicts: [] });
    });
  }
  return left;
}

function statements(rows: readonly Numbered[]): readonly (readonly Numbered[])[] {
  const cut: Numbered[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const each of rows) {
    if (bytes >= STATEMENT_BYTES) {
      cut.push([]);
      bytes = 0;
    }
    cut.at(-1)?.push(each);
    bytes += each.row.values.length;
  }
  return cut;
}

function windowsOf(rows: readonly Numbered[]): ReadonlySet<number> {
  return new Set(rows.map(({ row }) => windowOf(row.timeMs)));
}
