import type { ColumnInput, PairColumn } from "./contract.ts";
import { sideName } from "./pair-column.ts";

/** Judgements of one task by one judge: the opponent that most columns share, and each column's judgements against it. */
export interface PreferenceTask {
  readonly task: string;
  readonly opponent: string;
  /** Of {@link opponentKey}. */
  readonly opponentKey: string;
  readonly judge: string | null;
  /** By column, of this judge, or of another where this one has not judged the column; null: not judged against that opponent. */
  readonly pairs: readonly (PairColumn | null)[];
}

export const columnKey = ({ scorecardId }: Pick<ColumnInput, "scorecardId">): string => `#${scorecardId}`;

/**
 * Who the opponent is. A model that is no column may have been imported with several runs and is the same by its name; one that is called as a column is
 * need not be that column.
 */
export function opponentKey({ opponent, opponentId }: PairColumn, columns: readonly ColumnInput[]): string {
  const isLikeColumn = columns.some((column) => column.scorecardId === opponentId || sideName(column) === opponent);
  return isLikeColumn ? columnKey({ scorecardId: opponentId }) : `=${opponent}`;
}

export function preferenceTasks(columns: readonly ColumnInput[]): readonly PreferenceTask[] {
  const tasks = new Set(columns.flatMap(({ pairs }) => pairs.map(({ task }) => task)));
  return [...tasks].map((task) => preferenceTask(task, columns));
}

interface Choice {
  readonly opponent: string;
  readonly key: string;
  readonly judge: string | null;
}

function preferenceTask(task: string, columns: readonly ColumnInput[]): PreferenceTask {
  const { opponent, key, judge } = commonChoice(task, columns);
  const pairs = columns.map((column) => {
    const own = column.pairs.filter((pair) => pair.task === task && opponentKey(pair, columns) === key);
    return own.find((pair) => pair.judge === judge) ?? own[0] ?? null;
  });
  return { task, opponent, opponentKey: key, judge, pairs };
}

/** The opponent and judge that most columns were judged against, or are; of several the baseline, then who has judged most. */
function commonChoice(task: string, columns: readonly ColumnInput[]): Choice {
  const [baseline] = columns;
  const choices = new Map<string, Choice & { reach: number; judged: number }>();
  for (const column of columns) {
    for (const pair of column.pairs) {
      if (pair.task !== task) continue;
      const key = opponentKey(pair, columns);
      const name = JSON.stringify([key, pair.judge]);
      const known = choices.get(name) ?? {
        opponent: pair.opponent,
        key,
        judge: pair.judge,
        reach: Number(columns.some((each) => columnKey(each) === key)),
        judged: 0,
      };
      choices.set(name, { ...known, reach: known.reach + 1, judged: known.judged + pair.keys.length });
    }
  }
  const isBaseline = ({ key }: Choice): number => Number(baseline !== undefined && columnKey(baseline) === key);
  const ranked = [...choices.entries()].sort(
    ([a, one], [b, other]) =>
      other.reach - one.reach || isBaseline(other) - isBaseline(one) || other.judged - one.judged || (a < b ? -1 : 1),
  );
  return ranked[0]?.[1] ?? { opponent: "", key: "", judge: null };
}
