import { AppError, isAppError } from "@trainwatch/core";
import { readMigrations, readSchema } from "./files.ts";
import { distributeTables } from "./distribute.ts";
import { migrateJobs } from "./job-schema.ts";
import { assertAnswers } from "./reach.ts";
import { withSchemaEngine } from "./schema-engine.ts";

const NO_FILTER = { externalTables: [], externalEnums: [] };

/**
 * Brings the database of `url` to this version's schema. Several processes may do it at once: the engine takes an advisory lock.
 * @returns names of the migrations that were applied now.
 * @throws AppError `unavailable` if the database cannot be reached or a migration fails, `misconfigured` if its user may not make what is needed.
 */
export async function migrate(url: string): Promise<readonly string[]> {
  const [schema, migrationsList] = await Promise.all([readSchema(), readMigrations(), assertAnswers(url)]);
  try {
    const applied = await withSchemaEngine(
      url,
      schema,
      async (engine) => (await engine.applyMigrations({ migrationsList, filters: NO_FILTER })).appliedMigrationNames,
    );
    await migrateJobs(url);
    await distributeTables(url);
    return applied;
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("unavailable", `The database could not be brought to this version: ${said.trim()}`, { cause });
  }
}
