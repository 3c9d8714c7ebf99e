import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogRecord } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { collect } from "../fixtures/collect.ts";
import { detectFormat, formatById } from "../index.ts";
import { withoutCollectorStamp } from "./collector-stamp.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");
/** Console logs, which collectors take line by line. */
const CONSOLE = ["megatron", "torchtitan", "step-loss-list", "deepspeed", "llm-c", "modded-nanogpt", "mlperf", "algoperf", "verl"] as const;

const withoutTimes = (records: readonly LogRecord[]): unknown[] => records.map((record) => ({ ...record, timeMs: undefined }));

describe("time stamps that a log collector put in front", () => {
  it.each([
    ["2031-02-03T04:05:06.123456789Z step:1/2 train_loss:3", "step:1/2 train_loss:3"],
    ["2031-02-03T04:05:06Z stdout F s:1 trl:2", "s:1 trl:2"],
    ["2031-02-03T04:05:06.5+01:00  [2031-02-03 04:05:06] iteration", " [2031-02-03 04:05:06] iteration"],
    ["2031-02-03 04:05:06,123 INFO own stamp", "2031-02-03 04:05:06,123 INFO own stamp"],
    ["2031-02-03T04:05:06 no zone", "2031-02-03T04:05:06 no zone"],
  ])("%j becomes %j", (line, text) => {
    expect(withoutCollectorStamp(line).text).toBe(text);
  });

  it.each(CONSOLE)("change nothing of %s but the times it lacks, and never the detection", (id) => {
    const format = formatById(id);
    if (format === undefined) throw new Error(`${id} is not registered`);
    for (const name of readdirSync(join(FIXTURES, id))) {
      const plain = readFileSync(join(FIXTURES, id, name));
      const stamped = Buffer.from(plain.toString("utf8").replaceAll(/^/gm, "2031-02-03T04:05:06.000Z stdout F "));
      const detection = detectFormat(stamped);
      expect(detection.kind === "format" && detection.format.id).toBe(id);
      expect(withoutTimes(collect(format, [stamped]).records)).toEqual(withoutTimes(collect(format, [plain]).records));
    }
  });

  it("give their time to lines that have none, and not to lines that have one", () => {
    const format = formatById("megatron");
    if (format === undefined) throw new Error("megatron is not registered");
    const line = "iteration 1/ 2 | lm loss: 2.5 | number of nan iterations: 0 |";
    const text = `2031-02-03T04:05:06Z ${line}\n2031-02-03T04:05:06Z  [2031-01-01 00:00:00] ${line}\n`;
    const times = collect(format, [Buffer.from(text)]).records.flatMap((record) => (record.kind === "points" ? [record.timeMs] : []));
    expect(times).toEqual([Date.UTC(2031, 1, 3, 4, 5, 6), Date.UTC(2031, 0, 1)]);
  });
});
