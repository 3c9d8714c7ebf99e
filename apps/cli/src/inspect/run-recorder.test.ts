import type { LogRecord } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { RunRecorder } from "./run-recorder.ts";

let line = 0;
const point = (
  step: number | null,
  values: readonly (readonly [string, number])[],
  labels: Readonly<Record<string, string>> = {},
): LogRecord => ({
  kind: "points",
  line: ++line,
  step,
  stepUnit: "optimizer-steps",
  timeMs: null,
  labels,
  values,
});
const saved = (step: number): LogRecord => ({ kind: "checkpoint", line: ++line, step, path: null, state: "unchecked", timeMs: null });
const noisy = (step: number): number => 2 + 0.02 * Math.sin(step * 12.9898);

function record(records: readonly LogRecord[]): RunRecorder {
  const recorder = new RunRecorder("lab/run");
  for (const one of records) recorder.accept(one);
  recorder.finish();
  return recorder;
}

describe("RunRecorder", () => {
  it("C1: keeps every point of a resume that overlaps, and leaves a lone absurd step out of the range", () => {
    const first = Array.from({ length: 1_000 }, (_, index) => point(index + 1, [["loss", noisy(index)]]));
    const second = Array.from({ length: 300 }, (_, index) => point(index + 501, [["loss", noisy(index + 7)]]));
    const recorder = record([...first, point(1_000_000_000, [["loss", 2]]), ...second]);
    expect(recorder.metrics().reduce((sum, metric) => sum + metric.points, 0)).toBe(1_301);
    expect(recorder.attempts().map(({ name, firstStep, lastStep }) => [name, firstStep, lastStep])).toEqual([
      ["a1", 1, 1_000],
      ["a2", 501, 800],
    ]);
    expect(recorder.metrics().find((metric) => metric.attempt === "a1")).toMatchObject({ points: 1_001, lastStep: 1_000 });
  });

  it("A4: takes extremes from all points and counts what is not finite apart", () => {
    const values = Array.from({ length: 999 }, (_, index) => (index === 617 ? 9 : index === 700 ? Number.NaN : 2));
    const [metric] = record(values.map((value, index) => point(index, [["loss", value]]))).metrics();
    expect(metric).toMatchObject({ points: 999, min: 2, max: 9, nonFinite: 1, firstStep: 0, lastStep: 998 });
  });

  it("counts points without a step and judges none of them", () => {
    const recorder = record([point(null, [["loss", 1]]), point(null, [["loss", 2]])]);
    expect(recorder.metrics()).toMatchObject([{ points: 2, firstStep: null, lastStep: null }]);
    expect(recorder.attempts()).toEqual([]);
  });

  it("puts a checkpoint into the attempt whose points came last", () => {
    const launch: LogRecord = { kind: "start", line: 0, reason: "banner", timeMs: null };
    const steps = (from: number, to: number): readonly LogRecord[] =>
      Array.from({ length: to - from + 1 }, (_, index) => point(from + index, [["loss", noisy(index)]]));
    const recorder = record([...steps(1, 100), saved(100), launch, ...steps(51, 150), saved(150)]);
    expect(recorder.checkpoints.map(({ attempt, step }) => [attempt, step])).toEqual([
      ["a1", 100],
      ["a2", 150],
    ]);
  });

  it("stays with a log that restarts all day: early findings are kept, and old attempts are concluded", () => {
    const launches = Array.from({ length: 60 }, (_, launch): readonly LogRecord[] => [
      { kind: "start", line: 0, reason: "banner", timeMs: null },
      ...Array.from({ length: 60 }, (__, index) =>
        point(index + 1, [["loss", launch === 2 && index > 40 ? Number.NaN : noisy(index + launch)]]),
      ),
    ]).flat();
    const recorder = record(launches);
    expect(recorder.attempts()).toHaveLength(60);
    expect(recorder.ledger.incidents().map((incident) => [incident.attempt, incident.severity])).toEqual([["a3", "critical"]]);
    expect(recorder.shelf.facts("a1")).toMatchObject({ logEvery: 1 });
    expect([recorder.shelf.sketch("a1"), recorder.shelf.sketch("a60")?.range()]).toEqual([null, { first: 1, last: 60 }]);
  });

  it("leaves evaluations and other splits to the list of metrics", () => {
    const recorder = record(
      Array.from({ length: 300 }, (_, index) => point(index, [["loss", index > 200 ? Number.NaN : 2]], { phase: "validation" })),
    );
    expect(recorder.ledger.findings()).toEqual([]);
    expect(recorder.metrics()).toMatchObject([{ points: 300, labels: { phase: "validation" } }]);
  });
});
