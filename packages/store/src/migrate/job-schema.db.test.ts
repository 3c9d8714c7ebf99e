import { createTestDatabase } from "@trainwatch/testkit";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { migrateJobs } from "./job-schema.ts";

async function ask(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("the schema in which jobs wait", () => {
  it("is made by two processes at once on an empty database, and made again without a change", async () => {
    await using database = await createTestDatabase({ empty: true });
    await Promise.all([migrateJobs(database.url), migrateJobs(database.url)]);
    const migrations = "SELECT id FROM graphile_worker.migrations ORDER BY id";
    const made = await ask(database.url, migrations);
    expect(made.length).toBeGreaterThan(0);
    await migrateJobs(database.url);
    expect(await ask(database.url, migrations)).toEqual(made);
  });

  it("asks an administrator for the right to make it where the database's user may not", async () => {
    await using database = await createTestDatabase({ empty: true });
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    const role = `jobs_${name}`;
    await ask(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
    try {
      url.username = role;
      url.password = "p";
      await expect(migrateJobs(url.href)).rejects.toMatchObject({
        code: "misconfigured",
        message: expect.stringContaining("GRANT CREATE ON DATABASE"),
      });
      await ask(database.url, `GRANT CREATE ON DATABASE ${name} TO ${role}`);
      await migrateJobs(url.href);
    } finally {
      await ask(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});
