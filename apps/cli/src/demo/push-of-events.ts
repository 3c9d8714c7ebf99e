import { encodeColumn, type PushInput } from "@trainwatch/core";
import type { DemoRun, PointEvent, SimulatedEvent } from "@trainwatch/simulate";

/** Events in pieces that one push can hold: one attempt each, at most `most` events. */
export function* batchesOf<E extends { readonly attempt: string }>(
  events: Iterable<E>,
  most: number,
): Generator<readonly [E, ...E[]], void, undefined> {
  let held: E[] = [];
  for (const event of events) {
    const [first, ...rest] = held;
    if (first !== undefined && (first.attempt !== event.attempt || held.length >= most)) {
      yield [first, ...rest];
      held = [];
    }
    held.push(event);
  }
  const [first, ...rest] = held;
  if (first !== undefined) yield [first, ...rest];
}

/** One batch as the body of `ingest.push`, as a trainer's own client would send it. */
export function pushOfBatch(run: DemoRun, seq: number, events: readonly [SimulatedEvent, ...SimulatedEvent[]]): PushInput {
  const [{ attempt }] = events;
  const points = events.filter((event) => event.kind === "point");
  const end = events.find((event) => event.kind === "end");
  return {
    source: `demo/${run.name}`,
    seq,
    run: { project: run.project, name: run.name },
    attempt,
    metadata: run.metadata,
    ...columnsOf(points),
    checkpoints: events
      .filter((event) => event.kind === "checkpoint")
      .map(({ step, path, state, timeMs, reason }) => ({ step, path, state, savedAtMs: timeMs, reason })),
    events: events
      .filter((event) => event.kind === "start")
      .map(({ timeMs, reason, branchStep }) => ({ kind: "start", step: branchStep, timeMs, text: reason })),
    // A crash in the middle is followed by another attempt: the run goes on.
    ...(end?.outcome === "finished" ? { ended: end.outcome } : {}),
  };
}

const METRICS = [
  "loss",
  "grad_norm",
  "learning_rate",
  "step_time",
  "tokens_per_second",
  "tokens_consumed",
] as const satisfies readonly (keyof PointEvent["values"])[];
const UNITS: Partial<Record<(typeof METRICS)[number], string>> = {
  loss: "nats",
  step_time: "s",
  tokens_per_second: "tokens/s",
  tokens_consumed: "tokens",
};

function columnsOf(points: readonly PointEvent[]): Pick<PushInput, "series" | "columns"> {
  if (points.length === 0) return { series: [], columns: [] };
  const step = points.map((point) => point.step);
  const time = points.map((point) => point.timeMs);
  return {
    series: METRICS.map((metric) => {
      const unit = UNITS[metric];
      return unit === undefined ? { metric } : { metric, unit };
    }),
    columns: METRICS.map((metric, series) => {
      const { value, nonFinite } = encodeColumn(points.map((point) => point.values[metric]));
      return { series, step, time, value: [...value], nonFinite: nonFinite.map(([index, word]): [number, typeof word] => [index, word]) };
    }),
  };
}
