import { createServer } from "node:net";
import { expositionParser, type ExpositionNote, type ExpositionSample } from "@trainwatch/formats";
import { EXPORTERS, simulateFleet } from "@trainwatch/simulate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveExporters, type ExporterServer } from "./exporter-server.ts";

const START = Date.UTC(2026, 10, 29, 20);
const fleet = simulateFleet({
  nodes: 3,
  seed: 5,
  startMs: START,
  faults: [
    { kind: "exporter-silent", node: 1, atMs: START },
    { kind: "sentinel", node: 2, gpu: 1, atMs: START, field: "DCGM_FI_DEV_MEMORY_TEMP", text: "9223372036854775794" },
    { kind: "xid", node: 2, gpu: 3, atMs: START, code: 79 },
  ],
});
let nowMs = START + 60_000;
let server: ExporterServer;

beforeAll(async () => {
  server = await serveExporters(fleet, { port: 0, now: () => nowMs });
});
afterAll(() => server.close());

function parse(text: string): {
  readonly samples: readonly ExpositionSample[];
  readonly notes: readonly ExpositionNote[];
  readonly issues: readonly unknown[];
} {
  const [samples, notes, issues]: [ExpositionSample[], ExpositionNote[], unknown[]] = [[], [], []];
  const parser = expositionParser(
    { sample: (sample) => samples.push(sample), note: (note) => notes.push(note), issue: (issue) => issues.push(issue) },
    { format: "text" },
  );
  parser.push(new TextEncoder().encode(text));
  parser.end();
  return { samples, notes, issues };
}

describe("the exporters of a simulated fleet", () => {
  it.each(EXPORTERS)("%s answers with text that reads back as the very series and values that the fleet has", async (exporter) => {
    for (const node of [0, 2]) {
      const response = await fetch(`${server.url}/nodes/${node}/${exporter}/metrics`);
      expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      const { samples, notes, issues } = parse(await response.text());
      const scrape = fleet.nodes[node]?.scrape(exporter, nowMs);
      expect(issues).toEqual([]);
      expect(samples.map(({ name, labels }) => [name, labels])).toEqual(scrape?.series);
      expect(samples.map(({ value }) => value)).toEqual([...(scrape?.values ?? [])]);
      expect(new Set(notes.filter(({ kind }) => kind === "type").map(({ family }) => family))).toEqual(
        new Set(samples.map(({ name }) => name)),
      );
    }
  });

  it("shows what time it is", async () => {
    const clock = async (): Promise<number | undefined> => {
      const { samples } = parse(await (await fetch(`${server.url}/nodes/0/node/metrics`)).text());
      return samples.find(({ name }) => name === "node_time_seconds")?.value;
    };
    const before = await clock();
    nowMs += 10_000;
    expect(await clock()).toBe((before ?? 0) + 10);
  });

  it("does not answer for an exporter that is down", async () => {
    await expect(fetch(`${server.url}/nodes/1/dcgm/metrics`)).rejects.toThrow();
  });

  it("lists its targets for Prometheus, each called as on a real cluster", async () => {
    const targets: unknown = await (await fetch(`${server.url}/targets`)).json();
    expect(targets).toHaveLength(6);
    expect(targets).toContainEqual({
      targets: [new URL(server.url).host],
      labels: { __metrics_path__: "/nodes/2/dcgm/metrics", job: "dcgm", instance: "a01-n03:9400", nodename: "a01-n03" },
    });
  });

  it("says what there is where nothing is, and takes nothing but reading", async () => {
    const missing = await fetch(`${server.url}/nodes/3/dcgm/metrics`);
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining("/nodes/0 to /nodes/2")]);
    expect((await fetch(`${server.url}/targets`, { method: "POST" })).status).toBe(405);
  });

  it("says so where the port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(serveExporters(fleet, { port, now: () => nowMs })).rejects.toThrow(`Port ${port} cannot be listened on`);
    await new Promise((resolve) => other.close(resolve));
  });
});
