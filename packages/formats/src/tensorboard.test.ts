import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLineage } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect, series } from "./fixtures/collect.ts";
import { concat, eventFile, type EventSpec, field, float, tfRecord, varint } from "./fixtures/event-file.ts";
import { crc32c, maskedCrc32c } from "./tensorboard/crc32c.ts";
import { tensorboard } from "./tensorboard.ts";
import { bfloat16ToNumber, halfToNumber } from "./tensorboard/wire.ts";

const bytes = readFileSync(join(import.meta.dirname, "fixtures/tensorboard/tf2-and-torch.tfevents"));
const run = collect(tensorboard, [bytes]);

const losses = (from: number, to: number): EventSpec[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ wallTime: 1.9e9 + index, step: from + index, simple: { loss: 5 - index / 8 } }));

describe("crc32c", () => {
  it("gives the check values of RFC 3720 and of the CRC catalogue", () => {
    expect(crc32c(Uint8Array.from("123456789", (digit) => digit.charCodeAt(0)))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  });

  it("masks as TensorFlow does: the length header of a 24-byte record is known", () => {
    // First twelve bytes of any file whose first record has 24 bytes: 18 00 00 00 00 00 00 00 a3 7f 4b 22.
    expect(maskedCrc32c(Uint8Array.of(0x18, 0, 0, 0, 0, 0, 0, 0))).toBe(0x224b7fa3);
  });
});

describe("TensorBoard event file", () => {
  it("reads simple values and one-element tensors, and passes over text and histograms", () => {
    expect(series(run, "train/loss")).toEqual([
      [1, 4.5],
      [2, Number.NaN],
      [4, Number.POSITIVE_INFINITY],
    ]);
    expect(series(run, "train/grad_norm")).toEqual([[1, 1.25]]);
    expect(series(run, "epoch_loss")).toEqual([[3, 3.5]]);
    expect(series(run, "epoch_accuracy")).toEqual([[3, 0.125]]);
    expect(series(run, "notes")).toEqual([]);
    expect(run.issues).toEqual([]);
  });

  it("takes the file's beginning and SessionLog.START for starts, and a saved checkpoint for one", () => {
    expect(run.records.filter((record) => record.kind === "start")).toEqual([
      { kind: "start", line: 1, reason: "an event file begins", timeMs: 1900000000500 },
      { kind: "start", line: 2, reason: "SessionLog.START", timeMs: 1900000001000 },
    ]);
    expect(run.records.find((record) => record.kind === "checkpoint")).toEqual({
      kind: "checkpoint",
      line: 6,
      step: 3,
      path: "out/ckpt-3",
      state: "unchecked",
      timeMs: 1900000005000,
    });
  });

  it("C4: three files that overlap, the second without SessionLog.START, are three attempts without a backward line", () => {
    const begin = (session: boolean): EventSpec[] => [
      { wallTime: 1.9e9, fileVersion: "brain.Event:2" },
      ...(session ? [{ wallTime: 1.9e9, session: { status: 1 } }] : []),
    ];
    const files = [
      eventFile([...begin(true), ...losses(1, 100)]),
      eventFile([...begin(false), ...losses(81, 160)]),
      eventFile([...begin(true), ...losses(141, 200)]),
    ];
    const lineage = createLineage();
    const steps = new Map<string, number[]>();
    for (const file of files) {
      for (const record of collect(tensorboard, [file]).records) {
        if (record.kind === "start") lineage.marker(record.reason);
        if (record.kind !== "points" || record.step === null) continue;
        const placed = lineage.place({ series: "loss", step: record.step, timeMs: record.timeMs, value: record.values[0]?.[1] ?? 0 });
        for (const { point, placement } of placed) steps.set(placement.attempt, [...(steps.get(placement.attempt) ?? []), point.step]);
      }
    }
    expect(
      lineage.attempts().map(({ name, parent, branchStep, firstStep, lastStep }) => [name, parent, branchStep, firstStep, lastStep]),
    ).toEqual([
      ["a1", null, null, 1, 100],
      ["a2", "a1", 80, 81, 160],
      ["a3", "a2", 140, 141, 200],
    ]);
    for (const seen of steps.values()) expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it("D3: a live file that ends mid-record gives every whole record and says at which byte it is cut, for every cut", () => {
    const file = Buffer.from(eventFile([{ wallTime: 1.9e9, fileVersion: "brain.Event:2" }, ...losses(1, 5)]));
    const ends = [0];
    for (let at = 0; at < file.length;) ends.push((at += 16 + Number(file.readBigUInt64LE(at))));
    for (let cut = 1; cut < file.length; cut++) {
      const whole = ends.filter((end) => end <= cut).length - 1;
      const out = collect(tensorboard, [file.subarray(0, cut)]);
      expect(series(out, "loss").map(([step]) => step)).toEqual([1, 2, 3, 4, 5].slice(0, Math.max(0, whole - 1)));
      const message = ends.includes(cut)
        ? undefined
        : `The file ends at byte ${cut}, inside the record that begins at byte ${ends[whole]}: it was cut, or is still being written. The ${whole} whole records before it are read.`;
      expect(out.issues.find(({ code }) => code === "cut-record")?.message).toBe(message);
    }
  });

  it("leaves out a record whose data are damaged and reads on", () => {
    const file = eventFile(losses(1, 4));
    file[20] = (file[20] ?? 0) ^ 0xff;
    const out = collect(tensorboard, [file]);
    expect(series(out, "loss").map(([step]) => step)).toEqual([2, 3, 4]);
    expect(out.issues).toMatchObject([{ line: 1, code: "bad-record" }]);
  });

  it("finds the next record after a damaged length or after junk", () => {
    const junk = Uint8Array.from({ length: 500 }, (_, index) => (index * 37) % 251);
    const file = concat([eventFile(losses(1, 2)), junk, eventFile(losses(3, 4))]);
    const out = collect(tensorboard, [file]);
    expect(series(out, "loss").map(([step]) => step)).toEqual([1, 2, 3, 4]);
    expect(out.issues.map(({ code }) => code)).toEqual(["bad-record"]);
  });

  it("passes over a record that is too long to hold scalars, without keeping it", () => {
    const file = concat([eventFile(losses(1, 1)), tfRecord(new Uint8Array(9 << 20)), eventFile(losses(2, 2))]);
    const out = collect(tensorboard, [file]);
    expect(series(out, "loss").map(([step]) => step)).toEqual([1, 2]);
    expect(out.issues).toEqual([]);
  });

  it("names an intact record that is no event, a negative step and one beyond 2^53", () => {
    const file = concat([
      tfRecord(Uint8Array.of(0xff, 0xff)),
      eventFile([
        { wallTime: 1, step: -1, simple: { loss: 1 } },
        { wallTime: 1, step: 2n ** 60n, simple: { loss: 1 } },
        { wallTime: 1, step: 7, simple: { loss: 1 } },
      ]),
    ]);
    const out = collect(tensorboard, [file]);
    expect(series(out, "loss")).toEqual([[7, 1]]);
    expect(out.issues.map(({ line, code }) => [line, code])).toEqual([
      [1, "bad-event"],
      [2, "bad-step"],
      [3, "bad-step"],
    ]);
  });

  it("says that a file without scalars holds nothing to read", () => {
    const out = collect(tensorboard, [
      eventFile([
        { wallTime: 1.9e9, fileVersion: "brain.Event:2" },
        { wallTime: 1.9e9, step: 1, tensor: { text: field(8, Uint8Array.of(104, 105)) } },
      ]),
    ]);
    expect(out.issues).toEqual([{ line: 2, code: "no-scalars", message: "The event file holds 2 records and none with a scalar." }]);
  });

  it("reads tensors of every numeric kind and no other", () => {
    const tensor = (dtype: number, ...rest: Uint8Array[]): Uint8Array => concat([Uint8Array.of(0x08), varint(BigInt(dtype)), ...rest]);
    const tensors = {
      floatList: tensor(1, field(5, float(1.5))),
      unpackedFloat: tensor(1, Uint8Array.of(0x2d), float(2.5)),
      int64: tensor(9, field(10, varint(BigInt.asUintN(64, -3n)))),
      half: tensor(19, field(4, Uint8Array.of(0x00, 0x3e))),
      bfloat16: tensor(14, field(13, varint(0x4049n))),
      vector: tensor(1, field(2, field(2, concat([Uint8Array.of(0x08), varint(3n)]))), field(4, new Uint8Array(12))),
      cut: tensor(1, Uint8Array.of(0x22, 0x09, 1)),
      empty: tensor(1),
    };
    const out = collect(tensorboard, [eventFile([{ wallTime: 1.9e9, step: 1, tensor: tensors }])]);
    const values = out.records.flatMap((record) => (record.kind === "points" ? record.values : []));
    expect(values).toEqual([
      ["floatList", 1.5],
      ["unpackedFloat", 2.5],
      ["int64", -3],
      ["half", 1.5],
      ["bfloat16", 3.140625],
    ]);
  });

  it("gives back every single-precision value and every step exactly", () => {
    fc.assert(
      fc.property(fc.float(), fc.maxSafeNat(), (value, step) => {
        expect(series(collect(tensorboard, [eventFile([{ wallTime: 1.9e9, step, simple: { x: value } }])]), "x")).toEqual([[step, value]]);
      }),
    );
  });

  it("is seen by its framing and in nothing else", () => {
    expect(tensorboard.sniff(bytes)).toBeGreaterThan(0.9);
    for (const other of [new Uint8Array(), new Uint8Array(100), Uint8Array.of(0x1f, 0x8b, 8, 0), new Uint8Array(64).fill(0x7b)])
      expect(tensorboard.sniff(other)).toBe(0);
  });
});

describe("small floats", () => {
  it("are read as IEEE says", () => {
    expect([0x3c00, 0xc000, 0x7c00, 0xfc00, 0x0001, 0x7bff].map(halfToNumber)).toEqual([
      1,
      -2,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      2 ** -24,
      65_504,
    ]);
    expect(halfToNumber(0x7e00)).toBeNaN();
    expect([0x3f80, 0xc0a0, 0x7f80].map(bfloat16ToNumber)).toEqual([1, -5, Number.POSITIVE_INFINITY]);
  });
});
