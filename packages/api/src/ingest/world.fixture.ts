import type { LiveMove, PushAnswer, PushInput, SeriesWindow } from "@trainwatch/core";
import { type FakeClock, createFakeClock, createTestStore, type TestStore } from "@trainwatch/testkit";
import { parsePush } from "./parse-push.ts";
import { pushSamples } from "./push.ts";

export interface PushWorld extends TestStore {
  readonly clock: FakeClock;
  /** What pages were told. */
  readonly moves: readonly LiveMove[];
  /** As over the wire: the body becomes JSON and is parsed. */
  push(input: PushInput): Promise<PushAnswer>;
  window(runId: number, metric?: string): Promise<SeriesWindow>;
  /** Lines of a metric as attempt, writer, replaced or not, steps and points. */
  lines(runId: number, metric?: string): Promise<readonly unknown[]>;
  rows<Row extends object>(sql: string): Promise<Row[]>;
}

export async function createPushWorld(): Promise<PushWorld> {
  const base = await createTestStore();
  const clock = createFakeClock();
  const moves: LiveMove[] = [];
  const context = { store: base.store, now: clock.now, moves: { announce: (move: LiveMove) => void moves.push(move) } };
  const window: PushWorld["window"] = (runId, metric = "loss") =>
    base.store.samples.window({ runId, metrics: [metric], attempts: "all", axis: "step", from: null, to: null, buckets: 1024 });
  return {
    ...base,
    clock,
    moves,
    push: async (input) => pushSamples(context, parsePush(JSON.parse(JSON.stringify(input)))),
    window,
    async lines(runId, metric) {
      const { lines } = await window(runId, metric);
      return lines.map(({ attempt, labels, superseded, stepFirst, stepLast, summary }) => [
        attempt,
        labels["writer"] ?? null,
        superseded,
        stepFirst[0],
        stepLast.at(-1),
        summary.points,
      ]);
    },
    async rows<Row extends object>(sql: string) {
      return (await base.store.pool.query<Row>(sql)).rows;
    },
  };
}

/** Steps `from` to `to` with a value each. */
export function ramp(
  from: number,
  to: number,
  value: (step: number) => number = (step) => step,
  timeMs?: (step: number) => number,
): [number, number, number?][] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    timeMs === undefined ? [from + index, value(from + index)] : [from + index, value(from + index), timeMs(from + index)],
  );
}
