import { createTestDatabase, type TestDatabase } from "@trainwatch/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../frame/run-cli.ts";
import { createTestIo } from "../frame/test-io.fixture.ts";
import { doctor } from "./doctor.ts";
import { token } from "./token.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

async function run(...argv: readonly string[]) {
  const io = createTestIo();
  return { code: await runCli([...argv, "--database-url", database.url], [token, doctor], io), ...io.written };
}

describe("trainwatch token", () => {
  it("makes a token, shows its secret once, lists it without, and revokes it", async () => {
    const made = await run("token", "create", "trainer", "--scope", "ingest,read", "--json");
    expect(made.code).toBe(0);
    const { id, secret, scopes } = JSON.parse(made.out);
    expect(secret).toMatch(/^tw_[\w-]{43}$/);
    expect(scopes).toEqual(["ingest", "read"]);

    const listed = await run("token", "list");
    expect(listed.out).toMatch(new RegExp(`^${id} +trainer +ingest,read +tw_\\S+… .* never +live$`, "m"));
    expect(listed.out).not.toContain(secret);

    expect(await run("token", "revoke", String(id))).toMatchObject({ code: 0, out: `Token ${id} ("trainer") is revoked.\n` });
    expect((await run("token", "list")).out).toMatch(/ revoked \d{4}-\d\d-\d\d \d\d:\d\d$/m);
  });

  it.each([
    ["a second live token of one name", ["create", "twice"], /a live token named "twice"/],
    ["a scope that is none", ["create", "x", "--scope", "root"], /--scope: must be among ingest, read, operate, admin/],
    ["an id that is no number", ["revoke", "trainer"], /trainer is no number of a token/],
    ["an id that is not there", ["revoke", "4711"], /no live token 4711/],
    ["an empty name", ["create", " "], /name/],
  ])("refuses %s with exit code 2", async (_what, argv, said) => {
    if (argv[1] === "twice") await run("token", ...argv);
    const { code, out, err } = await run("token", ...argv);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(said);
  });
});

describe("trainwatch doctor", () => {
  it("looks at everything and says what to do about what is amiss", async () => {
    const { code, out } = await run("doctor", "--json");
    expect(code).toBe(0);
    const { checks } = JSON.parse(out);
    expect(checks.map(({ check }: { check: string }) => check)).toEqual([
      "configuration",
      "dashboard",
      "database",
      "clock",
      "migrations",
      "access",
      "data",
      "coverage",
    ]);
    expect(checks.find(({ check }: { check: string }) => check === "data")).toMatchObject({
      status: "warning",
      message: "no sample of a run has come yet",
      fix: expect.stringContaining("trainwatch import"),
    });
    for (const { status, fix } of checks) expect(fix === null).toBe(status === "ok");
  });

  it("exits 1 on a warning only where it was asked to", async () => {
    expect((await run("doctor")).code).toBe(0);
    expect((await run("doctor", "--fail-on", "fault")).code).toBe(0);
    expect((await run("doctor", "--fail-on", "warning")).code).toBe(1);
  });

  it("exits 2 where the database cannot be reached, and says what to look at", async () => {
    const io = createTestIo();
    expect(await runCli(["doctor", "--database-url", "postgres://nobody@127.0.0.1:1/none"], [doctor], io)).toBe(2);
    expect(io.written.out).toMatch(/◆ database: .*\n {2}→ Check that DATABASE_URL/);
  });

  it("exits 2 on a configuration that cannot be read, naming each fault", async () => {
    const io = createTestIo();
    expect(await runCli(["doctor", "--database-url", "mysql://x", "--config", "/nowhere.yaml"], [doctor], io)).toBe(2);
    expect(io.written.out).toMatch(/◆ configuration: .*2 faults[\s\S]*\/nowhere\.yaml[\s\S]*--database-url must be/);
  });
});
