import { AppError } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCommand, defineGroup } from "./define-command.ts";
import { printJson } from "./io.ts";
import { runCli } from "./run-cli.ts";
import { createTestIo } from "./test-io.fixture.ts";

const greet = defineCommand({
  name: "greet",
  summary: "Greets.",
  examples: ["trainwatch greet World --times 2"],
  configure: (command) => void command.argument("<name>").option("--times <n>", "how often", "1").option("--mood-now <mood>"),
  options: z.object({
    json: z.boolean(),
    times: z.coerce.number<string>("must be a number").max(3, "must be at most 3"),
    moodNow: z.enum(["glad", "sad"], "must be glad or sad").optional(),
  }),
  run(io, { json, times }, [name]) {
    if (name === "nobody") throw new AppError("unreadable-input", "nobody is not there");
    if (name === "bug") throw new TypeError("undefined is not a function");
    if (json) printJson(io, { name, times });
    else io.out(`hello ${name}\n`.repeat(times));
    return Promise.resolve(times === 3 ? 1 : 0);
  },
});
const group = defineGroup("group", "Groups.", [greet]);

async function run(...argv: readonly string[]) {
  const io = createTestIo();
  return { code: await runCli(argv, [greet, group], io), ...io.written };
}

describe("runCli", () => {
  it("runs a command with its arguments and options and answers its exit code", async () => {
    expect(await run("greet", "World", "--times", "2")).toEqual({ code: 0, out: "hello World\nhello World\n", err: "" });
    expect((await run("greet", "World", "--times", "3")).code).toBe(1);
  });

  it("runs a command of a group", async () => {
    expect(await run("group", "greet", "World", "--json")).toMatchObject({ code: 0, out: '{\n  "name": "World",\n  "times": 1\n}\n' });
  });

  it("shows help with examples and exits 0", async () => {
    const { code, out } = await run("greet", "--help");
    expect(code).toBe(0);
    expect(out).toContain("Examples:\n  $ trainwatch greet World --times 2");
    expect(out).toContain("--json");
  });

  it.each([
    ["an unknown command", ["meet"], /unknown command 'meet'/],
    ["an unknown option", ["greet", "World", "--tmies", "2"], /unknown option '--tmies'.*\n?.*Did you mean --times/],
    ["a missing argument", ["greet"], /missing required argument 'name'/],
    ["an argument too many", ["greet", "a", "b"], /too many arguments/],
    ["a bad value", ["greet", "World", "--times", "9"], /--times: must be at most 3\nSee `trainwatch greet --help`/],
    [
      "several bad values at once",
      ["group", "greet", "World", "--times", "x", "--mood-now", "mad"],
      /--times: must be a number\n--mood-now: must be glad or sad\nSee `trainwatch group greet --help`/,
    ],
    ["no command at all", [], /Usage: trainwatch/],
  ])("exits 2 on %s and says what is wrong", async (_what, argv, said) => {
    const { code, out, err } = await run(...argv);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(said);
  });

  it("tells an expected failure in one sentence, and with --json as a document too", async () => {
    expect(await run("greet", "nobody")).toEqual({ code: 2, out: "", err: "trainwatch: nobody is not there\n" });
    expect(JSON.parse((await run("greet", "nobody", "--json")).out)).toEqual({
      error: { code: "unreadable-input", message: "nobody is not there" },
    });
  });

  it("never shows a stack", async () => {
    const { code, out, err } = await run("greet", "bug");
    expect(code).toBe(2);
    expect(out + err).not.toMatch(/\bat .*\.ts/);
  });
});
