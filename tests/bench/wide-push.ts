// `npm run bench -- wide-push`: what a step of a run costs whose every rank logs six metrics, over HTTP into a durable server, against the same number of
// samples of a narrow run in pushes of the same size; at the first step, as the run goes on, and where it goes back to a checkpoint below what it had reached.
// TRAINWATCH_BENCH_RANKS=n makes the run wider: at 16,384 a step is 98,304 samples in 96 pushes, and takes some seconds of two cores.
import { type BenchServer, openBenchServer } from "./speed/bench-server.ts";
import { loadNow, median, rounded, timedMs } from "./speed/figures.ts";
import { type ReadyPush, sendAll } from "./speed/pushes.ts";

const RANKS = Number(process.env["TRAINWATCH_BENCH_RANKS"] ?? 2_048);
const METRICS = ["loss", "grad_norm", "compute_time", "communication_time", "data_time", "sequence_load"] as const;
const SAMPLES_A_PUSH = 1_024;
const STEPS = 24;
/** So many steps the run goes back, and comes again. */
const BACK = 8;
const NARROW_SERIES = 64;
/** Of the time that a step of such a run takes, ten seconds at 16,384 ranks, what taking it in costs. */
const STEP_MS = 10_000 * (RANKS / 16_384);
/** A sample of a wide push against one of a narrow one: the wide push stores a row of each sample, the narrow one of each sixteen. */
const GOAL_RATIO = 10;
/** Later steps against the first ones, and steps of a run that has gone back against others: the cost must not grow with what is stored. */
const GOAL_GROWTH = 2;

interface Step {
  readonly wideMs: number;
  readonly narrowMs: number;
}

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  await using server = await openBenchServer();
  const load = loadNow();
  const samples = RANKS * METRICS.length;
  const steps: Step[] = [];
  // As many samples of the narrow run after each step of the wide one: both meet the same machine.
  const measure = async (step: number, shift: number): Promise<void> => {
    const wideMs = await timeStep(server, stepOf(step, shift), samples);
    steps.push({ wideMs, narrowMs: await timeStep(server, narrowPushes(steps.length, samples), samples) });
    console.error(`step ${step}: ${rounded(wideMs)} ms, narrow ${rounded(steps.at(-1)?.narrowMs ?? 0)} ms`);
  };
  for (let step = 1; step <= STEPS; step++) await measure(step, 0);
  for (let step = STEPS - BACK + 1; step <= STEPS; step++) await measure(step, 0.5);
  const steady = steps.slice(1, STEPS);
  const [early, late] = [figuresOf(steady.slice(0, 6)), figuresOf(steady.slice(-6))];
  // Three points of each series decide that a new attempt has begun; all that follows here lies below the end of the one before.
  const [undecided, belowEnd] = [figuresOf(steps.slice(STEPS, STEPS + 3)), figuresOf(steps.slice(STEPS + 3))];
  const { wideMs, ratio } = figuresOf(steady);
  return {
    ok: ratio <= GOAL_RATIO && late.ratio <= GOAL_GROWTH * early.ratio && belowEnd.ratio <= GOAL_GROWTH * ratio,
    ranks: RANKS,
    metrics: METRICS.length,
    pushesAStep: Math.ceil(samples / SAMPLES_A_PUSH),
    goalRatio: GOAL_RATIO,
    goalGrowth: GOAL_GROWTH,
    firstStepMs: rounded(steps[0]?.wideMs ?? Number.NaN),
    steadyStepMs: wideMs,
    ofStep: rounded(wideMs / STEP_MS),
    usASample: rounded((1_000 * wideMs) / samples),
    wideToNarrow: ratio,
    early,
    late,
    restart: { undecided, belowEnd },
    load,
  };
}

function figuresOf(steps: readonly Step[]): { readonly wideMs: number; readonly ratio: number } {
  return {
    wideMs: rounded(median(steps.map((each) => each.wideMs))),
    ratio: rounded(median(steps.map((each) => each.wideMs / each.narrowMs))),
  };
}

async function timeStep({ url, token }: BenchServer, pushes: readonly ReadyPush[], samples: number): Promise<number> {
  let accepted = 0;
  const ms = await timedMs(async () => {
    for (const answer of await sendAll(url, token, [pushes])) accepted += answer.accepted;
  });
  if (accepted !== samples) throw new Error(`of ${samples} samples ${accepted} were accepted`);
  return ms;
}

/** One step of all ranks, metric by metric. */
function stepOf(step: number, shift: number): readonly ReadyPush[] {
  const series = METRICS.flatMap((metric) => Array.from({ length: RANKS }, (_, rank) => ({ metric, labels: { rank: String(rank) } })));
  return Array.from({ length: Math.ceil(series.length / SAMPLES_A_PUSH) }, (_, push) => {
    const own = series.slice(push * SAMPLES_A_PUSH, (push + 1) * SAMPLES_A_PUSH);
    const time = Date.UTC(2026, 0, 1) + step * 10_000;
    const columns = own.map((_each, index) => ({
      series: index,
      step: [step],
      time: [time],
      value: [Math.fround(2 + shift + Math.sin(step * 7 + push * 13 + index))],
    }));
    return ready({ source: "trainer", seq: (step * 2 + (shift > 0 ? 1 : 0)) * 10_000 + push, run: "wide", series: own, columns });
  });
}

/** So many samples of a run of a few series, in pushes as large as those of the wide one. */
function narrowPushes(index: number, samples: number): readonly ReadyPush[] {
  const series = Array.from({ length: NARROW_SERIES }, (_, each) => ({ metric: `metric/${each}` }));
  const stepsAPush = SAMPLES_A_PUSH / NARROW_SERIES;
  const pushes = samples / SAMPLES_A_PUSH;
  return Array.from({ length: pushes }, (_, push) => {
    const step = Array.from({ length: stepsAPush }, (_each, at) => (index * pushes + push) * stepsAPush + at + 1);
    const time = step.map((at) => Date.UTC(2026, 0, 1) + at * 10_000);
    const columns = series.map((_each, place) => ({
      series: place,
      step,
      time,
      value: step.map((at) => Math.fround(Math.sin(at * 7 + place))),
    }));
    return ready({ source: "narrow", seq: index * 10_000 + push, run: "narrow", series, columns });
  });
}

interface Body {
  readonly source: string;
  readonly seq: number;
  readonly run: string;
  readonly series: readonly object[];
  readonly columns: readonly { readonly value: readonly number[] }[];
}

function ready({ run: name, columns, ...rest }: Body): ReadyPush {
  const body = { ...rest, run: { project: "bench", name }, columns };
  return {
    body: new TextEncoder().encode(JSON.stringify(body)),
    samples: columns.reduce((sum, { value }) => sum + value.length, 0),
  };
}

export default { name: "wide-push", run };
