import type { LogRecord, PointsRecord } from "@trainwatch/core";
import { detectFormat } from "@trainwatch/formats";
import { LOG_WRITERS, completePlan, simulateRun } from "@trainwatch/simulate";
import type { PlanInput, PointEvent } from "@trainwatch/simulate";
import { describe, expect, it } from "vitest";

const PLAN = completePlan({
  seed: 17,
  steps: 1_200,
  logEvery: 5,
  checkpointEvery: 100,
  incompleteCheckpoints: [300],
  gpus: 256,
  faults: [
    { kind: "nan", step: 700, steps: 20 },
    { kind: "restart", step: 900, resumeFrom: 600, downtimeS: 30, reason: "rolled back" },
  ],
} satisfies PlanInput);
const EVENTS = [...simulateRun(PLAN)];
const POINTS = EVENTS.filter((event): event is PointEvent => event.kind === "point");

function read(text: string): { readonly format: string; readonly records: readonly LogRecord[]; readonly issues: readonly string[] } {
  const bytes = new TextEncoder().encode(text);
  const found = detectFormat(bytes.subarray(0, 65_536));
  if (found.kind !== "format") throw new Error(found.refusal.message);
  const records: LogRecord[] = [];
  const issues: string[] = [];
  const parser = found.format.parser({ record: (record) => records.push(record), issue: (issue) => issues.push(issue.code) }, {});
  parser.push(bytes);
  parser.end();
  return { format: found.format.id, records, issues };
}

const pointsOf = (records: readonly LogRecord[]): readonly PointsRecord[] => records.filter((record) => record.kind === "points");
const valueOf = (record: PointsRecord, ...names: readonly string[]): number | undefined =>
  record.values.find(([name]) => names.includes(name))?.[1];

describe.each(LOG_WRITERS)("a simulated run written as $id", (writer) => {
  const { format, records, issues } = read(EVENTS.map((event) => writer.write(event, PLAN)).join(""));

  it("is recognised, and each step, time and value comes back", () => {
    expect(format).toBe(writer.id);
    const points = pointsOf(records);
    expect(points.map((record) => record.step)).toEqual(POINTS.map((event) => event.step));
    for (const [index, event] of POINTS.entries()) {
      const record = points[index];
      if (record === undefined) throw new Error("a line is missing");
      expect(record.timeMs).toBe(event.timeMs);
      const loss = valueOf(record, "loss", "lm loss") ?? Number.POSITIVE_INFINITY;
      if (Number.isNaN(event.values.loss)) expect(loss).toBeNaN();
      else expect(loss / event.values.loss).toBeCloseTo(1, 5);
    }
  });

  it("says no more issues than its NaN losses give cause for", () => {
    expect([...new Set(issues)]).toEqual(writer.id === "megatron" ? ["loss-absent-nan"] : []);
  });
});

describe("a simulated run written as Megatron's stdout", () => {
  const writer = LOG_WRITERS.find((candidate) => candidate.id === "megatron") ?? LOG_WRITERS[0];
  const { records } = read(EVENTS.map((event) => writer.write(event, PLAN)).join(""));

  it("names its GPUs, its launches, and the checkpoints that were saved and no others", () => {
    expect(records.find((record) => record.kind === "meta" && record.key === "gpus")).toMatchObject({ value: 256 });
    expect(records.filter((record) => record.kind === "start")).toHaveLength(2);
    const saved = EVENTS.filter((event) => event.kind === "checkpoint")
      .filter((event) => event.state !== "incomplete")
      .map((event) => event.step);
    expect(records.filter((record) => record.kind === "checkpoint").map((record) => record.step)).toEqual(saved);
    expect(saved).not.toContain(300);
  });
});
