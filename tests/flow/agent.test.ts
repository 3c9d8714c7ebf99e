import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, runningEmbeddedUrl } from "@trainwatch/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildAgent, runAgent, startAgent, writeAgentConfig } from "./agent-process.ts";
import { countingExporter } from "./counting-exporter.ts";
import { serveProcess } from "./server-process.ts";
import { storedReadings } from "./stored-readings.ts";

const XID_LINE = "Nov 29 10:00:00 n1 kernel: [1.0] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.\n";

describe("trainwatch agent", () => {
  it("brings readings, events and a training log to the server, each of them once", async () => {
    const dir = await temporaryFolder();
    const serverDir = await temporaryFolder();
    await using exporter = await countingExporter(100);
    const server = await serveProcess(serverDir);
    onTestFinished(async () => void (await server.stop()));
    await writeFile(
      join(dir, "train.jsonl"),
      Array.from({ length: 100 }, (_, step) => `{"step": ${step}, "loss": ${step / 4}}\n`).join(""),
    );
    await writeFile(join(dir, "kern.log"), XID_LINE);
    const config = await writeAgentConfig(dir, {
      server: { url: server.url },
      dataDir: join(dir, "agent"),
      node: { host: "n1" },
      sources: [
        { kind: "scrape", url: exporter.url, every: "100ms" },
        { kind: "file", path: join(dir, "kern.log"), log: "kernel", from: "start", every: "100ms" },
        { kind: "trainer", path: join(dir, "train.jsonl"), run: "lab/flow", every: "100ms" },
      ],
    });
    const run = { file: await buildAgent(dir), config, token: server.adminToken ?? "" };

    const checked = await runAgent(run, "--check", "--json");
    expect(checked).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(checked.out)).toMatchObject({ sources: [{ fault: null, readings: 101 }, { events: 1 }, { pushes: 1 }] });
    expect((await runAgent(run, "--once")).err).toBe("");

    const agent = startAgent(run);
    await appendFile(join(dir, "train.jsonl"), '{"step": 100, "loss": 25}\n');
    await appendFile(join(dir, "kern.log"), XID_LINE.replace("79", "48"));
    const store = await openStore({ url: (await runningEmbeddedUrl(serverDir)) ?? "" });
    onTestFinished(() => store.close());
    await expect
      .poll(async () => (await storedReadings(store, "load_number"))[0]?.values.length ?? 0, { timeout: 30_000 })
      .toBeGreaterThan(10);
    expect(await agent.stop()).toBe(0);
    expect(await runAgent(run, "--once")).toMatchObject({ code: 0 });

    const [numbers] = await storedReadings(store, "load_number");
    const stored = numbers?.values ?? [];
    // The first answer was for `--check`, the last for `--once`. The one before may have been under way when the agent was stopped: nobody had taken it.
    const answered = Array.from({ length: exporter.served() - 1 }, (_, index) => index + 2);
    expect([answered, answered.filter((answer) => answer !== exporter.served() - 1)]).toContainEqual(stored);
    const series = await storedReadings(store, "load_value");
    expect(series).toHaveLength(100);
    for (const { values } of series) expect(values).toEqual(stored);
    const ask = async (verb: string, input: object): Promise<unknown> => {
      const url = `${server.url}/trpc/${verb}?input=${encodeURIComponent(JSON.stringify(input))}`;
      const answer = await (await fetch(url, { headers: { authorization: `Bearer ${run.token}` } })).json();
      return answer;
    };
    expect(await ask("fleet.events", {})).toMatchObject({
      result: {
        data: { total: 2, items: expect.arrayContaining([expect.objectContaining({ kind: "xid", code: 79, count: 1, host: "n1" })]) },
      },
    });
    expect(await ask("runs.list", {})).toMatchObject({ result: { data: { items: [{ project: "lab", name: "flow", lastStep: 100 }] } } });
  });
});

async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-flow-agent-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
