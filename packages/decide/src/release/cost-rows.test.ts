import { evalRecordSchema, type EvalRecord } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { compareRelease, columnsFromRecords } from "./index.ts";

/** Answers of two models to the samples of some tasks; the second takes half as long again. */
function records(tasks: readonly string[]): readonly EvalRecord[] {
  return ["old", "new"].flatMap((model, at) =>
    tasks.flatMap((task) =>
      Array.from({ length: 200 }, (_, index) =>
        evalRecordSchema.parse({
          kind: "sample",
          subject: { model },
          task,
          key: `s${index}`,
          scores: { acc: index % 2 },
          tokens: 100 + (index % 7),
          latencyS: (1 + ((index * 37) % 200) / 200) * (at === 0 ? 1 : 1.5),
        }),
      ),
    ),
  );
}

function costRows(tasks: readonly string[]) {
  const { columns } = columnsFromRecords([{ records: records(tasks) }]);
  const { rows } = compareRelease({ columns, correction: "holm", level: 0.95, margin: 0.01, seed: 1, allowed: [], taskWeights: {} });
  return rows.filter(({ dimension }) => dimension === "cost");
}

describe("what answers cost", () => {
  it("stands once for all tasks, with median and p95 over the answers of all", () => {
    const rows = costRows(["one", "two", "three"]);
    expect(rows.map(({ task, metric }) => `${task} ${metric}`).toSorted()).toEqual([
      "all tasks answer_latency",
      "all tasks answer_tokens",
      "all tasks latency_p50",
      "all tasks latency_p95",
    ]);
    const p95 = rows.find(({ metric }) => metric === "latency_p95");
    expect(p95?.cells.map(({ n, verdict }) => [n, verdict])).toEqual([
      [600, "tie"],
      [600, "worse"],
    ]);
    expect(Number(p95?.cells[1]?.value) / Number(p95?.cells[0]?.value)).toBeCloseTo(1.5, 6);
  });

  it("stands by task where there is one only", () => {
    expect(
      costRows(["one"])
        .map(({ task, metric }) => `${task} ${metric}`)
        .toSorted(),
    ).toEqual(["one answer_latency", "one answer_tokens", "one latency_p50", "one latency_p95"]);
  });
});
