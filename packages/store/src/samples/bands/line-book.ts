import type pg from "pg";
import { type LineName, lineKey } from "./band-table.ts";

export interface Line extends LineName {
  readonly key: string;
}

/** Which line of ranks each series of a push belongs to; null for one without a rank. */
export interface LineBook {
  /** What the push says of its series, in the same order. */
  note(found: readonly { readonly id: number; readonly metric: string }[], named: readonly { readonly labels: Labels }[]): void;
  of(seriesIds: readonly number[]): Promise<ReadonlyMap<number, Line | null>>;
}

type Labels = Readonly<Record<string, string>>;

/** Keeps what a push says of its own series, and asks the database about others, which are few (second writers). */
export function lineBook(client: pg.ClientBase, runId: number): LineBook {
  const lines = new Map<string, Line>();
  const known = new Map<number, Line | null>();
  // Most pushes have nothing to do with bands: nothing is worked out before somebody asks.
  let noted: Parameters<LineBook["note"]>[] = [];
  const set = (id: number, name: LineName): void => {
    const key = lineKey(name);
    const line = lines.get(key) ?? { ...name, key };
    lines.set(key, line);
    known.set(id, line);
  };
  return {
    note: (found, named) => void noted.push([found, named]),
    async of(seriesIds) {
      for (const [found, named] of noted)
        found.forEach(({ id, metric }, index) => {
          const { rank, ...shared } = named[index]?.labels ?? {};
          if (rank === undefined) known.set(id, null);
          else set(id, { metric, shared });
        });
      noted = [];
      const unknown = seriesIds.filter((id) => !known.has(id));
      if (unknown.length === 0) return known;
      const { rows } = await client.query<LineName & { id: number; ranked: boolean }>(
        "SELECT id, metric, labels - 'rank' AS shared, labels ? 'rank' AS ranked FROM series WHERE run_id = $1 AND id = ANY($2)",
        [runId, unknown],
      );
      for (const { id, metric, shared, ranked } of rows) {
        if (ranked) set(id, { metric, shared });
        else known.set(id, null);
      }
      return known;
    },
  };
}
