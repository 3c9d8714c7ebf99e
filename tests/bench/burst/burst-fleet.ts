import { type FleetEventsAnswer, type FleetEventsPush, type FrameAnswer, type PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { frameSource, STEP_MS } from "../fleet/frame-bodies.ts";
import { GPUS, hostOf, seriesOf } from "../fleet/node-values.ts";
import type { BenchServer } from "../speed/bench-server.ts";
import type { NodeRead } from "./burst-lines.ts";

/** A fleet that sends its readings every ten seconds, as agents do, and the run that works on all of it. */
export interface BurstFleet extends AsyncDisposable {
  readonly uuidOf: (node: number, gpu: number) => string;
  /** Sends the reads, each node's own in their order. @returns events that were stored or joined to a burst */
  send(reads: readonly NodeRead[]): Promise<number>;
}

const NODES_A_FRAME = 50;
const CONNECTIONS = 16;
const RUN_STEPS = 120;
const RUN_STEP_MS = 1_000;

export async function openBurstFleet(server: BenchServer, nodes: number): Promise<BurstFleet> {
  const source = frameSource({ nodes, nodesAFrame: NODES_A_FRAME });
  const scrape = async (timeMs: number, withSeries: boolean): Promise<void> => {
    for (const body of source.next(timeMs, withSeries)) {
      const answer = await post<FrameAnswer>(server, "ingest.frame", new Uint8Array(body));
      if (answer.refusedTotal > 0) throw new Error(`the fleet was refused: ${JSON.stringify(answer.refused[0])}`);
    }
  };
  const startMs = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  for (let back = 6; back >= 0; back--) await scrape(startMs - back * STEP_MS, back === 6);
  await post(server, "ingest.push", runOn(nodes, startMs));
  const scraping = scrapeOn(startMs + STEP_MS, (timeMs) => scrape(timeMs, false));
  const seqs = new Map<number, number>();
  return {
    uuidOf: (node, gpu) => seriesOf(node)[gpu]?.[1]?.["UUID"] ?? "",
    async send(reads) {
      const queues = Array.from({ length: CONNECTIONS }, (_, line) => reads.filter(({ node }) => node % CONNECTIONS === line));
      const sums = await Promise.all(
        queues.map(async (queue) => {
          let accepted = 0;
          for (const { node, events } of queue) {
            const seq = (seqs.get(node) ?? -1) + 1;
            seqs.set(node, seq);
            const host = hostOf(node);
            const body = {
              source: `agent:${host}`,
              seq,
              node: { machineId: null, host, bootId: null },
              events: [...events],
            } satisfies FleetEventsPush;
            const answer = await post<FleetEventsAnswer>(server, "ingest.events", body);
            accepted += answer.accepted;
          }
          return accepted;
        }),
      );
      return sums.reduce((sum, accepted) => sum + accepted, 0);
    },
    [Symbol.asyncDispose]: () => scraping.stop(),
  };
}

/** Readings go on while the flood lasts: a fleet that fell silent would be lost nodes. */
function scrapeOn(fromMs: number, scrape: (timeMs: number) => Promise<void>): { stop(): Promise<void> } {
  let nextMs = fromMs;
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    if (Date.now() < nextMs) return;
    const timeMs = nextMs;
    nextMs += STEP_MS;
    running = running.then(() => scrape(timeMs));
  }, 250);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

function runOn(nodes: number, endsAtMs: number): PushInput {
  const assignments = Array.from({ length: nodes }, (_, node) => seriesOf(node).slice(0, GPUS)).flatMap((series, node) =>
    series.map(([, labels], gpuIndex) => ({
      rank: node * GPUS + gpuIndex,
      gpuUuid: labels["UUID"] ?? "",
      gpuIndex,
      from: endsAtMs - RUN_STEPS * RUN_STEP_MS,
    })),
  );
  const points = Array.from({ length: RUN_STEPS }, (_, index): [number, number, number] => [
    index + 1,
    2 - index * 1e-3,
    endsAtMs - (RUN_STEPS - 1 - index) * RUN_STEP_MS,
  ]);
  return buildPush(
    { source: "burst", seq: 0, run: { project: "burst", name: "llm" }, metadata: { gpus: nodes * GPUS, cluster: "bench" }, assignments },
    [{ metric: "loss", points }],
  );
}

async function post<T>({ url, token }: BenchServer, verb: string, body: Uint8Array<ArrayBuffer> | object): Promise<T> {
  const isFrame = body instanceof Uint8Array;
  const response = await fetch(`${url}/trpc/${verb}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": isFrame ? "application/octet-stream" : "application/json" },
    body: isFrame ? body : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${verb} answered ${response.status}: ${text.slice(0, 500)}`);
  const { result }: { readonly result: { readonly data: T } } = JSON.parse(text);
  return result.data;
}
