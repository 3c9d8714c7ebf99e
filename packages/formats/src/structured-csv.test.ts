import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv, lightningCsv } from "./csv.ts";
import { type Collected, collect, series } from "./fixtures/collect.ts";
import type { LogFormat, ParseOptions } from "./format.ts";
import { splitCells } from "./table/csv-lines.ts";
import { wandbCsv } from "./wandb-csv.ts";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "fixtures", name));
const readText = (format: LogFormat, text: string, options: ParseOptions = {}): Collected => collect(format, [Buffer.from(text)], options);
const codes = ({ issues }: Collected): unknown[] => issues.map(({ line, code }) => [line, code]);

describe("CSV cells", () => {
  it("are split as they were joined, whatever they hold", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", " ", "é"), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        const line = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
        expect(splitCells(line, ",")).toEqual(cells);
      }),
    );
    expect(splitCells('a,"b', ",")).toBeUndefined();
    expect(splitCells("a,,b,", ",")).toEqual(["a", "", "b", ""]);
    expect(splitCells('5" disk,x', ",")).toEqual(['5" disk', "x"]);
  });
});

describe("Lightning metrics.csv", () => {
  const run = collect(lightningCsv, [fixture("lightning-csv/metrics.csv")]);

  it("takes an empty cell for missing and a zero for zero", () => {
    expect(series(run, "train_loss")).toEqual([
      [9, 2.5],
      [19, Number.NaN],
      [29, 1.75],
      [39, 0],
    ]);
    expect(series(run, "val_loss")).toEqual([
      [19, 2.25],
      [39, 1.5],
    ]);
    expect(series(run, "lr-AdamW").map(([step]) => step)).toEqual([9, 19, 29]);
    expect(run.issues).toEqual([]);
  });

  it("takes a repeated header for a new launch", () => {
    const out = readText(lightningCsv, "epoch,step,loss\n0,1,5\n0,2,4\nepoch,step,loss\n0,1,6\n");
    expect(out.records.map((record) => (record.kind === "points" ? record.step : record.kind))).toEqual([1, 2, "start", 1]);
  });
});

describe("CSV", () => {
  it("reads quotes, line breaks inside them, thousands, non-finite words and times", () => {
    const run = collect(csv, [fixture("csv/sparse.csv")]);
    expect(series(run, "train/loss")).toEqual([
      [0, 4.5],
      [10, 3.5],
      [20, Number.POSITIVE_INFINITY],
      [30, 3141.5],
    ]);
    expect(series(run, "grad_norm").map(([, value]) => value)).toEqual([1.25, Number.NaN, 0, 0.5]);
    expect(series(run, "note")).toEqual([]);
    expect(run.records.map((record) => [record.line, record.kind === "points" ? record.timeMs : null])).toEqual([
      [2, 1900000000250],
      [3, 1900000010500],
      [4, 1900000020750],
      [6, 1900000030000],
      [7, 1900000040000],
    ]);
    expect(run.issues).toEqual([]);
  });

  it("reads semicolons with decimal commas, CRLF, ranks and times without a zone", () => {
    const run = collect(csv, [fixture("csv/semicolons.csv")]);
    expect(series(run, "loss")).toEqual([
      [1, 2.5],
      [2, 1.234],
    ]);
    expect(series(run, "loss", { rank: "1" })).toEqual([
      [1, 2.75],
      [2, 2.5],
    ]);
    expect(run.records[0]).toEqual({ kind: "meta", line: 2, key: "timeZoneAssumed", value: "UTC" });
    expect(run.issues).toEqual([]);
  });

  it("names rows that do not fit, text in a numeric column and steps that are none", () => {
    const out = readText(csv, "step,loss\n1,5\n2,4,9\n3\n4,abc\nx,3\n1.5,3\n-2,3\n6.0,2\n7,1\n");
    expect(series(out, "loss")).toEqual([
      [1, 5],
      [6, 2],
      [7, 1],
    ]);
    expect(codes(out)).toEqual([
      [3, "bad-row"],
      [4, "bad-row"],
      [5, "unreadable-value"],
      [6, "bad-step"],
      [7, "bad-step"],
      [8, "bad-step"],
    ]);
  });

  it("keeps the whole cells of a last row that is cut, and doubts a last value that may be", () => {
    const cut = readText(csv, "step,loss,grad_norm,lr\n1,5,2,0.5\n2,4,1.7");
    expect(series(cut, "loss")).toEqual([
      [1, 5],
      [2, 4],
    ]);
    expect(series(cut, "grad_norm")).toEqual([[1, 2]]);
    expect(codes(cut)).toEqual([[3, "unfinished-line"]]);
    expect(codes(readText(csv, "step,loss\n1,5\n2,4.2"))).toEqual([[3, "unfinished-line"]]);
  });

  it("loses one row to a quote that is never closed", () => {
    const rows = Array.from({ length: 40 }, (_, step) => `${step},${step === 5 ? '"' : ""}1.5`);
    const out = readText(csv, `step,loss\n${rows.join("\n")}\n`);
    expect(series(out, "loss")).toHaveLength(39);
    expect(codes(out)).toEqual([[7, "bad-row"]]);
  });

  it("takes the columns that the user names and says which there are when it finds none", () => {
    expect(series(readText(csv, "tick,loss\n3,2.5\n", { columns: { step: "tick" } }), "loss")).toEqual([[3, 2.5]]);
    const out = readText(csv, "tick,loss\n3,2.5\n");
    expect(out.records).toEqual([]);
    expect(out.issues).toEqual([
      { line: 1, code: "no-axis", message: "No column is known as a step or a time; name one. Columns: tick, loss." },
    ]);
  });

  it.each([
    ["a leaderboard", "rank,model,arena_score,votes\n1,alpha,1500,20\n2,beta,1490,30\n"],
    ["a registry of folders", "Step,Checkpoint Directory\n1000,https://example.org/step1000\n"],
    ["numbers without a header", "1,2,3\n4,5,6\n"],
    ["one column", "step\n1\n2\n"],
    ["prose", "Dear all, this is a letter, with commas\nand a second line, too\n"],
    ["nothing", ""],
  ])("is not seen in %s", (_what, text) => {
    expect([csv, lightningCsv, wandbCsv].map((format) => format.sniff(Buffer.from(text)))).toEqual([0, 0, 0]);
  });
});

describe("W&B chart export", () => {
  it("uses the value column and keeps MIN and MAX under their own names, without a label for one run", () => {
    const run = collect(wandbCsv, [fixture("wandb-csv/one-run.csv")]);
    expect(series(run, "lm_loss")).toEqual([
      [4, 12.5],
      [52, 9.5],
      [72, Number.NaN],
      [101, 8.25],
    ]);
    expect(series(run, "lm_loss__MIN")).toHaveLength(4);
    expect(series(run, "lm_loss__MAX")[2]).toEqual([72, Number.POSITIVE_INFINITY]);
    expect(run.issues).toEqual([]);
  });

  it("gives each of several runs its label and no point where its cells are empty", () => {
    const run = collect(wandbCsv, [fixture("wandb-csv/two-runs.csv")]);
    expect(series(run, "train/loss", { run: 'a "fast" run, v2' })).toEqual([
      [0, 4.5],
      [10, 3.5],
    ]);
    expect(series(run, "train/loss", { run: "base" })).toEqual([
      [0, 4.25],
      [20, 3],
    ]);
  });

  it("takes each run's own step where the chart's axis is another, and says when there is none", () => {
    const own = readText(
      wandbCsv,
      '"Relative Time (Process)","r - loss","r - loss__MIN","r - loss__MAX","r - _step","r - _step__MIN","r - _step__MAX"\n"12.5","3","3","3","40","40","40"\n',
    );
    expect(series(own, "loss")).toEqual([[40, 3]]);
    expect(series(own, "_step__MIN")).toEqual([]);
    const none = readText(wandbCsv, '"Relative Time (Process)","r - loss","r - loss__MIN","r - loss__MAX"\n"12.5","3","3","3"\n');
    expect(codes(none)).toEqual([[2, "no-axis"]]);
    const wall = readText(wandbCsv, '"Wall Time","r - loss","r - loss__MIN","r - loss__MAX"\n"1900000000.5","3","3","3"\n');
    expect(wall.records).toMatchObject([{ step: null, timeMs: 1900000000500 }]);
  });
});
