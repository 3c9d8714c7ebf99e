import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect, series, type Collected } from "./fixtures/collect.ts";
import { megatron } from "./megatron.ts";

const fixture = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, "fixtures/megatron", name));
const parse = (...lines: readonly string[]): Collected => collect(megatron, [Buffer.from(lines.map((line) => `${line}\n`).join(""))]);
const of = (collected: Collected, kind: string): unknown[] => collected.records.filter((record) => record.kind === kind);

const TAIL = "| number of skipped iterations:   0 | number of nan iterations:   0 |";
const line = (step: number | string, fields: string, tail = TAIL): string =>
  ` iteration ${String(step).padStart(8)}/     100 | consumed samples: 16 | ${fields} ${tail}`;

describe("Megatron iteration lines", () => {
  const run = collect(megatron, [fixture("run.log")]);

  it("give steps, times, the tool's own names, and seconds for the elapsed milliseconds", () => {
    expect(run.records.find((record) => record.kind === "points")).toEqual({
      kind: "points",
      line: 12,
      step: 10,
      stepUnit: "optimizer-steps",
      timeMs: Date.UTC(2031, 1, 3, 4, 5, 16, 500),
      labels: {},
      values: [
        ["consumed samples", 160],
        ["elapsed time per iteration (s)", 1.0505],
        ["throughput per GPU (TFLOP/s/GPU)", 101.5],
        ["learning rate", 1e-5],
        ["global batch size", 16],
        ["lm loss", 9.5],
        ["loss scale", 1],
        ["grad norm", 4.25],
        ["num zeros", 0],
        ["params norm", 12.5],
        ["number of skipped iterations", 0],
        ["number of nan iterations", 0],
      ],
    });
  });

  it("say once that their times name no zone, and follow the zone that is given", () => {
    expect(run.records.filter((record) => record.kind === "meta" && record.key === "timeZoneAssumed")).toEqual([
      { kind: "meta", line: 12, key: "timeZoneAssumed", value: "UTC" },
    ]);
    const berlin = collect(megatron, [fixture("run.log")], { timeZone: "Europe/Berlin" });
    expect(berlin.records.some((record) => record.kind === "meta" && record.key === "timeZoneAssumed")).toBe(false);
    expect(berlin.records.find((record) => record.kind === "points")).toMatchObject({ timeMs: Date.UTC(2031, 1, 3, 3, 5, 16, 500) });
  });

  it("glued by several ranks are read one by one, each with its own stamp", () => {
    const glued = run.records.filter((record) => record.kind === "points" && record.step === 50);
    expect(glued.map((record) => record.kind === "points" && record.timeMs)).toEqual([
      Date.UTC(2031, 1, 3, 4, 6, 1, 500),
      Date.UTC(2031, 1, 3, 4, 6, 1, 500),
    ]);
    expect(series(run, "lm loss").slice(-2)).toEqual([
      [50, 7.75],
      [50, 7.75],
    ]);
  });

  it("with another rank's text inside keep what stands before it and name the damaged value", () => {
    const out = parse(
      " iteration       10/     100 | consumed samples: 160 | lm loss: 9.5[Rank 1] (after 10 iterations) memory (MB) | allocated: 542.3 | max allocated: 600.0 |",
    );
    expect(out.records.filter((record) => record.kind === "points")).toMatchObject([{ step: 10, values: [["consumed samples", 160]] }]);
    expect(out.issues).toMatchObject([{ line: 1, code: "unreadable-value" }]);
  });

  it("followed by another rank's memory report do not take its numbers for training metrics", () => {
    const out = parse(
      `${line(10, "lm loss: 9.5")}[Rank 0] (after 10 iterations) memory (MB) | allocated: 17956.5 | max allocated: 68581.8 |`,
    );
    expect(series(out, "lm loss")).toEqual([[10, 9.5]]);
    expect(series(out, "max allocated")).toEqual([]);
    expect(out.issues).toEqual([]);
  });

  it("of older versions with seconds, a torchrun prefix and no stamp are the same metric", () => {
    const out = parse(
      `[default3]: iteration       10/ 3125000 | elapsed time per iteration (s): 7.2310 | lm loss: 1.010967E+01 | grad norm: 178.553 ${TAIL} samples per second: 13.276 | TFLOPs: 101.54 |`,
    );
    expect(series(out, "elapsed time per iteration (s)")).toEqual([[10, 7.231]]);
    expect(series(out, "TFLOPs")).toEqual([[10, 101.54]]);
  });

  it("of forks that print a running mean behind the value give the value of the interval", () => {
    const out = parse(
      line(
        10,
        "elapsed time per iteration (ms): 2701.5/2712.7 | hip mem usage/free/total/usage_ratio: 227.35GB/28.63GB/255.98GB/88.81% | compute per GPU (TFLOP/s/GPU): 496.5 (avg 490.0) | lm loss: 2.5",
      ),
    );
    expect(series(out, "elapsed time per iteration (s)")).toEqual([[10, 2.7015]]);
    expect(series(out, "compute per GPU (TFLOP/s/GPU)")).toEqual([[10, 496.5]]);
    expect(out.issues).toEqual([]);
  });

  it("take the time of DeepSpeed's own line of the same step when they have none", () => {
    const out = collect(megatron, [fixture("deepspeed-two-nodes.log")]);
    expect(out.records.flatMap((record) => (record.kind === "points" ? [[record.step, record.timeMs]] : []))).toEqual([
      [1, Date.UTC(2031, 1, 3, 4, 1, 0, 500)],
      [2, Date.UTC(2031, 1, 3, 4, 1, 5, 500)],
      [3, null],
    ]);
    expect(out.issues).toEqual([]);
  });
});

describe("B3: a NaN loss is left out of the line", () => {
  it("B3: a line without lm loss that counts NaN iterations is NaN at that step, with an issue that says so", () => {
    const out = parse(
      line(10, "loss scale: 1.0 | grad norm: 1.0", "| number of skipped iterations:   0 | number of nan iterations:   3 |"),
    );
    expect(series(out, "lm loss")).toEqual([[10, Number.NaN]]);
    expect(out.issues).toEqual([
      {
        line: 1,
        code: "loss-absent-nan",
        message: 'Iteration 10: "lm loss" is absent because Megatron leaves out a NaN loss; recorded as NaN.',
      },
    ]);
    expect(of(out, "note")).toMatchObject([{ code: "nan-iterations", step: 10 }]);
  });

  it("B3: in a whole log the NaN step stands between its neighbours", () => {
    const out = collect(megatron, [fixture("run.log")]);
    expect(series(out, "lm loss").slice(0, 4)).toEqual([
      [10, 9.5],
      [20, 8.25],
      [30, Number.NaN],
      [40, 8],
    ]);
  });

  it("B3: a loss that was there before and is gone without a skipped or NaN count is NaN too (bf16 counts none)", () => {
    const out = parse(line(10, "lm loss: 2.5 | grad norm: 1.0"), line(20, "grad norm: nan"), line(30, "grad norm: 1.0"));
    expect(series(out, "lm loss")).toEqual([
      [10, 2.5],
      [20, Number.NaN],
      [30, Number.NaN],
    ]);
  });

  it("B3: a non-finite gradient norm makes a missing first loss NaN", () => {
    expect(series(parse(line(1, "grad norm: nan")), "lm loss")).toEqual([[1, Number.NaN]]);
  });

  it("a fp16 warm-up line whose iterations were all skipped has no loss, which is not NaN", () => {
    const out = parse(line(1, "loss scale: 4294967296.0", "| number of skipped iterations:   1 | number of nan iterations:   0 |"));
    expect(series(out, "lm loss")).toEqual([]);
    expect(out.issues).toEqual([]);
    expect(of(out, "note")).toMatchObject([{ code: "iterations-skipped", step: 1 }]);
  });

  it("a new launch whose first iterations are skipped has no loss yet, which is not NaN", () => {
    const skipped = "| number of skipped iterations:   1 | number of nan iterations:   0 |";
    const fallen = parse(line(50, "lm loss: 2.5"), line(1, "loss scale: 65536.0", skipped));
    expect(series(fallen, "lm loss")).toEqual([[50, 2.5]]);
    expect(fallen.issues).toEqual([]);
    const resumed = parse(line(50, "lm loss: 2.5"), line(51, "loss scale: 65536.0", skipped));
    expect(series(resumed, "lm loss")).toEqual([[50, 2.5]]);
    expect(resumed.issues).toMatchObject([{ line: 2, code: "loss-absent" }]);
  });

  it("a printed loss of 0 in an interval of skipped iterations is the mean of none and no value", () => {
    const out = parse(
      line(1, "lm loss: 2.5"),
      line(2, "lm loss: 0.000000E+00", "| number of skipped iterations:   1 | number of nan iterations:   0 |"),
    );
    expect(series(out, "lm loss")).toEqual([[1, 2.5]]);
  });

  it("a further loss that is gone may be negative: it is named and not recorded as NaN", () => {
    const out = parse(line(1, "lm loss: 2.5 | policy loss: 0.5"), line(2, "lm loss: 2.25"));
    expect(series(out, "policy loss")).toEqual([[1, 0.5]]);
    expect(out.issues).toMatchObject([{ line: 2, code: "loss-absent" }]);
  });

  it("a line cut before its counters says nothing about what it lacks", () => {
    const out = parse(line(1, "lm loss: 2.5"), " iteration        2/     100 | consumed samples: 32 |");
    expect(series(out, "lm loss")).toEqual([[1, 2.5]]);
    expect(out.issues).toEqual([]);
  });
});

describe("Megatron checkpoints", () => {
  it("count only when the line says that they were saved", () => {
    expect(of(collect(megatron, [fixture("run.log")]), "checkpoint")).toEqual([
      { kind: "checkpoint", line: 16, step: 20, path: "/ckpt/demo", state: "unchecked", timeMs: Date.UTC(2031, 1, 3, 4, 5, 31, 250) },
    ]);
  });

  it.each([
    ["  successfully saved checkpoint at iteration    5000 to /data/ckpt", 5000, "/data/ckpt"],
    ["  successfully saved checkpoint from iteration    5000 to /data/my ckpt [ t 1/8, p 2/4 ]", 5000, "/data/my ckpt"],
    ["  [2031-02-03 04:05:31.25] successfully saved local checkpoint from iteration    7", 7, null],
  ])("%j is saved", (text, step, path) => {
    expect(of(parse(text), "checkpoint")).toMatchObject([{ step, path }]);
  });

  it.each([
    "saving checkpoint at iteration    5000 to /data/ckpt",
    "scheduled an async checkpoint save at iteration 5000 to /data/ckpt",
    "failed to save checkpoint at iteration 5000",
  ])("%j is not", (text) => {
    expect(of(parse(text), "checkpoint")).toEqual([]);
  });

  it("said by each rank are one", () => {
    expect(of(collect(megatron, [fixture("deepspeed-two-nodes.log")]), "checkpoint")).toMatchObject([{ step: 2, line: 13 }]);
  });

  it("that are loaded are noted with their step", () => {
    expect(of(parse("  successfully loaded checkpoint from /ckpt [ t 1/2, p 1/4 ] at iteration 5000"), "note")).toMatchObject([
      { code: "checkpoint-loaded", step: 5000, text: "loaded checkpoint of iteration 5000 from /ckpt" },
    ]);
  });
});

describe("Megatron run facts", () => {
  it("come from the banner, the arguments and the lines, once each", () => {
    const metas = collect(megatron, [fixture("run.log")]).records.flatMap((record) =>
      record.kind === "meta" && record.key !== "timeZoneAssumed" ? [[record.key, record.value]] : [],
    );
    expect(metas).toEqual([
      ["gpus", 8],
      ["checkpointEvery", 20],
      ["targetSteps", 60],
      ["tokensPerStep", 16 * 1024],
    ]);
  });

  it("follow a batch size that ramps up", () => {
    const out = parse(
      "--- arguments ---",
      "  seq_length ........ 128",
      "--- end of arguments ---",
      line(1, "global batch size: 8 | lm loss: 2.0"),
      line(2, "global batch size: 8 | lm loss: 2.0"),
      line(3, "global batch size: 16 | lm loss: 2.0"),
    );
    expect(
      out.records.flatMap((record) => (record.kind === "meta" && record.key === "tokensPerStep" ? [[record.line, record.value]] : [])),
    ).toEqual([
      [4, 1024],
      [6, 2048],
    ]);
  });

  it("mark each launch in a log that holds several", () => {
    const banner = "using world size: 8, data-parallel size: 8, tensor-model-parallel size: 1";
    const out = parse(banner, line(1, "lm loss: 2.0"), banner, banner, line(1, "lm loss: 2.0"));
    expect(of(out, "start")).toMatchObject([{ line: 1 }, { line: 3 }]);
  });

  it("validation lines are evaluations and no training loss", () => {
    const out = collect(megatron, [fixture("run.log")]);
    expect(series(out, "eval/validation/lm loss value")).toEqual([[40, 7.75]]);
    expect(series(out, "eval/validation/lm loss PPL")).toEqual([[40, 2321.572]]);
    const test = parse(" test loss at iteration 100 on test set | lm loss value: 2.5E+00 | lm loss PPL: 1.2E+01 |");
    expect(series(test, "eval/test/lm loss value")).toEqual([[100, 2.5]]);
  });
});

describe("C1: Megatron counters", () => {
  it("C1: a far step and what follows it are kept", () => {
    expect(
      series(parse(line(1, "lm loss: 2.0"), line(1_000_000_000, "lm loss: 2.0"), line(2, "lm loss: 2.0")), "lm loss").map(([step]) => step),
    ).toEqual([1, 1_000_000_000, 2]);
  });

  it.each(["-5", "1e30", "1000000000000000000000000000000", "1.5", "x"])(
    "C1: the step %s is an issue of its line and the next line is read",
    (step) => {
      const out = parse(line(step, "lm loss: 2.0"), line(2, "lm loss: 2.0"));
      expect(series(out, "lm loss")).toEqual([[2, 2]]);
      expect(out.issues).toMatchObject([{ line: 1, code: "bad-step" }]);
    },
  );

  it("C1: steps after a restart from an earlier one are all kept", () => {
    const steps = [...Array.from({ length: 10 }, (_, index) => index + 1), ...Array.from({ length: 4 }, (_, index) => index + 5)];
    expect(series(parse(...steps.map((step) => line(step, "lm loss: 2.0"))), "lm loss").map(([step]) => step)).toEqual(steps);
  });
});

describe("a Megatron line that the file's end cuts", () => {
  it("is kept as far as its fields are whole, with the doubt said", () => {
    const out = collect(megatron, [Buffer.from(" iteration       10/     100 | consumed samples: 160 | lm loss: 9.8")]);
    expect(series(out, "lm loss")).toEqual([[10, 9.8]]);
    expect(out.issues).toMatchObject([{ line: 1, code: "unfinished-line" }]);
  });
});
