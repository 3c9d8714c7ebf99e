import type { ReleaseRow } from "@trainwatch/core";
import { sayInteger } from "@trainwatch/core";
import type { ReleaseInput } from "./contract.ts";

export interface NoteFacts {
  readonly input: ReleaseInput;
  readonly rows: readonly ReleaseRow[];
  readonly tests: number;
  readonly rowNotes: readonly string[];
  readonly bootstrapped: boolean;
}

const CORRECTIONS = { holm: "Holm", "benjamini-hochberg": "Benjamini–Hochberg" } as const;

/** What a reader of the whole comparison has to know. */
export function comparisonNotes({ input, rows, tests, rowNotes, bootstrapped }: NoteFacts): readonly string[] {
  const candidates = input.columns.length - 1;
  const notes: string[] = [];
  if (tests > 1)
    notes.push(`Verdicts: ${CORRECTIONS[input.correction]} over ${sayInteger(tests)} tests; tie groups: all pairs of a row at once`);
  if (candidates > 1 && rows.length > 0) {
    notes.push(
      `The best of ${sayInteger(candidates + 1)} columns looks better than it is (winner's curse): its rank is corrected for, the size of its lead is not`,
    );
  }
  if (!bootstrapped) notes.push("Too many samples for a bootstrap: means of other scores than pass and fail are compared by Student's t");
  const untested = rows.filter((row) =>
    row.cells.some(({ differences }) =>
      differences.some(
        ({ setting, forbids, baseline, candidate }) => setting === "stderr" && forbids && baseline === null && candidate === null,
      ),
    ),
  );
  if (untested.length > 0) notes.push(`${rowCount(untested.length)} without a known error: no claim is made there`);
  const directionless = rows.filter(({ better }) => better === "none");
  if (directionless.length > 0)
    notes.push(`${rowCount(directionless.length)} where neither direction is known to be better: differences are shown, not judged`);
  return [...notes, ...rowNotes];
}

const rowCount = (count: number): string => (count === 1 ? "1 row" : `${sayInteger(count)} rows`);
