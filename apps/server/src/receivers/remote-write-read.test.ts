import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RemoteWriteRequest } from "./remote-write-columns.ts";
import { readRemoteWriteV1 } from "./remote-write-v1.ts";
import { readRemoteWriteV2 } from "./remote-write-v2.ts";
import { encodeV1, encodeV2, withBits, type GivenSeries } from "./remote-write.fixture.ts";
import { WireFault } from "./wire-reader.ts";

const VERSIONS = [
  ["1.0", (series: readonly GivenSeries[]) => encodeV1(series), readRemoteWriteV1],
  ["2.0", encodeV2, readRemoteWriteV2],
] as const;

function plain(request: RemoteWriteRequest) {
  const view = new DataView(request.values.buffer, request.values.byteOffset, request.values.byteLength);
  return request.seriesOf.map((series, index) => ({
    ...request.series[series]?.labels(),
    timeMs: request.timesMs[index],
    value: view.getFloat64(8 * index, true),
  }));
}

const GPU: GivenSeries = {
  labels: [
    ["__name__", "DCGM_FI_DEV_GPU_TEMP"],
    ["UUID", "GPU-7a2e92f2"],
    ["gpu", "0"],
    ["modelName", "Ä Tesla 🔥"],
  ],
  samples: [
    { value: 55.5, timestamp: 1_767_225_600_123 },
    { value: -0.25, timestamp: 1_767_225_610_123 },
  ],
};

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

describe.each(VERSIONS)("a request of remote-write %s", (_version, encode, read) => {
  it("gives every sample with its labels, time and value", () => {
    const labels = { UUID: "GPU-7a2e92f2", gpu: "0", modelName: "Ä Tesla 🔥" };
    expect(plain(read(encode([GPU, { labels: [["__name__", "up"]], samples: [{ value: 1, timestamp: 5 }] }])))).toEqual([
      { name: "DCGM_FI_DEV_GPU_TEMP", labels, timeMs: 1_767_225_600_123, value: 55.5 },
      { name: "DCGM_FI_DEV_GPU_TEMP", labels, timeMs: 1_767_225_610_123, value: -0.25 },
      { name: "up", labels: {}, timeMs: 5, value: 1 },
    ]);
  });

  it("takes what protobuf leaves out for zero, and times of any sign and size", () => {
    const times = [undefined, -1, 0, 1, 2 ** 31, 2 ** 32, 2 ** 35, 2 ** 53 - 1, -(2 ** 53 - 1)];
    const samples = times.map((timestamp) => (timestamp === undefined ? {} : { timestamp, value: 3 }));
    const found = plain(read(encode([{ labels: [["__name__", "a"]], samples }])));
    expect(found.map(({ timeMs }) => timeMs)).toEqual(times.map((time) => time ?? 0));
    expect(found.map(({ value }) => value)).toEqual([0, ...Array<number>(8).fill(3)]);
  });

  it("gives the same key to the same labels in another request, and another to others", () => {
    const other = { ...GPU, labels: GPU.labels.map(([name, value]) => [name, name === "gpu" ? "1" : value] as const) };
    const first = read(encode([GPU, other]));
    const second = read(
      encode([
        { labels: [["__name__", "zzz"]], samples: [{ value: 1 }] },
        { ...GPU, samples: [{ value: 9, timestamp: 8 }] },
      ]),
    );
    expect(first.series[0]?.key).toBe(second.series[1]?.key);
    expect(first.series[0]?.key).not.toBe(first.series[1]?.key);
  });

  it("counts exemplars and native histograms, and reads on behind them", () => {
    const request = read(
      encode([
        { ...GPU, exemplars: 2, histograms: 3 },
        { labels: [["__name__", "b"]], samples: [{ value: 1 }] },
      ]),
    );
    expect(request).toMatchObject({ exemplars: 2, histograms: 3 });
    expect(request.seriesOf).toEqual([0, 0, 1]);
  });

  it.each([
    ["no name", [["a", "b"]], "bad-name"],
    ["an empty name", [["__name__", ""]], "bad-name"],
    [
      "a label twice",
      [
        ["__name__", "a"],
        ["b", "1"],
        ["b", "2"],
      ],
      "bad-labels",
    ],
    [
      "the name twice",
      [
        ["__name__", "a"],
        ["__name__", "b"],
      ],
      "bad-labels",
    ],
  ] as const)("refuses a series with %s", (_what, labels, code) => {
    expect(read(encode([{ labels, samples: [{ value: 1 }] }])).series[0]?.labels()).toMatchObject({ code });
  });

  it("takes a label without a value for none, and labels in any order", () => {
    const series = {
      labels: [
        ["b", "2"],
        ["__name__", "a"],
        ["c", ""],
        ["a", "1"],
      ],
      samples: [{ value: 1 }],
    } as const;
    expect(read(encode([series])).series[0]?.labels()).toEqual({ name: "a", labels: { a: "1", b: "2" } });
  });

  it("reads any samples as they were written", () => {
    const text = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" });
    const series = fc.record({
      labels: fc
        .uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 5 })
        .map((pairs) => [["__name__", "m"] as const, ...pairs.filter(([name]) => name !== "__name__")]),
      samples: fc.array(fc.record({ value: fc.double({ noNaN: true }), timestamp: fc.maxSafeInteger() }), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(series, { maxLength: 6 }), (all) => {
        const expected = all.flatMap(({ labels, samples }) =>
          samples.map(({ value, timestamp }) => ({
            name: "m",
            labels: Object.fromEntries(labels.slice(1)),
            timeMs: timestamp,
            value: Object.is(value, -0) ? 0 : value,
          })),
        );
        const found = plain(read(encode(all))).map((each) => ({ ...each, value: Object.is(each.value, -0) ? 0 : each.value }));
        expect(found).toEqual(expected);
      }),
    );
  });

  it("keeps any bits of a value: B8 asks for the stale marker's", () => {
    for (const bits of [0x7ff0000000000002n, 0x7ff8000000000001n, 0xfff8000000000000n, 0x7ff0000000000001n, 0xffffffffffffffffn]) {
      const request = read(
        withBits(encode([{ labels: [["__name__", "a"]], samples: [{ value: 12_345.678, timestamp: 1 }] }]), 12_345.678, bits),
      );
      expect(Buffer.from(request.values).readBigUInt64LE(0)).toBe(bits);
    }
  });

  it("says of damaged bytes that they are, and of nothing else", () => {
    const good = encode([GPU, { ...GPU, exemplars: 1 }]);
    fc.assert(
      fc.property(fc.nat(good.length), fc.uint8Array({ maxLength: 4 }), fc.nat(good.length), (at, junk, cut) => {
        const damaged = Buffer.concat([good.subarray(0, at), junk, good.subarray(at + junk.length, Math.max(at + junk.length, cut))]);
        try {
          for (const series of read(damaged).series) series.labels();
        } catch (error) {
          expect(error).toBeInstanceOf(WireFault);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("what only one version has", () => {
  it("1.0: metadata is counted, labels between samples belong to the series", () => {
    expect(readRemoteWriteV1(encodeV1([GPU], 4))).toMatchObject({ metadata: 4 });
    const label = (name: string, value: string) => [
      0x0a,
      name.length + value.length + 4,
      0x0a,
      name.length,
      ...Buffer.from(name),
      0x12,
      value.length,
      ...Buffer.from(value),
    ];
    const series = [...label("__name__", "m"), 0x12, 2, 0x10, 7, ...label("a", "b")];
    const request = readRemoteWriteV1(Buffer.from([0x0a, series.length, ...series]));
    expect(plain(request)).toEqual([{ name: "m", labels: { a: "b" }, timeMs: 7, value: 0 }]);
  });

  it("1.0: text that is no UTF-8 is left for the rules of labels to refuse", () => {
    const bytes = encodeV1([
      {
        labels: [
          ["__name__", "m"],
          ["a", "QQ"],
        ],
        samples: [{ value: 1 }],
      },
    ]);
    bytes[bytes.indexOf("QQ")] = 0xff;
    expect(readRemoteWriteV1(bytes).series[0]?.labels()).toEqual({ name: "m", labels: { a: "\uD800" } });
  });

  it.each([
    ["a reference beyond the symbols", [0x2a, 4, 0x0a, 2, 1, 9]],
    ["an odd number of references", [0x2a, 3, 0x0a, 1, 0]],
    ["a first symbol that is not empty", [0x22, 1, 0x61]],
  ])("2.0: %s is damage", (_what, bytes) => {
    expect(() => readRemoteWriteV2(Buffer.from([...(bytes[0] === 0x22 ? [] : [0x22, 0, 0x22, 1, 0x61]), ...bytes]))).toThrow(WireFault);
  });

  it("2.0: references need not be packed, and symbols may come last", () => {
    const series = [0x08, 1, 0x08, 2, 0x12, 2, 0x10, 7];
    const symbols = [0x22, 0, 0x22, 8, ...Buffer.from("__name__"), 0x22, 1, 0x6d];
    const request = readRemoteWriteV2(Buffer.from([0x2a, series.length, ...series, ...symbols]));
    expect(plain(request)).toEqual([{ name: "m", labels: {}, timeMs: 7, value: 0 }]);
  });

  it.each([
    ["1.0: samples", 0x0a, 0x12, readRemoteWriteV1],
    ["2.0: samples", 0x2a, 0x12, readRemoteWriteV2],
  ])("%s without end are refused, and not counted out in memory", (_what, seriesTag, sampleTag, read) => {
    const samples = Buffer.alloc(2 * 1_000_001);
    for (let at = 0; at < samples.length; at += 2) samples[at] = sampleTag;
    const body = Buffer.concat([Buffer.from([seriesTag, ...varint(samples.length)]), samples]);
    expect(() => read(body)).toThrow(/more than 1000000 samples/);
  });

  it.each([
    ["1.0", 0x0a, readRemoteWriteV1],
    ["2.0", 0x2a, readRemoteWriteV2],
  ])("%s: series without a sample are not kept", (_version, seriesTag, read) => {
    expect(read(Buffer.from([seriesTag, 0, seriesTag, 2, 0x12, 0, seriesTag, 0])).series).toHaveLength(1);
  });

  it("2.0: a long symbol that is named again and again is refused before it is written out", () => {
    const long = "x".repeat(1024 * 1024);
    const bytes = encodeV2([{ labels: Array.from({ length: 300 }, () => [long, long] as const), samples: [{ value: 1, timestamp: 1 }] }]);
    expect(() => readRemoteWriteV2(bytes)).toThrow(/when they are written out/);
  });
});
