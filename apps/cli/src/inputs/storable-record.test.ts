import { pushSchema, type LogRecord, type ParseIssue } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { type LogBlock, pushBodyOf } from "../import/log-block.ts";
import { LogCutter } from "../import/log-cutter.ts";
import { StorableRecords } from "./storable-record.ts";

const bad = ["a\0b", "a\ud800", "\udc00a"];
const points = (line: number, name: string, labels = {}): LogRecord => ({
  kind: "points",
  line,
  step: line,
  stepUnit: "optimizer-steps",
  timeMs: null,
  labels,
  values: [[name, 1]],
});

function recordsOf(text: string): LogRecord[] {
  return [
    points(1, text),
    points(2, "loss", { host: text }),
    points(3, "loss", { [text]: "x" }),
    { kind: "start", line: 4, reason: text, timeMs: 1e300 },
    { kind: "checkpoint", line: 5, step: 5, path: text, state: "unchecked", timeMs: -1 },
    { kind: "note", line: 6, code: text, step: null, timeMs: 1e300, text },
    { kind: "meta", line: 7, key: "cluster", value: text },
  ];
}

function blocksOf(records: readonly LogRecord[]): readonly LogBlock[] {
  const cutter = new LogCutter({ project: "p", name: "r" });
  const blocks = records.flatMap((record) => cutter.take(record));
  const rest = cutter.rest();
  return rest === null ? blocks : [...blocks, rest];
}

describe("records on their way to a server", () => {
  it.each(bad)("%j in any text of a log becomes an issue and does not stop the import", (text) => {
    const issues: ParseIssue[] = [];
    const records = new StorableRecords((issue) => issues.push(issue));
    const blocks = blocksOf(recordsOf(text).map((record) => records.clean(record)));
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(pushSchema.safeParse({ source: "s", seq: 0, ...pushBodyOf(block) }).error).toBeUndefined();
    expect(issues.filter(({ code }) => code === "unstorable-text")).toHaveLength(1);
    expect(issues[0]?.message).toContain("\uFFFD");
    expect(issues.filter(({ code }) => code === "bad-time")).toHaveLength(3);
  });

  it("are left as they are where all can be stored", () => {
    const record = points(1, "loss 🙂", { rank: "0" });
    expect(new StorableRecords(() => expect.unreachable("nothing to tell")).clean(record)).toBe(record);
  });

  it("are not cut through a character where they are too long", () => {
    const long = "🙂".repeat(2000);
    for (const shift of ["", "x"]) {
      const records = recordsOf(`${shift}${long}`).filter(({ kind }) => kind !== "checkpoint");
      const body = blocksOf([...records.slice(0, 1), ...records.slice(3)]).map(pushBodyOf);
      for (const each of body) {
        const texts = [
          ...(each.series ?? []).map(({ metric }) => metric),
          ...(each.events ?? []).flatMap(({ kind, text }) => [kind, text]),
        ];
        for (const text of texts) expect(text).not.toMatch(/\p{Surrogate}/u);
      }
    }
  });
});
