import { createTestDatabase } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { readMigrations, readSchema } from "./files.ts";
import { migrate } from "./migrate.ts";
import { withSchemaEngine } from "./schema-engine.ts";

describe("migrations", () => {
  it("lead to exactly the schema that schema.prisma describes", async () => {
    await using database = await createTestDatabase();
    const schema = await readSchema();
    const filters = { externalTables: [], externalEnums: [] };
    const diff = await withSchemaEngine(database.url, schema, (engine) =>
      engine.diff({
        from: { tag: "schemaDatasource", files: [schema], configDir: "/" },
        to: { tag: "schemaDatamodel", files: [schema] },
        script: true,
        exitCode: true,
        filters,
      }),
    );
    expect(diff.stdout?.trim(), "SQL that a new migration would have to hold").toBe("-- This is an empty migration.");
    expect(diff.exitCode).toBe(0);
  });

  it("do nothing when they have been applied already", async () => {
    await using database = await createTestDatabase();
    expect(await migrate(database.url)).toEqual([]);
  });

  it("can be applied to an empty database by two processes at once", async () => {
    await using database = await createTestDatabase({ empty: true });
    const applied = await Promise.all([migrate(database.url), migrate(database.url)]);
    expect(applied.flat().sort()).toEqual((await readMigrations()).migrationDirectories.map((each) => each.path));
  });
});
