import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { explainDatabase } from "./database-fault.ts";
import { inTransaction } from "./pool.ts";

const failWith = (code: string): string => `DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${code}'; END $$`;

describe("a database that lacks something", () => {
  it.each([
    ["53100", "disk-full", /disk of the database is full/],
    ["53200", "out-of-memory", /out of memory/],
    ["53300", "too-many-connections", /no more connections/],
    ["53400", "limit-reached", /limit of its configuration/],
    ["53000", "limit-reached", /lacks a resource/],
  ])("is told as SQLSTATE %s has it, never as one that cannot be reached, whoever asked it", async (code, cause, said) => {
    await using world = await createTestStore();
    await world.store.pool.query(
      `CREATE FUNCTION full_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${code}'; END $$`,
    );
    await world.store.pool.query("CREATE TRIGGER full_up BEFORE INSERT ON token FOR EACH ROW EXECUTE FUNCTION full_up()");
    const token = { name: "t", hash: "h", prefix: "p", scopes: ["read" as const], createdAtMs: 0 };
    const failures = await Promise.all([
      inTransaction(world.store.pool, "write", (client) => client.query(failWith(code))).catch((error: unknown) => error),
      world.store.records.tokens.create(token).catch((error: unknown) => error),
      world.store.records.transaction((records) => records.tokens.create(token)).catch((error: unknown) => error),
    ]);
    const explained = failures.map((failure) => explainDatabase(failure, "Try again.") ?? failure);
    for (const each of [failures[0], ...explained.slice(1)]) {
      expect(each).toMatchObject({ code: "unavailable", details: { cause }, message: expect.stringMatching(said) });
      expect(String(each)).not.toContain("cannot be reached");
    }
  });

  it("leaves a wrong question what it is", async () => {
    await using world = await createTestStore();
    const wrong = await world.store.pool.query("SELECT nothing_of_this_name").catch((error: unknown) => error);
    expect(explainDatabase(wrong, "Try again.")).toBeNull();
    await expect(inTransaction(world.store.pool, "read", () => Promise.reject(wrong))).rejects.toBe(wrong);
  });
});
