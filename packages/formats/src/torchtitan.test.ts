import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect, series } from "./fixtures/collect.ts";
import { stepLossList } from "./step-loss-list.ts";
import { torchtitan } from "./torchtitan.ts";

const bytes = readFileSync(join(import.meta.dirname, "fixtures/torchtitan/two-ranks.log"));
const run = collect(torchtitan, [bytes]);

describe("torchtitan stdout", () => {
  it("is read through its colours, with percent, GiB and thousands commas", () => {
    expect(run.records.find((record) => record.kind === "points")).toEqual({
      kind: "points",
      line: 5,
      step: 1,
      stepUnit: "optimizer-steps",
      timeMs: Date.UTC(2031, 1, 3, 4, 5, 9, 250),
      labels: {},
      values: [
        ["loss", 12.25],
        ["grad_norm", 2.5],
        ["memory(GiB)", 20.5],
        ["memory(%)", 25.5],
        ["tps", 1024],
        ["tflops", 10.5],
        ["mfu(%)", 3.25],
      ],
    });
    expect(series(run, "tflops")).toContainEqual([10, 1050.5]);
  });

  it("B7: keeps a padded nan as NaN and takes N/A for missing", () => {
    expect(series(run, "loss")).toEqual([
      [1, 12.25],
      [10, Number.NaN],
      [20, 7.75],
    ]);
    expect(series(run, "mfu(%)").map(([step]) => step)).toEqual([1, 20]);
    expect(run.issues).toEqual([]);
  });

  it("labels every rank but rank 0", () => {
    expect(series(run, "loss", { rank: "1" })).toEqual([[1, 12.25]]);
  });

  it("keeps validation apart from training", () => {
    expect(series(run, "validation_metrics/loss")).toEqual([[10, 8.5]]);
  });

  it("gives one start a launch, tokens a step and the target", () => {
    expect(run.records.filter((record) => record.kind === "start")).toHaveLength(1);
    expect(run.records.flatMap((record) => (record.kind === "meta" ? [[record.key, record.value]] : []))).toEqual([
      ["tokensPerStep", 16 * 2048],
      ["targetSteps", 30],
      ["timeZoneAssumed", "UTC"],
    ]);
  });

  it("does not take 'Saving the checkpoint' for a saved one", () => {
    expect(run.records.some((record) => record.kind === "checkpoint")).toBe(false);
  });

  it("of forks with a target behind the step and rates with a slash is read the same", () => {
    const out = collect(torchtitan, [
      Buffer.from(
        "[job] [rank2]:2031-02-03 04:05:06,100 - root - INFO - step: 640/644 = 99.3789%  loss:  6.2500  memory: 87.00GiB(93.50%)  tps: 52,142  mfu: 3.00% it/s: 0.50\n",
      ),
    ]);
    expect(series(out, "loss", { rank: "2" })).toEqual([[640, 6.25]]);
    expect(series(out, "it/s", { rank: "2" })).toEqual([[640, 0.5]]);
    expect(out.issues).toEqual([]);
  });

  it("names a value that is no number and keeps the others", () => {
    const out = collect(torchtitan, [Buffer.from("step: 3  loss: 2.5  grad_norm: abc  memory: 1.00GiB(1.00%)  tps: 5,432\n")]);
    expect(series(out, "tps")).toEqual([[3, 5432]]);
    expect(out.issues).toMatchObject([{ line: 1, code: "unreadable-value" }]);
  });
});

describe("step and loss list", () => {
  const read = (text: string): ReturnType<typeof collect> => collect(stepLossList, [Buffer.from(text)]);

  it("gives one loss a line", () => {
    expect(series(read("1 9.5\n2 nan\n3\t1e999\n"), "loss")).toEqual([
      [1, 9.5],
      [2, Number.NaN],
      [3, Number.POSITIVE_INFINITY],
    ]);
  });

  it("names lines that are no pair and reads on", () => {
    const out = read("step loss\n1 9.5\nx 2\n3 abc\n4\n\n-1 2\n5 8\n");
    expect(series(out, "loss").map(([step]) => step)).toEqual([1, 5]);
    expect(out.issues.map(({ line, code }) => [line, code])).toEqual([
      [3, "bad-step"],
      [4, "bad-line"],
      [5, "bad-line"],
      [7, "bad-step"],
    ]);
  });

  it("is not seen in other tables of numbers", () => {
    for (const text of ["1 2\n", "5 1\n4 1\n3 1\n2 1\n", "a 1\nb 2\nc 3\nd 4\n", "1,2\n3,4\n5,6\n7,8\n", "1 2 3\n2 3 4\n3 4 5\n4 5 6\n"])
      expect(stepLossList.sniff(Buffer.from(text))).toBe(0);
  });
});
