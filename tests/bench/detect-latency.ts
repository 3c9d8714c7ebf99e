// `npm run bench -- detect-latency`: from a sample's push to its incident in `incidents.list`, while 100,000 samples/s of the fleet come in and a run of 1,024 ranks logs each second.
// TRAINWATCH_BENCH_LOAD (samples/s), TRAINWATCH_BENCH_RANKS and TRAINWATCH_BENCH_FAULTS make it smaller.
import { setTimeout as delay } from "node:timers/promises";
import type { IncidentPage, PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { STEP_MS } from "./fleet/frame-bodies.ts";
import { SERIES_A_NODE } from "./fleet/node-values.ts";
import { prepareLoad } from "./fleet/run-load.ts";
import { answerIn, openBenchServer, type BenchServer } from "./speed/bench-server.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";

const SAMPLES_PER_S = Number(process.env["TRAINWATCH_BENCH_LOAD"] ?? 100_000);
const RANKS = Number(process.env["TRAINWATCH_BENCH_RANKS"] ?? 1_024);
const FAULTS = Number(process.env["TRAINWATCH_BENCH_FAULTS"] ?? 100);
const EVERY_MS = 1_000;
/** What a server does once, when it has just been started and a wide run is new to it, is not what is asked for. */
const WARM_UP_MS = 10_000;
const BETWEEN_FAULTS_MS = 400;
const POLL_MS = 10;
const GIVE_UP_MS = 20_000;
const GOAL_P99_MS = 1_000;
const SERIES_A_PUSH = 1_000;

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  await using server = await openBenchServer();
  await post(server, "rules.create", {
    kind: "metric",
    title: "Loss out of all bounds",
    metric: "loss",
    condition: "above",
    value: 100,
    forPoints: 1,
    severity: "warning",
    scope: {},
  });
  const steps = Math.ceil((WARM_UP_MS + FAULTS * BETWEEN_FAULTS_MS) / EVERY_MS) + 5;
  const nodes = Math.max(1, Math.round((SAMPLES_PER_S * EVERY_MS) / 1_000 / SERIES_A_NODE));
  const load = await prepareLoad({
    url: server.url,
    token: server.token,
    // The plan's steps lie 10 s apart: sent each second, the last of them is of now.
    plan: { nodes, nodesAFrame: 1, steps, startMs: Date.now() - steps * STEP_MS },
    pace: { kind: "paced", everyMs: EVERY_MS },
  });
  for (let fault = 0; fault < FAULTS; fault++) await push(server, quiet(fault));
  const stop = new AbortController();
  const sent = load.go();
  const ranks = pushRanks(server, stop.signal);
  await delay(WARM_UP_MS);
  const latencies: number[] = [];
  for (let fault = 0; fault < FAULTS; fault++) {
    const startedAt = performance.now();
    latencies.push(await inject(server, fault));
    await delay(Math.max(0, BETWEEN_FAULTS_MS - (performance.now() - startedAt)));
  }
  stop.abort();
  const { accepted, wallMs } = await sent;
  const rankSteps = await ranks;
  const missing = latencies.filter((ms) => !Number.isFinite(ms)).length;
  const seen = latencies.filter(Number.isFinite);
  return {
    ok: missing === 0 && quantile(seen, 0.99) < GOAL_P99_MS,
    faults: FAULTS,
    missing,
    p50Ms: rounded(quantile(seen, 0.5)),
    p99Ms: rounded(quantile(seen, 0.99)),
    mostMs: rounded(Math.max(...seen)),
    goalP99Ms: GOAL_P99_MS,
    fleetSamplesPerS: rounded((1_000 * accepted) / wallMs),
    ranks: RANKS,
    rankSteps,
    load: loadNow(),
  };
}

function quiet(fault: number): PushInput {
  return lossPush(
    fault,
    0,
    Array.from({ length: 50 }, (_, index) => [index + 1, 2]),
  );
}

function lossPush(fault: number, seq: number, points: readonly (readonly [number, number])[]): PushInput {
  return buildPush({ source: `fault ${fault}`, seq, run: { project: "latency", name: `run ${fault}` } }, [{ metric: "loss", points }]);
}

/** Milliseconds from sending the bad value to its incident in the list; infinite where it never came. */
async function inject(server: BenchServer, fault: number): Promise<number> {
  const startedAt = performance.now();
  await push(server, lossPush(fault, 1, [[51, 1_000]]));
  while (performance.now() - startedAt < GIVE_UP_MS) {
    const page = answerIn<IncidentPage>(await server.ask("incidents.list", { states: ["open"], limit: 200 }));
    if (page.items.some(({ runName }) => runName === `run ${fault}`)) return performance.now() - startedAt;
    await delay(POLL_MS);
  }
  return Number.POSITIVE_INFINITY;
}

/** Loss and gradient norm of every rank each second. @returns steps that were pushed */
async function pushRanks(server: BenchServer, signal: AbortSignal): Promise<number> {
  const series = ["loss", "grad_norm"].flatMap((metric) => Array.from({ length: RANKS }, (_, rank) => ({ metric, rank })));
  let step = 0;
  while (!signal.aborted && RANKS > 0) {
    const startedAt = performance.now();
    step++;
    for (let from = 0; from < series.length; from += SERIES_A_PUSH) {
      const some = series.slice(from, from + SERIES_A_PUSH).map(({ metric, rank }) => ({
        metric,
        labels: { rank: String(rank) },
        points: [[step, 2 + 0.01 * Math.sin(step * 12.9898 + rank * 78.233), Date.now()] as const],
      }));
      await push(server, buildPush({ source: `ranks ${from}`, seq: step, run: { project: "latency", name: "wide" } }, some));
    }
    await delay(Math.max(0, EVERY_MS - (performance.now() - startedAt)));
  }
  return step;
}

const push = (server: BenchServer, body: PushInput): Promise<void> => post(server, "ingest.push", body);

async function post({ url, token }: BenchServer, verb: string, body: object): Promise<void> {
  const response = await fetch(`${url}/trpc/${verb}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${verb} answered ${response.status}: ${text.slice(0, 500)}`);
}

export default { name: "detect-latency", run };
