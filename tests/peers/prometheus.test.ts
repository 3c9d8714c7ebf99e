import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { identifySeries } from "@trainwatch/core";
import { simulateFleet, type SimulatedNode } from "@trainwatch/simulate";
import { startEmbeddedPostgres } from "@trainwatch/store";
import { readStoredReadings, type StoredReading } from "@trainwatch/testkit";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveProcess, type ServerProcess } from "../flow/server-process.ts";
import { findPeerPrograms } from "./debian-programs.ts";
import { startGpuExporter } from "./gpu-exporter.ts";
import { freePort, startPeer } from "./peer-process.ts";
import { startPrometheus, type Prometheus, type PrometheusSeries } from "./prometheus-peer.ts";

const RUN_MS = 120_000;
const STOP_AFTER_MS = 45_000;
const STOPPED_MS = 30_000;
const SICK_AFTER_MS = 50_000;
/** For series to end, queues to drain and the comparison. */
const REST_MS = 150_000;

const peers = await findPeerPrograms();
const promise =
  "missing" in peers
    ? `needs Debian's prometheus and prometheus-node-exporter, which are not here and cannot be fetched (${peers.missing})`
    : "of a real node_exporter and a dcgm-exporter: every sample that Prometheus holds is in our store with the same value, once, although we were away for 30 s";

function configOf(url: string, token: string, scrapes: readonly object[]): object {
  return {
    scrape_configs: scrapes,
    remote_write: [
      {
        url: `${url}/api/v1/write`,
        authorization: { credentials: token },
        queue_config: { max_samples_per_send: 500, batch_send_deadline: "1s", min_backoff: "100ms", max_backoff: "1s" },
      },
    ],
  };
}

/** A job; with null for a port one whose targets have gone. */
const job = (name: string, port: number | null, interval: string): object => ({
  job_name: name,
  scrape_interval: interval,
  scrape_timeout: interval,
  static_configs: [{ targets: port === null ? [] : [`127.0.0.1:${port}`] }],
});

/** Readings by series and time. Two series that become one, or one time twice, would show as `twice`. */
interface Book {
  readonly values: Map<string, number>;
  twice: number;
}

function bookOf(readings: Iterable<readonly [key: string, timeMs: number, value: number]>): Book {
  const book: Book = { values: new Map(), twice: 0 };
  for (const [key, timeMs, value] of readings) {
    const place = `${key} ${timeMs}`;
    if (book.values.has(place)) book.twice++;
    book.values.set(place, value);
  }
  return book;
}

function* held(series: readonly PrometheusSeries[]): Generator<readonly [string, number, number]> {
  for (const { metric, values } of series) {
    const { __name__: metricName = "", ...labels } = metric;
    const key = createHash("sha256").update(identifySeries(metricName, labels).key).digest("hex");
    for (const [timeS, value] of values) yield [key, Math.round(timeS * 1000), Number(value.replace("Inf", "Infinity"))];
  }
}

const ended = ({ bits }: StoredReading): boolean => bits === "7ff0000000000002";

async function drained(prometheus: Prometheus): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const [pending, sent, highest] = await Promise.all([
      prometheus.own("prometheus_remote_storage_samples_pending"),
      prometheus.own("prometheus_remote_storage_queue_highest_sent_timestamp_seconds"),
      prometheus.own("prometheus_remote_storage_highest_timestamp_in_seconds"),
    ]);
    if (pending === 0 && sent >= highest) return;
    if (Date.now() > deadline) throw new Error(`Prometheus still has ${pending} samples to send, up to ${sent} of ${highest}`);
    await wait(250);
  }
}

async function storedIn(dataDir: string): Promise<readonly StoredReading[]> {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: true, throwAway: false });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  try {
    return await readStoredReadings(pool);
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

/** A node whose GPU 7 falls off the bus at a time: its series end while we are away, those of its neighbours go on. */
function sickNode(atMs: number): { readonly node: SimulatedNode; readonly gpu: string } {
  const startMs = Date.now() - 60_000;
  const { nodes } = simulateFleet({ seed: 7, nodes: 1, startMs, faults: [{ kind: "xid", code: 79, node: 0, gpu: 7, atMs }] });
  const gpu = nodes[0]?.gpusAt(startMs).find(({ slot }) => slot === 7);
  if (nodes[0] === undefined || gpu === undefined) throw new Error("the simulated node has no GPU 7");
  return { node: nodes[0], gpu: gpu.uuid };
}

async function stopped(server: ServerProcess): Promise<void> {
  const code = await server.stop();
  if (code !== 0) throw new Error(`the server ended with ${code}:\n${server.errors()}`);
}

async function madeFolder(whose: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `trainwatch-peers-${whose}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe("a real Prometheus that scrapes and remote-writes to us for two minutes", () => {
  it.skipIf("missing" in peers)(`${promise}`, { timeout: RUN_MS + REST_MS }, async () => {
    if ("missing" in peers) return;
    const folder = await madeFolder("prometheus");
    const dataDir = await madeFolder("server");
    const port = await freePort();
    let server = await serveProcess(dataDir, port);
    // Also where it fails: kill -9 would leave its database running.
    onTestFinished(async () => {
      if (server.child.exitCode === null) await server.stop();
    });
    const sick = sickNode(Date.now() + SICK_AFTER_MS);
    await using gpus = await startGpuExporter(sick.node);
    const nodePort = await freePort();
    const nodeUrl = `http://127.0.0.1:${nodePort}/metrics`;
    await using _node = await startPeer(peers.nodeExporter, [`--web.listen-address=127.0.0.1:${nodePort}`], nodeUrl);
    const jobs = (node: number | null, dcgm: number | null): readonly object[] => [job("node", node, "5s"), job("dcgm", dcgm, "2s")];
    const url = `http://127.0.0.1:${port}`;
    const token = server.adminToken ?? "";
    await using prometheus = await startPrometheus({
      program: peers.prometheus,
      folder,
      config: configOf(url, token, jobs(nodePort, gpus.port)),
    });

    await wait(STOP_AFTER_MS);
    await stopped(server);
    await wait(STOPPED_MS);
    server = await serveProcess(dataDir, port);
    await wait(RUN_MS - STOP_AFTER_MS - STOPPED_MS);

    // All targets go: every series ends with a stale marker some two intervals later, and what is on its way arrives.
    await prometheus.reconfigure(configOf(url, token, jobs(null, null)));
    await wait(25_000);
    await drained(prometheus);
    const theirs = bookOf(held(await prometheus.samples("10m")));
    expect(await prometheus.own("prometheus_remote_storage_samples_failed_total")).toBe(0);
    expect(await prometheus.own("prometheus_remote_storage_samples_dropped_total")).toBe(0);
    await stopped(server);

    const readings = await storedIn(dataDir);
    const ours = bookOf(readings.filter((each) => !ended(each)).map(({ key, timeMs, value }) => [key, timeMs, value] as const));
    expect(theirs.twice).toBe(0);
    expect(ours.twice).toBe(0);
    expect(theirs.values.size).toBeGreaterThan(10_000);
    const different = [...theirs.values].filter(([place, value]) => !Object.is(ours.values.get(place), value));
    expect(different.slice(0, 5)).toEqual([]);
    expect(ours.values.size).toBe(theirs.values.size);
    // B8: the series of the GPU that has gone have ended while the others went on, and in the end all have.
    const endings = readings.filter(ended);
    const gone = readings.filter(({ entity }) => entity?.startsWith(sick.gpu) ?? false);
    const lastMs = Math.max(...endings.map(({ timeMs }) => timeMs));
    expect(new Set(gone.map(({ key }) => key)).size).toBeGreaterThan(20);
    expect(Math.max(...gone.map(({ timeMs }) => timeMs))).toBeLessThan(lastMs - 30_000);
    expect(new Set(endings.map(({ key }) => key)).size).toBe(new Set(readings.map(({ key }) => key)).size);
    console.log(
      `${theirs.values.size} samples of ${new Set(readings.map(({ key }) => key)).size} series compared, ${endings.length} stale markers`,
    );
  });
});
