import type pg from "pg";

/** Runs a statement with its values: on a connection of ours, or within Prisma. */
export type Ask = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export function askOn(client: pg.ClientBase): Ask {
  return async <Row extends object>(sql: string, values: readonly unknown[]) => (await client.query<Row>(sql, [...values])).rows;
}
