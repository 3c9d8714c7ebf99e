import { randomBytes } from "node:crypto";
import { openStore, type Store } from "@trainwatch/store";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the throw-away server of this test run: its database `postgres`. */
    readonly postgresUrl: string;
  }
}

/** The migrated database that tests copy: the one the embedded server comes with. */
const TEMPLATE_DATABASE = "trainwatch";

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
}

/**
 * A fresh database of its own for one test, migrated unless it is to be `empty`: `await using database = await createTestDatabase()`.
 * Dropped at the end, open connections or not.
 */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const adminUrl = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${empty ? "template0" : TEMPLATE_DATABASE}`);
  return { url: withDatabase(adminUrl, name), [Symbol.asyncDispose]: () => asAdmin(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

export interface TestStore extends AsyncDisposable {
  readonly store: Store;
  readonly url: string;
}

/** A store on a database of its own; closed and dropped at the end. */
export async function createTestStore(): Promise<TestStore> {
  const database = await createTestDatabase();
  const store = await openStore({ url: database.url });
  return {
    store,
    url: database.url,
    async [Symbol.asyncDispose]() {
      await store.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The same server and account, another database. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
