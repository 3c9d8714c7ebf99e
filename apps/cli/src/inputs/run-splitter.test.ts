import type { LogRecord } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { RunSplitter } from "./run-splitter.ts";

const points = (labels: Readonly<Record<string, string>>): LogRecord => ({
  kind: "points",
  line: 1,
  step: 1,
  stepUnit: "optimizer-steps",
  timeMs: null,
  labels,
  values: [["loss", 1]],
});
const saved: LogRecord = { kind: "checkpoint", line: 2, step: 1, path: null, state: "unchecked", timeMs: null };

function names(isNamed: boolean, records: readonly LogRecord[]): readonly string[] {
  const splitter = new RunSplitter({ project: "lab", name: "file" }, isNamed);
  return records.map((record) => splitter.route(record).run.name);
}

describe("RunSplitter", () => {
  it("leaves a file without run labels one run, whatever other labels it has", () => {
    expect(names(false, [points({}), points({ rank: "3" }), saved])).toEqual(["file", "file", "file"]);
  });

  it("makes each run label a run of that name, and takes the label off", () => {
    expect(names(false, [points({ run: "a" }), points({ run: "b" }), saved, points({ run: "a" }), saved])).toEqual([
      "a",
      "b",
      "b",
      "a",
      "a",
    ]);
    const { record } = new RunSplitter({ project: "lab", name: "file" }, false).route(points({ run: "a", rank: "1" }));
    expect(record.kind === "points" && record.labels).toEqual({ rank: "1" });
  });

  it("keeps the name that the user gave for the first label, and sets further ones under it", () => {
    expect(names(true, [points({ run: "a" }), points({ run: "b" }), points({ run: "a" })])).toEqual(["file", "file/b", "file"]);
  });

  it("stays bounded when every line brings a new label", () => {
    const many = Array.from({ length: 1_200 }, (_, index) => points({ run: `r${index}` }));
    expect(new Set(names(false, many)).size).toBe(1_001);
  });
});
