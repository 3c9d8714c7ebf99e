import { describe, expect, it } from "vitest";
import { loadCommands } from "../frame/load-commands.ts";
import { runCli } from "../frame/run-cli.ts";
import { createTestIo } from "../frame/test-io.fixture.ts";
import { COMMANDS } from "./registry.ts";

async function run(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createTestIo();
  return { code: await runCli(argv, await loadCommands(argv, COMMANDS), io), ...io.written };
}

describe.each(COMMANDS)("trainwatch $name", ({ name, summary, load }) => {
  it("is listed under the name and summary that it has", async () => {
    expect(await load()).toMatchObject({ name, summary });
  });

  it("has help with an example and --json, for itself or for what it groups", async () => {
    const { examples } = await load();
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.every((line) => line.includes(`trainwatch ${name}`))).toBe(true);
    const { code, out } = await run(name, "--help");
    expect(code).toBe(0);
    expect(out).toContain(`$ ${examples[0] ?? ""}`);
    const child = /^Commands:\n {2}(\w+)/m.exec(out)?.[1];
    expect(child === undefined ? out : (await run(name, child, "--help")).out).toContain("--json");
  });

  it("exits 2 on an option that it does not have", async () => {
    const { code, err } = await run(name, "--no-such-option");
    expect(code).toBe(2);
    expect(err).not.toBe("");
  });
});

describe("trainwatch", () => {
  it("lists every command without loading any", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(out).toContain(`\n  ${name} `);
  });

  it("names an unknown command", async () => {
    expect(await run("instpect")).toMatchObject({ code: 2, err: expect.stringMatching(/unknown command 'instpect'[\s\S]*inspect/) });
  });
});
