import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { migrate, startEmbeddedPostgres } from "@trainwatch/store";
import type { TestProject } from "vitest/node";
import { fastFolder } from "./fast-folder.ts";
import { withDatabase } from "./test-database.ts";

/** Vitest global set-up: one throw-away PostgreSQL for all test files, with a migrated database that each test copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await fastFolder(), "trainwatch-test-"));
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, throwAway: true });
  await migrate(postgres.url).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  project.provide("postgresUrl", withDatabase(postgres.url, "postgres"));
  return () => postgres.stop();
}
