import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MigrationList, SchemaContainer } from "@prisma/schema-engine-wasm";

/** `prisma/` at the root of the repository: this file is packages/store/src/migrate/files.ts. */
const PRISMA_FOLDER = fileURLToPath(new URL("../../../../prisma", import.meta.url));

/** The data model that the code is written against. */
export async function readSchema(folder = PRISMA_FOLDER): Promise<SchemaContainer> {
  return { path: "schema.prisma", content: await readFile(join(folder, "schema.prisma"), "utf8") };
}

/** Every migration, oldest first, as the schema engine takes them. */
export async function readMigrations(folder = PRISMA_FOLDER): Promise<MigrationList> {
  const baseDir = join(folder, "migrations");
  const names = (await readdir(baseDir, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (path) => ({
      path,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok" as const, value: await readFile(join(baseDir, path, "migration.sql"), "utf8") },
      },
    })),
  );
  return {
    baseDir,
    lockfile: { path: "migration_lock.toml", content: await readFile(join(baseDir, "migration_lock.toml"), "utf8") },
    shadowDbInitScript: "",
    migrationDirectories,
  };
}
