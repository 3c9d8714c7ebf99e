import { encodeColumn } from "@trainwatch/core";
import type { PushInput } from "@trainwatch/core";
import type { ClusterEvent, ClusterStep, RankMetric, RunValues, StuckStep } from "./cluster-event.ts";
import { RANK_METRICS } from "./cluster-event.ts";

export interface PushOptions {
  readonly project: string;
  readonly name: string;
  /** Who sends; each part of the ranks counts under a name of its own below it. */
  readonly source: string;
  readonly metadata?: PushInput["metadata"];
  /** Steps that wait for one another before they are sent. */
  readonly stepsAPush?: number;
  /** All of them where absent. */
  readonly metrics?: readonly RankMetric[];
  /** Values of ranks are sent from this step on; those of the run always. */
  readonly ranksFromStep?: number;
}

/** A push holds so many series (`pushSchema`). */
const MOST_SERIES = 1_024;

type Reported = ClusterStep | StuckStep;

/** Makes the bodies of `ingest.push`; numbers of a source count on from one call to the next. */
export interface PushWriter {
  /** Of the run as a whole: its values, launches, checkpoints, heartbeats and its end. Events of one attempt. */
  run(events: readonly ClusterEvent[]): readonly PushInput[];
  /** Of its ranks, in parts of at most 1,024 series. Steps of one attempt. */
  ranks(steps: readonly Reported[]): Generator<PushInput, void, undefined>;
}

export function pushWriter(options: PushOptions): PushWriter {
  const sequences = new Map<string, number>();
  const bare = (part: string, attempt: string): PushInput => {
    const source = part === "" ? options.source : `${options.source}/${part}`;
    const seq = sequences.get(source) ?? 0;
    sequences.set(source, seq + 1);
    return { source, seq, run: { project: options.project, name: options.name }, attempt };
  };
  return {
    run(events) {
      const [first] = events;
      if (first === undefined || events.every(({ kind }) => kind === "stuck-step")) return [];
      return [{ ...bare("", first.attempt), ...runPart(events, options) }];
    },
    *ranks(steps) {
      const [first] = steps;
      if (first === undefined) return;
      for (const { part, columns } of rankColumns(steps, options)) yield { ...bare(`ranks-${part}`, first.attempt), ...columns };
    },
  };
}

function runPart(events: readonly ClusterEvent[], { metadata }: PushOptions): Partial<PushInput> {
  const of = <K extends ClusterEvent["kind"]>(kind: K): readonly Extract<ClusterEvent, { readonly kind: K }>[] =>
    events.filter((event): event is Extract<ClusterEvent, { readonly kind: K }> => event.kind === kind);
  const [starts, saved] = [of("start"), of("checkpoint")];
  const { series, columns } = runColumns(of("step"));
  if (saved.length > 0) {
    columns.push(
      columnOf(
        series.length,
        saved,
        saved.map(({ timeMs, startedMs }) => (timeMs - startedMs) / 1000),
      ),
    );
    series.push(seriesOf("checkpoint_save_time", "s", null));
  }
  return {
    ...(starts.length > 0 && metadata !== undefined ? { metadata } : {}),
    series,
    columns,
    checkpoints: saved.map(({ step, path, state, timeMs, reason }) => ({ step, path, state, savedAtMs: timeMs, reason })),
    events: [
      ...starts.map(({ branchStep, timeMs, reason }) => ({ kind: "start", step: branchStep, timeMs, text: reason })),
      ...of("saving").map(({ step, timeMs }) => ({ kind: "checkpoint-started", step, timeMs, text: `saving step ${step}` })),
    ],
    // A crash in the middle is followed by another attempt: the run goes on.
    ...(of("end").some(({ outcome }) => outcome === "finished") ? { ended: "finished" as const } : {}),
  };
}

/** What the trainers of a cluster send, in order: the run, then its ranks. Holds `stepsAPush` steps. */
export function* clusterPushes(events: Iterable<ClusterEvent>, options: PushOptions): Generator<PushInput, void, undefined> {
  const writer = pushWriter(options);
  let held: ClusterEvent[] = [];
  const flush = function* (): Generator<PushInput, void, undefined> {
    yield* writer.run(held);
    yield* writer.ranks(held.filter((event) => event.kind === "step" || event.kind === "stuck-step"));
    held = [];
  };
  for (const event of events) {
    if (held[0] !== undefined && held[0].attempt !== event.attempt) yield* flush();
    held.push(event);
    const isFull = held.filter(({ kind }) => kind === "step").length >= (options.stepsAPush ?? 1);
    // Who hangs says each time that it lives.
    if (isFull || event.kind === "heartbeat" || event.kind === "stuck-step") yield* flush();
  }
  yield* flush();
}

const RUN_UNITS: Partial<Record<keyof RunValues, string>> = {
  loss: "nats",
  step_time: "s",
  tokens_per_second: "tokens/s",
  tokens_consumed: "tokens",
};
const RUN_METRICS = [
  "loss",
  "grad_norm",
  "learning_rate",
  "step_time",
  "tokens_per_second",
  "tokens_consumed",
  "loss_scale",
  "batch_id",
] as const satisfies readonly (keyof RunValues)[];

interface Columns {
  readonly series: NonNullable<PushInput["series"]>;
  readonly columns: NonNullable<PushInput["columns"]>;
}

function runColumns(steps: readonly ClusterStep[]): Columns {
  if (steps.length === 0) return { series: [], columns: [] };
  return {
    series: RUN_METRICS.map((metric) => seriesOf(metric, RUN_UNITS[metric], null)),
    columns: RUN_METRICS.map((metric, series) =>
      columnOf(
        series,
        steps,
        steps.map(({ values }) => values[metric]),
      ),
    ),
  };
}

const RANK_UNITS: Partial<Record<RankMetric, string>> = {
  loss: "nats",
  forward_time: "s",
  backward_time: "s",
  compute_time: "s",
  communication_time: "s",
  data_time: "s",
  sequence_load: "tokens²",
};

function* rankColumns(
  steps: readonly Reported[],
  { metrics = RANK_METRICS, ranksFromStep = 0 }: PushOptions,
): Generator<{ readonly part: number; readonly columns: Columns }, void, undefined> {
  const told = steps.filter(({ step }) => step >= ranksFromStep);
  const series: NonNullable<PushInput["series"]> = [];
  const columns: NonNullable<PushInput["columns"]> = [];
  let part = 0;
  for (const metric of metrics) {
    const having = told.filter(({ ranks }) => ranks.columns.has(metric));
    const count = having[0]?.ranks.columns.get(metric)?.length ?? 0;
    for (let rank = 0; rank < count; rank++) {
      const own = having.filter(({ ranks }) => ranks.silent?.[rank] !== 1);
      if (own.length > 0) {
        columns.push(
          columnOf(
            series.length,
            own.map((step) => ({ step: step.step, timeMs: Math.round(step.timeMs + (step.ranks.clockMs[rank] ?? 0)) })),
            own.map(({ ranks }) => ranks.columns.get(metric)?.[rank] ?? null),
          ),
        );
        series.push(seriesOf(metric, RANK_UNITS[metric], rank));
      }
      if (series.length < MOST_SERIES) continue;
      yield { part: part++, columns: { series: series.splice(0), columns: columns.splice(0) } };
    }
  }
  if (series.length > 0) yield { part, columns: { series, columns } };
}

function seriesOf(metric: string, unit: string | undefined, rank: number | null): NonNullable<PushInput["series"]>[number] {
  return { metric, ...(unit === undefined ? {} : { unit }), ...(rank === null ? {} : { labels: { rank: String(rank) } }) };
}

function columnOf(
  series: number,
  steps: readonly Pick<Reported, "step" | "timeMs">[],
  values: readonly (number | null)[],
): NonNullable<PushInput["columns"]>[number] {
  const { value, nonFinite } = encodeColumn(values);
  return {
    series,
    step: steps.map(({ step }) => step),
    time: steps.map(({ timeMs }) => timeMs),
    value: [...value],
    nonFinite: nonFinite.map(([index, word]): [number, typeof word] => [index, word]),
  };
}
