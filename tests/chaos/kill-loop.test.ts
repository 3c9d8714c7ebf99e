import { once } from "node:events";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runningEmbeddedUrl } from "@trainwatch/store";
import { expect, it, onTestFinished } from "vitest";
import { buildAgent, runAgent, startAgent, writeAgentConfig } from "../flow/agent-process.ts";
import type { AgentProcess, AgentRun } from "../flow/agent-process.ts";
import { countingExporter } from "../flow/counting-exporter.ts";
import { postgresPid, serveProcess } from "../flow/server-process.ts";
import type { ServerProcess } from "../flow/server-process.ts";
import { lookInto, storedReadings } from "../flow/stored-readings.ts";

const ROUNDS = 20;
const VICTIMS = ["agent", "server", "postgres"] as const;
/** Scrapes that must have come in between two kills: each kill hits load that flows. */
const SCRAPES_A_ROUND = 5;
const STEPS_A_ROUND = 40;
const XIDS_A_ROUND = 7;
const SERIES = 40;
const WAIT = { timeout: 60_000, interval: 50 };

it(`kill -9 of agent, server and Postgres, ${ROUNDS} times in the middle of load, loses nothing, doubles nothing, and the spool drains`, async () => {
  const [dir, serverDir] = [await temporaryFolder(), await temporaryFolder()];
  await using exporter = await countingExporter(SERIES);
  const port = await freePort();
  const log = join(dir, "train.jsonl");
  const kernel = join(dir, "kern.log");
  await writeFile(log, "");
  await writeFile(kernel, "");
  let server: ServerProcess = await serveProcess(serverDir, port);
  onTestFinished(async () => void (await server.stop()));
  const url = `http://localhost:${port}`;
  const config = await writeAgentConfig(dir, {
    server: { url },
    dataDir: join(dir, "agent"),
    node: { host: "n1" },
    sources: [
      { kind: "scrape", url: exporter.url, every: "50ms" },
      { kind: "file", path: kernel, log: "kernel", from: "start", every: "50ms" },
      { kind: "trainer", path: log, run: "lab/kill", format: "jsonl", every: "50ms" },
    ],
  });
  const run: AgentRun = { file: await buildAgent(dir), config, token: server.adminToken ?? "" };
  let agent: AgentProcess = startAgent(run);
  onTestFinished(() => agent.kill());

  const newest = async (): Promise<number> => {
    const databaseUrl = await runningEmbeddedUrl(serverDir).catch(() => null);
    const found = databaseUrl === null ? null : await lookInto(databaseUrl, (store) => storedReadings(store, "load_number"));
    return found?.[0]?.values.at(-1) ?? 0;
  };
  for (let round = 0; round < ROUNDS; round++) {
    await appendFile(log, trainLines(round * STEPS_A_ROUND, STEPS_A_ROUND));
    await appendFile(kernel, xidLines(round * XIDS_A_ROUND, XIDS_A_ROUND));
    const served = exporter.served();
    await expect.poll(newest, WAIT).toBeGreaterThanOrEqual(served + SCRAPES_A_ROUND);
    const victim = VICTIMS[round % VICTIMS.length];
    // Half of what a round writes is on its way when the blow falls.
    await appendFile(kernel, xidLines(1_000 + round, 1));
    if (victim === "agent") {
      await agent.kill();
      agent = startAgent(run);
    } else if (victim === "server") {
      await server.kill();
      server = await serveProcess(serverDir, port);
    } else process.kill(await postgresPid(serverDir), "SIGKILL");
  }

  const served = exporter.served();
  await expect.poll(newest, WAIT).toBeGreaterThan(served);
  expect(await agent.stop()).toBe(0);
  expect(await runAgent(run, "--once", "--json")).toMatchObject({ code: 0, out: expect.stringContaining('"waiting": 0') });

  const databaseUrl = (await runningEmbeddedUrl(serverDir)) ?? "";
  const stored = await lookInto(databaseUrl, async (store) => ({
    numbers: (await storedReadings(store, "load_number"))[0]?.values ?? [],
    series: await storedReadings(store, "load_value"),
  }));
  const numbers = stored?.numbers ?? [];
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  // An answer that was on its way to an agent that died was never taken; all others are there. One is cut off at the orderly end as well.
  const agentKills = Math.ceil(ROUNDS / VICTIMS.length);
  expect(exporter.served() - numbers.length).toBeLessThanOrEqual(agentKills + 1);
  for (const { values } of stored?.series ?? []) expect(values).toEqual(numbers);
  expect(stored?.series).toHaveLength(SERIES);

  const ask = async (verb: string, input: object): Promise<unknown> => {
    const address = `${url}/trpc/${verb}?input=${encodeURIComponent(JSON.stringify(input))}`;
    return (await fetch(address, { headers: { authorization: `Bearer ${run.token}` } })).json();
  };
  const events = (await ask("fleet.events", { kinds: ["xid"], limit: 200 })) as {
    readonly result: { readonly data: { readonly items: readonly { readonly kind: string; readonly count: number }[] } };
  };
  const xids = events.result.data.items.filter(({ kind }) => kind === "xid").reduce((sum, { count }) => sum + count, 0);
  expect(xids).toBe(ROUNDS * (XIDS_A_ROUND + 1));
  const steps = ROUNDS * STEPS_A_ROUND;
  expect(await ask("runs.list", {})).toMatchObject({ result: { data: { items: [{ name: "kill", lastStep: steps - 1 }] } } });
  const runId = await runIdOf(ask);
  expect(await ask("runs.get", { runId })).toMatchObject({ result: { data: { pointCount: 2 * steps } } });
}, 600_000);

async function runIdOf(ask: (verb: string, input: object) => Promise<unknown>): Promise<number> {
  const answer = (await ask("runs.list", {})) as {
    readonly result: { readonly data: { readonly items: readonly { readonly id: number }[] } };
  };
  return answer.result.data.items[0]?.id ?? 0;
}

function trainLines(from: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `{"step": ${from + index}, "loss": ${2 + Math.sin(from + index) / 8}, "lr": 0.001}\n`,
  ).join("");
}

function xidLines(from: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) =>
      `Nov 29 10:00:00 n1 kernel: [${from + index}.0] NVRM: Xid (PCI:0000:3b:00): 79, pid=${from + index}, GPU has fallen off the bus.\n`,
  ).join("");
}

async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-chaos-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** The server must be found where it was. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
