import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../frame/run-cli.ts";
import { createTestIo } from "../frame/test-io.fixture.ts";
import { createTestServer } from "../agent/test-server.fixture.ts";
import { agent } from "./agent.ts";

function configFile(url: string): string {
  const dir = mkdtempSync(join(tmpdir(), "trainwatch-agent-command-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(
    join(dir, "agent.yaml"),
    JSON.stringify({
      server: { url },
      dataDir: join(dir, "data"),
      sources: [
        { kind: "exec", name: "good", command: ["/bin/echo", "a 1"], reads: "exposition" },
        { kind: "exec", name: "bad", command: ["/no/such/program"], reads: "exposition" },
      ],
    }),
  );
  return join(dir, "agent.yaml");
}

async function run(...argv: readonly string[]) {
  const io = createTestIo();
  return { code: await runCli(["agent", ...argv], [agent], io), ...io.written };
}

describe("trainwatch agent", () => {
  it("--check tries each source, says which fails and why, and sends nothing", async () => {
    await using server = await createTestServer();
    const { code, out } = await run("--config", configFile(server.url), "--check");
    expect(code).toBe(2);
    expect(out).toMatch(/good +exec +ok +1 +0 +0/);
    expect(out).toMatch(/bad +exec +FAILS +0 +0 +0 +\/no\/such\/program cannot be started/);
    expect(server.requests).toEqual([]);
  });

  it("--once sends what could be read, names what could not, and exits 2 for it", async () => {
    await using server = await createTestServer();
    const { code, out } = await run("--config", configFile(server.url), "--once", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({ failed: [expect.stringContaining("bad (exec): /no/such/program cannot be started")], waiting: 0 });
    expect(server.readings.filter((reading) => reading.startsWith("a "))).toHaveLength(1);
  });

  it("does not mix the two", async () => {
    expect(await run("--config", "x", "--once", "--check")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--once: cannot go with --check"),
    });
  });
});
