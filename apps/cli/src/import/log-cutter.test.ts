import { decodeColumn, pushSchema } from "@trainwatch/core";
import type { LogRecord } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pushBodyOf } from "./log-block.ts";
import type { PushBody } from "./log-block.ts";
import { LogCutter } from "./log-cutter.ts";

const points = (
  line: number,
  step: number | null,
  values: readonly (readonly [string, number])[],
  timeMs: number | null = null,
): LogRecord => ({ kind: "points", line, step, stepUnit: "optimizer-steps", timeMs, labels: {}, values });

function batch(records: readonly LogRecord[]): readonly PushBody[] {
  const cutter = new LogCutter({ project: "p", name: "r" });
  const blocks = records.flatMap((record) => cutter.take(record));
  const rest = cutter.rest();
  return (rest === null ? blocks : [...blocks, rest]).map(pushBodyOf);
}

/** What a server would store, in order. */
function stored(bodies: readonly PushBody[]): readonly (readonly [string, number | undefined, number | null])[] {
  return bodies.flatMap((body) =>
    (body.columns ?? []).flatMap((column) => {
      const metric = body.series?.[column.series]?.metric ?? "";
      return decodeColumn({ value: column.value, nonFinite: column.nonFinite ?? [] }).map(
        (value, index) => [metric, column.step?.[index], value] as const,
      );
    }),
  );
}

describe("LogCutter", () => {
  it("carries every value once, in pushes that the server's schema takes, whatever the log", () => {
    const record = fc.record({
      step: fc.integer({ min: 0, max: 50 }),
      values: fc.array(
        fc.tuple(fc.constantFrom("loss", "grad_norm", "x"), fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY))),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 60 }), (list) => {
        const unique = list.map(({ step, values }, index) => points(index + 1, step, [...new Map(values).entries()]));
        const bodies = batch(unique);
        const expected = unique.flatMap((one) =>
          one.kind === "points" ? one.values.map(([metric, value]) => [metric, one.step ?? undefined, value] as const) : [],
        );
        const sort = (rows: readonly (readonly [string, number | undefined, number | null])[]): readonly string[] =>
          rows.map(([metric, step, value]) => `${metric} ${step} ${String(value)}`).toSorted();
        expect(sort(stored(bodies))).toEqual(sort(expected));
        for (const [seq, body] of bodies.entries()) {
          expect(pushSchema.safeParse({ source: "s", seq, ...body }).success).toBe(true);
          for (const column of body.columns ?? []) expect(column.step?.toSorted((a, b) => a - b)).toEqual(column.step);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("cuts the same log the same way each time", () => {
    const log = Array.from({ length: 45_000 }, (_, index) => points(index + 1, index, [["loss", 2 + Math.sin(index)]], 1_000 * index));
    const bodies = batch(log);
    expect(bodies.map((body) => body.columns?.[0]?.value.length)).toEqual([
      4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 1_000,
    ]);
    expect(batch(log)).toEqual(bodies);
  });

  it("begins a push at a launch and where a step falls back", () => {
    const log: LogRecord[] = [
      points(1, 10, [["loss", 3]]),
      { kind: "start", line: 2, reason: "banner", timeMs: null },
      points(3, 5, [["loss", 3]]),
      points(4, 4, [["loss", 3]]),
    ];
    expect(batch(log).map((body) => [body.columns?.[0]?.step, body.events?.map((event) => event.kind)])).toEqual([
      [[10], []],
      [[5], ["start"]],
      [[4], []],
    ]);
  });

  it("sends facts of the log once, and again when they change", () => {
    const meta = (value: number): LogRecord => ({ kind: "meta", line: 1, key: "gpus", value });
    const log = [
      meta(64),
      ...Array.from({ length: 8_001 }, (_, index) => points(index + 2, index, [["loss", 1]])),
      meta(128),
      points(50_000, 0, [["loss", 1]]),
    ];
    expect(batch(log).map((body) => body.metadata)).toEqual([{ gpus: 64 }, undefined, { gpus: 128 }, undefined]);
  });

  it("keeps values without step and time out and counts them", () => {
    const cutter = new LogCutter({ project: "p", name: "r" });
    cutter.take(
      points(1, null, [
        ["loss", 1],
        ["lr", 2],
      ]),
    );
    cutter.take(points(2, null, [["loss", 1]], 5_000));
    expect(cutter.unplaced).toBe(2);
    const rest = cutter.rest();
    expect(rest === null ? null : pushBodyOf(rest).columns).toEqual([{ series: 0, time: [5_000], value: [1], nonFinite: [] }]);
  });
});
