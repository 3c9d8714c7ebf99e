// `npm run bench -- query`: what the Run page asks, on a run of a million steps × 64 series, over HTTP.
import type { CheckpointPage, FindingPage, MetricKeyPage, RunDetail, SeriesWindow } from "@trainwatch/core";
import { printTable } from "./detect/table.ts";
import { type BenchServer, answerIn, openBenchServer } from "./speed/bench-server.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";
import { LONG_STEPS, keptFolder, seedLongRun } from "./speed/long-run.ts";
import { SERIES } from "./speed/run-data.ts";
import { type Zoom, faultsOf, randomZooms } from "./speed/zooms.ts";

/** The lanes that the page draws until the reader chooses. */
const LANES = ["loss", "grad_norm", "learning_rate", "tokens_per_second"];
const BUCKETS = 1024;
const ZOOMS = 200;
const REPEATS = 50;
const GOAL_P95_MS = 100;

interface Timed<T> {
  readonly ms: number;
  /** Of JSON, before compression. */
  readonly kilobytes: number;
  readonly answer: T;
}

interface VerbFigures {
  readonly verb: string;
  readonly calls: number;
  readonly firstMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  readonly kilobytes: number;
}

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  await using server = await openBenchServer(keptFolder());
  const runId = await seedLongRun(server);
  const ask = <T>(verb: string, input: object, times: number) => repeated(times, () => timed<T>(server, verb, input));
  const load = loadNow();
  const small = [
    figuresOf("runs.get", await ask<RunDetail>("runs.get", { runId }, REPEATS)),
    figuresOf("runs.metrics", await ask<MetricKeyPage>("runs.metrics", { runId }, REPEATS)),
    figuresOf("findings.list", await ask<FindingPage>("findings.list", { runId }, REPEATS)),
    figuresOf("checkpoints.list", await ask<CheckpointPage>("checkpoints.list", { runId }, REPEATS)),
  ];
  const windows: VerbFigures[] = [];
  const floor: Timed<null>[] = [];
  const faults: string[] = [];
  for (const axis of ["step", "time"] as const) {
    const question = { runId, metrics: LANES, axis, buckets: BUCKETS };
    const whole = await ask<SeriesWindow>("series.window", { ...question, from: null, to: null }, REPEATS);
    windows.push(figuresOf(`series.window, whole, ${axis}`, whole));
    faults.push(...faultsIn(whole.slice(0, 1), [null]));
    const zooms = randomZooms(ZOOMS, LONG_STEPS, axis);
    const zoomed: Timed<SeriesWindow>[] = [];
    for (const { from, to } of zooms) {
      zoomed.push(await timed(server, "series.window", { ...question, from, to }));
      floor.push(await idle(server));
    }
    windows.push(figuresOf(`series.window, zoom, ${axis}`, zoomed));
    faults.push(...faultsIn(zoomed, zooms));
  }
  const verbs = [...small, ...windows];
  const idleFigures = figuresOf("nothing (/healthz)", floor);
  printTable(
    `The Run page's queries, ${LONG_STEPS} steps × ${SERIES} series`,
    [...verbs, idleFigures].map((each) => ({ ...each })),
  );
  for (const fault of faults.slice(0, 20)) console.error(`wrong: ${fault}`);
  const slowest = Math.max(...verbs.map(({ p95Ms }) => p95Ms));
  return {
    ok: slowest < GOAL_P95_MS && faults.length === 0,
    steps: LONG_STEPS,
    series: SERIES,
    lanes: LANES.length,
    buckets: BUCKETS,
    goalP95Ms: GOAL_P95_MS,
    slowestP95Ms: slowest,
    verbs,
    /** A request that asks for nothing, between the zooms: what machine and network add at the time. */
    idle: idleFigures,
    /** Windows and buckets whose count or extreme differs from all points looked at one by one. */
    wrong: faults.length,
    load,
  };
}

/** One question after the other, as a page that waits for its answers: until all of the answer is there. */
async function timed<T>(server: BenchServer, verb: string, input: object): Promise<Timed<T>> {
  const started = performance.now();
  const text = await server.ask(verb, input);
  const ms = performance.now() - started;
  return { ms, kilobytes: text.length / 1000, answer: answerIn(text) };
}

async function idle({ url }: BenchServer): Promise<Timed<null>> {
  const started = performance.now();
  const text = await (await fetch(`${url}/healthz`)).text();
  return { ms: performance.now() - started, kilobytes: text.length / 1000, answer: null };
}

async function repeated<T>(times: number, act: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let time = 0; time < times; time++) results.push(await act());
  return results;
}

function figuresOf(verb: string, calls: readonly Timed<unknown>[]): VerbFigures {
  const times = calls.map(({ ms }) => ms);
  const at = (share: number): number => rounded(quantile(times, share));
  return {
    verb,
    calls: times.length,
    firstMs: rounded(times[0] ?? Number.NaN),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    maxMs: at(1),
    kilobytes: rounded(
      quantile(
        calls.map(({ kilobytes }) => kilobytes),
        0.5,
      ),
    ),
  };
}

function faultsIn(answers: readonly Timed<SeriesWindow>[], zooms: readonly (Zoom | null)[]): readonly string[] {
  return answers.flatMap(({ answer }, index) => faultsOf(answer, zooms[index] ?? null, LANES, LONG_STEPS));
}

export default { name: "query", run };
