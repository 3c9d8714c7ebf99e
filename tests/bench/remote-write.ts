// `npm run bench -- remote-write`: the same encoded requests into us and into Debian's Prometheus. TRAINWATCH_BENCH_STEPS=n sends fewer steps a round.
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WINDOW_MS } from "@trainwatch/store";
import { findPeerPrograms } from "../peers/debian-programs.ts";
import { startPrometheus, type Prometheus } from "../peers/prometheus-peer.ts";
import { printTable } from "./detect/table.ts";
import { fleetBytes } from "./fleet/fleet-state.ts";
import { SERIES_A_NODE } from "./fleet/node-values.ts";
import { createFleetStore } from "./fleet/packed-store.ts";
import { sendRemoteWrite } from "./fleet/remote-write-load.ts";
import { remoteWriteSender, SAMPLES_A_REQUEST, STEP_MS } from "./fleet/remote-write-requests.ts";
import { openBenchServer } from "./speed/bench-server.ts";
import { loadNow, median, quantile, rounded } from "./speed/figures.ts";
import { checkpoint, isDurable, readDurability } from "./speed/store-state.ts";

/** As many shards as a busy Prometheus sends by. */
const SENDERS = 8;
const NODES_A_SENDER = 8;
const ROUNDS = 3;
/** One window of 20 minutes at 10 s. */
const STEPS = Number(process.env["TRAINWATCH_BENCH_STEPS"] ?? 119);
/** Of the samples a second of Prometheus. */
const GOAL_RATIO = 1;

const SERIES = SENDERS * NODES_A_SENDER * SERIES_A_NODE;

/** Samples a second of both, and bytes a sample on disk: of our packed blocks and cells, and of a block that Prometheus makes of its head. */
export async function measureRemoteWrite(): Promise<Record<string, unknown> & { readonly ok: boolean }> {
  const programs = await findPeerPrograms();
  if ("missing" in programs) throw new Error(`Debian's prometheus is not here and cannot be fetched: ${programs.missing}`);
  const folder = await mkdtemp(join(tmpdir(), "trainwatch-bench-prometheus-"));
  try {
    await using server = await openBenchServer();
    await using prometheus = await startPrometheus({
      program: programs.prometheus,
      folder,
      args: ["--web.enable-remote-write-receiver", "--web.enable-admin-api"],
      config: { global: { scrape_interval: "1h" } },
    });
    const { pool, url, token } = server;
    const durability = await readDurability(pool);
    const packed = createFleetStore(pool);
    const senders = Array.from({ length: SENDERS }, (_, sender) =>
      remoteWriteSender(Array.from({ length: NODES_A_SENDER }, (__, node) => sender * NODES_A_SENDER + node)),
    );
    const startMs = packed.windowStartMs(Date.now()) - ROUNDS * WINDOW_MS;
    const ask = (fromMs: number, steps: number) => senders.map((sender) => sender.next(fromMs, steps));
    // Both have seen every series once before the clock runs.
    const first = ask(startMs - STEP_MS, 1);
    await sendRemoteWrite(url, token, first);
    await sendRemoteWrite(prometheus.url, null, first);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bodies = ask(startMs + round * WINDOW_MS, STEPS);
      const ours = async () => {
        await checkpoint(pool);
        return sendRemoteWrite(url, token, bodies);
      };
      const theirs = () => sendRemoteWrite(prometheus.url, null, bodies);
      const load = loadNow();
      const before = round % 2 === 0 ? await ours() : await theirs();
      const after = round % 2 === 0 ? await theirs() : await ours();
      const [mine, peers] = round % 2 === 0 ? [before, after] : [after, before];
      rounds.push({
        oursPerS: rounded((SERIES * STEPS) / (mine.wallMs / 1000)),
        theirsPerS: rounded((SERIES * STEPS) / (peers.wallMs / 1000)),
        ratio: rounded(peers.wallMs / mine.wallMs),
        oursP99Ms: rounded(quantile(mine.latenciesMs, 0.99)),
        theirsP99Ms: rounded(quantile(peers.latenciesMs, 0.99)),
        load,
      });
    }
    printTable(`remote-write of ${SERIES} series, ${SERIES * STEPS} samples a round in requests of ${SAMPLES_A_REQUEST}`, rounds);
    const samples = SERIES * (1 + ROUNDS * STEPS);
    const accepted = await acceptedSamples(url);
    const appended = await prometheus.own("prometheus_tsdb_head_samples_appended_total");
    await packed.packAll(Date.now());
    const ratio = median(rounds.map((each) => each.ratio));
    const isExact = accepted === samples && appended >= samples;
    return {
      ok: isDurable(durability) && isExact && ratio >= GOAL_RATIO,
      series: SERIES,
      samples,
      samplesARequest: SAMPLES_A_REQUEST,
      senders: SENDERS,
      ratio,
      goalRatio: GOAL_RATIO,
      oursPerS: median(rounds.map((each) => each.oursPerS)),
      theirsPerS: median(rounds.map((each) => each.theirsPerS)),
      isExact,
      accepted,
      theirsAppended: appended,
      packedBytesASample: rounded((await fleetBytes(pool, ["fleet_block", "fleet_cell"])) / samples),
      theirBlockBytesASample: rounded(await snapshotBytesASample(prometheus)),
      durability,
      rounds,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** New samples, as the server itself counts them; repeats are counted apart. */
async function acceptedSamples(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^trainwatch_receiver_samples_total\{receiver="remote-write",outcome="accepted"\} (\d+)$/m.exec(text)?.[1]);
}

/** Prometheus writes its head as a block when it is asked for a snapshot: chunks and index, without the write-ahead log. */
async function snapshotBytesASample(prometheus: Prometheus): Promise<number> {
  const response = await fetch(`${prometheus.url}/api/v1/admin/tsdb/snapshot`, { method: "POST" });
  const { data }: { readonly data: { readonly name: string } } = JSON.parse(await response.text());
  const root = join(prometheus.folder, "data", "snapshots", data.name);
  let bytes = 0;
  let samples = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    bytes += (await stat(path)).size;
    if (entry.name !== "meta.json") continue;
    const meta: { readonly stats: { readonly numSamples: number } } = JSON.parse(await readFile(path, "utf8"));
    samples += meta.stats.numSamples;
  }
  return bytes / samples;
}

export default { name: "remote-write", partOf: "ingest", run: measureRemoteWrite };
