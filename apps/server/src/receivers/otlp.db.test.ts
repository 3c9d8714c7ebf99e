import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createHttpBench, type HttpBench } from "../http/http-bench.fixture.ts";
import { attribute, decodeOtlpAnswer, encodeOtlp, nano, otlpRequest } from "./otlp.fixture.ts";
import { withBits } from "./remote-write.fixture.ts";
import { readStoredReadings } from "@trainwatch/testkit";

const NOW = Date.UTC(2026, 0, 1);
const JSON_TYPE = "application/json";
const PROTOBUF = "application/x-protobuf";
const RESOURCE = [
  attribute("service.name", "collector"),
  attribute("service.namespace", "gpu"),
  attribute("service.instance.id", "c11-n07:9400"),
  attribute("process.pid", "4711"),
];
const gauge = (name: string, ...points: readonly object[]) => ({ name, unit: "1", gauge: { dataPoints: points } });
const sum = (name: string, aggregationTemporality: number, ...points: readonly object[]) => ({
  name,
  sum: { dataPoints: points, aggregationTemporality, isMonotonic: true },
});
const point = (offsetMs: number, more: object) => ({ timeUnixNano: nano(NOW + offsetMs), ...more });

async function send(bench: HttpBench, body: string | Buffer, headers: Readonly<Record<string, string>>) {
  const { secret } = await bench.token("ingest");
  const response = await bench.app.inject({
    method: "POST",
    url: "/v1/metrics",
    headers: { host: "localhost:4400", authorization: `Bearer ${secret}`, ...headers },
    payload: body,
  });
  const type = response.headers["content-type"];
  const message = response.statusCode === 200 ? "ExportMetricsServiceResponse" : "Status";
  const answer: unknown = type === PROTOBUF ? decodeOtlpAnswer(response.rawPayload, message) : response.json();
  return { status: response.statusCode, type, answer };
}

const stored = async (bench: HttpBench) =>
  (await readStoredReadings(bench.store.pool)).map(({ metric, labels, timeMs, value }) => [metric, labels, timeMs - NOW, value]);

/** The same request in both encodings. */
const ENCODINGS = [
  ["JSON", JSON_TYPE, (request: object): string | Buffer => JSON.stringify(request)],
  ["protobuf", PROTOBUF, encodeOtlp],
] as const;

describe.each(ENCODINGS)("OTLP metrics in %s", (_name, type, encode) => {
  const headers = { "content-type": type };

  it("stores gauges and sums with job and instance of their resource, and answers in the same type; a repeat is harmless", async () => {
    await using bench = await createHttpBench();
    const request = otlpRequest(
      [
        gauge(
          "temp",
          point(0, { asDouble: 55.5, attributes: [attribute("gpu", "0")] }),
          point(1, { asInt: "-7", attributes: [attribute("gpu", "0")] }),
        ),
        sum("energy", 2, point(0, { asInt: "9007199254740993" })),
      ],
      RESOURCE,
    );
    const empty = { status: 200, type, answer: {} };
    expect(await send(bench, encode(request), headers)).toEqual(empty);
    expect(await send(bench, gzipSync(encode(request)), { ...headers, "content-encoding": "gzip" })).toEqual(empty);
    const target = { instance: "c11-n07:9400", job: "gpu/collector" };
    expect(await stored(bench)).toEqual([
      ["energy", target, 0, 9007199254740992],
      ["temp", { gpu: "0", ...target }, 0, 55.5],
      ["temp", { gpu: "0", ...target }, 1, -7],
    ]);
  });

  it("takes every kind of attribute as text, whole numbers with all their digits, and goes by the point's own where both say it", async () => {
    await using bench = await createHttpBench();
    const attributes = [
      attribute("service.name", "own"),
      attribute("job", "mine"),
      { key: "b", value: { boolValue: true } },
      { key: "i", value: { intValue: "-9223372036854775807" } },
      { key: "d", value: { doubleValue: 1.5 } },
      { key: "l", value: { arrayValue: { values: [{ stringValue: "x" }] } } },
      { key: "empty", value: { stringValue: "" } },
    ];
    await send(bench, encode(otlpRequest([gauge("m", point(0, { asDouble: 1, attributes }))], RESOURCE)), headers);
    const [reading] = await readStoredReadings(bench.store.pool);
    expect(reading?.labels).toEqual({
      "service.name": "own",
      job: "mine",
      instance: "c11-n07:9400",
      b: "true",
      i: "-9223372036854775807",
      d: "1.5",
      l: expect.stringContaining("x"),
    });
  });

  it("makes the flag for no recorded value a stale marker, and a NaN a value", async () => {
    await using bench = await createHttpBench();
    const request = otlpRequest([
      gauge("m", point(0, { flags: 1 }), point(1, { flags: 1, asDouble: 3 }), point(2, { asDouble: type === JSON_TYPE ? "NaN" : NaN })),
    ]);
    expect(await send(bench, encode(request), headers)).toMatchObject({ status: 200, answer: {} });
    const bits = (await readStoredReadings(bench.store.pool)).map((each) => each.bits);
    expect(bits.slice(0, 2)).toEqual(["7ff0000000000002", "7ff0000000000002"]);
    expect(bits[2]).toMatch(/^[7f]ff8/);
  });

  it("writes histograms and summaries as Prometheus names them", async () => {
    await using bench = await createHttpBench();
    const request = otlpRequest([
      {
        name: "h",
        histogram: {
          aggregationTemporality: 2,
          dataPoints: [
            point(0, {
              count: "6",
              sum: 12.5,
              bucketCounts: ["1", "2", "3"],
              explicitBounds: [0.5, 10],
              attributes: [attribute("a", "b")],
            }),
          ],
        },
      },
      { name: "s", summary: { dataPoints: [point(0, { count: "4", sum: 8, quantileValues: [{ quantile: 0.5, value: 2 }] })] } },
    ]);
    expect(await send(bench, encode(request), headers)).toMatchObject({ status: 200, answer: {} });
    expect(await stored(bench)).toEqual([
      ["h_bucket", { a: "b", le: "+Inf" }, 0, 6],
      ["h_bucket", { a: "b", le: "0.5" }, 0, 1],
      ["h_bucket", { a: "b", le: "10" }, 0, 3],
      ["h_count", { a: "b" }, 0, 6],
      ["h_sum", { a: "b" }, 0, 12.5],
      ["s", { quantile: "0.5" }, 0, 2],
      ["s_count", {}, 0, 4],
      ["s_sum", {}, 0, 8],
    ]);
  });

  it("stores what it can and tells the rest as partial success: deltas, exponential histograms, points without a value or with a bad time", async () => {
    await using bench = await createHttpBench();
    const request = otlpRequest([
      gauge("good", point(0, { asDouble: 1 })),
      gauge("none", point(0, {})),
      gauge("late", point(3_600_000, { asDouble: 1 }), { asDouble: 2 }),
      sum("delta", 1, point(0, { asDouble: 1 }), point(1, { asDouble: 1 })),
      { name: "e", exponentialHistogram: { aggregationTemporality: 2, dataPoints: [{ timeUnixNano: nano(NOW), count: "1" }] } },
      {
        name: "h",
        histogram: { aggregationTemporality: 2, dataPoints: [point(0, { count: "1", bucketCounts: ["1"], explicitBounds: [1, 2] })] },
      },
    ]);
    const { status, answer } = await send(bench, encode(request), headers);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ partialSuccess: { rejectedDataPoints: type === JSON_TYPE ? "7" : 7 } });
    const said = JSON.stringify(answer);
    for (const part of [
      "2 data points: delta temporality",
      "1 data points: exponential",
      "1 too-new",
      "1 bad-time",
      "1 data points: neither",
      "bucket counts",
    ])
      expect(said).toContain(part);
    expect(await stored(bench)).toEqual([["good", {}, 0, 1]]);
  });

  it("writes a counter that has begun anew as zero at its beginning, so that a restart is seen although the value has grown", async () => {
    await using bench = await createHttpBench();
    const at = (startMs: number, offsetMs: number, value: number) =>
      send(
        bench,
        encode(otlpRequest([sum("c", 2, point(offsetMs, { asDouble: value, startTimeUnixNano: nano(NOW + startMs) }))])),
        headers,
      );
    await at(-3_600_000, 0, 10);
    await at(-3_600_000, 1_000, 11);
    await at(2_000, 3_000, 50);
    await at(2_000, 4_000, 51);
    expect((await stored(bench)).map(([, , offset, value]) => [offset, value])).toEqual([
      [0, 10],
      [1_000, 11],
      [2_000, 0],
      [3_000, 50],
      [4_000, 51],
    ]);
  });

  it("takes an empty request, and ignores fields it does not know", async () => {
    await using bench = await createHttpBench();
    expect(await send(bench, encode({}), headers)).toEqual({ status: 200, type, answer: {} });
    const future =
      type === JSON_TYPE
        ? JSON.stringify({ ...otlpRequest([]), profiles: [{}], resourceMetrics: [{ entity: 1 }] })
        : Buffer.from([0x7a, 1, 0]);
    expect(await send(bench, future, headers)).toEqual({ status: 200, type, answer: {} });
  });

  it("answers 400 with a Status in the same type where the body cannot be read", async () => {
    await using bench = await createHttpBench();
    const bodies =
      type === JSON_TYPE
        ? [
            "",
            "{",
            "[]",
            '{"resourceMetrics":{}}',
            '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"gauge":{"dataPoints":[{"asDouble":"high"}]}}]}]}]}',
          ]
        : [Buffer.from("hello, world")];
    for (const body of bodies) {
      const { status, type: answered, answer } = await send(bench, body, headers);
      expect([status, answered]).toEqual([400, type]);
      expect(answer).toMatchObject({ message: expect.stringMatching(/^The request cannot be read: .*Nothing was stored\.$/) });
    }
    const damaged = gzipSync(encode(otlpRequest([]))).subarray(0, 12);
    expect((await send(bench, damaged, { ...headers, "content-encoding": "gzip" })).status).toBe(400);
  });

  it("answers 413 where gzip hides more than 20 MiB", async () => {
    await using bench = await createHttpBench();
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024 + 1, " "));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await send(bench, bomb, { ...headers, "content-encoding": "gzip" })).toMatchObject({ status: 413 });
  });
});

describe("OTLP metrics", () => {
  it("B8: keep the bits of a NaN that protobuf brings", async () => {
    await using bench = await createHttpBench();
    const body = encodeOtlp(otlpRequest([gauge("m", point(0, { asDouble: 111.5 }), point(1, { asDouble: 222.5 }))]));
    const marked = withBits(withBits(body, 111.5, 0x7ff0000000000002n), 222.5, 0x7ff8000000000001n);
    expect((await send(bench, marked, { "content-type": PROTOBUF })).status).toBe(200);
    expect((await readStoredReadings(bench.store.pool)).map(({ bits }) => bits)).toEqual(["7ff0000000000002", "7ff8000000000001"]);
  });

  it("in JSON take numbers of 64 bits as text and as numbers, and NaN bare as Python writes it", async () => {
    await using bench = await createHttpBench();
    const body = JSON.stringify(
      otlpRequest([
        gauge("m", { timeUnixNano: NOW * 1e6, asInt: 12 }, point(1, { asDouble: "VALUE" }), point(2, { asDouble: "-Infinity" })),
      ]),
    );
    expect((await send(bench, body.replace('"VALUE"', "NaN"), { "content-type": JSON_TYPE })).status).toBe(200);
    expect((await stored(bench)).map(([, , offset, value]) => [offset, value])).toEqual([
      [0, 12],
      [1, NaN],
      [2, -Infinity],
    ]);
  });

  it.each([
    ["text/plain", { "content-type": "text/plain" }, JSON_TYPE],
    ["another encoding of protobuf", { "content-type": PROTOBUF, "content-encoding": "zstd" }, PROTOBUF],
  ])("answer 415 to %s", async (_what, headers, type) => {
    await using bench = await createHttpBench();
    const response = await send(bench, "x", headers);
    expect([response.status, response.type]).toEqual([415, type]);
    expect(response.answer).toMatchObject({ message: expect.stringContaining("is not supported") });
  });
});
