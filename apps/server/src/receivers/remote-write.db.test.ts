import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpBench, type HttpBench } from "../http/http-bench.fixture.ts";
import { encodeV1, encodeV2, snappy, withBits, type GivenSeries } from "./remote-write.fixture.ts";
import { readStoredReadings } from "@trainwatch/testkit";

const NOW = Date.UTC(2026, 0, 1);
const V1 = { "content-type": "application/x-protobuf", "content-encoding": "snappy", "x-prometheus-remote-write-version": "0.1.0" };
const V2 = {
  "content-type": "application/x-protobuf;proto=io.prometheus.write.v2.Request",
  "content-encoding": "snappy",
  "x-prometheus-remote-write-version": "2.0.0",
};

const series = (name: string, ...samples: readonly (readonly [offsetMs: number, value: number])[]): GivenSeries => ({
  labels: [
    ["__name__", name],
    ["instance", "n1:9100"],
    ["job", "node"],
  ],
  samples: samples.map(([offsetMs, value]) => ({ value, timestamp: NOW + offsetMs })),
});

async function write(bench: HttpBench, body: Buffer, headers: Readonly<Record<string, string>> = V1) {
  const { secret } = await bench.token("ingest");
  const response = await bench.app.inject({
    method: "POST",
    url: "/api/v1/write",
    headers: { host: "localhost:4400", authorization: `Bearer ${secret}`, ...headers },
    payload: body,
  });
  return {
    status: response.statusCode,
    body: response.body,
    retryAfter: response.headers["retry-after"],
    written: ["samples", "histograms", "exemplars"].map((kind) => response.headers[`x-prometheus-remote-write-${kind}-written`]),
  };
}

const stored = async (bench: HttpBench) =>
  (await readStoredReadings(bench.store.pool)).map(({ metric, timeMs, value }) => [metric, timeMs - NOW, value]);

describe("remote-write", () => {
  it.each([
    ["1.0", encodeV1, V1],
    ["1.0 with its message named", encodeV1, { ...V1, "content-type": "application/x-protobuf; proto=prometheus.WriteRequest" }],
    ["1.0 without Content-Encoding, as Prometheus' own receiver takes it", encodeV1, { "content-type": "application/x-protobuf" }],
    ["2.0", encodeV2, V2],
  ] as const)("%s: 204 without a body, and counts of what was written; a repeat is harmless", async (_what, encode, headers) => {
    await using bench = await createHttpBench();
    const body = snappy(encode([series("up", [0, 1], [10, 0]), series("node_load1", [0, 0.21])]));
    for (let turn = 0; turn < 2; turn++)
      expect(await write(bench, body, headers)).toEqual({ status: 204, body: "", retryAfter: undefined, written: ["3", "0", "0"] });
    expect(await stored(bench)).toEqual([
      ["node_load1", 0, 0.21],
      ["up", 0, 1],
      ["up", 10, 0],
    ]);
  });

  it("both versions write into the same series", async () => {
    await using bench = await createHttpBench();
    await write(bench, snappy(encodeV1([series("up", [0, 1])])), V1);
    await write(bench, snappy(encodeV2([series("up", [10, 2])])), V2);
    const { rows } = await bench.store.pool.query("SELECT 1 FROM samples.fleet_series");
    expect([rows.length, await stored(bench)]).toEqual([
      1,
      [
        ["up", 0, 1],
        ["up", 10, 2],
      ],
    ]);
  });

  it("B8: keeps the stale marker's bits and an ordinary NaN's apart, on their way into the store", async () => {
    await using bench = await createHttpBench();
    const given = {
      ...series("up"),
      samples: [
        { value: 111.5, timestamp: NOW },
        { value: 222.5, timestamp: NOW + 1 },
      ],
    };
    for (const [encode, headers, name] of [
      [encodeV1, V1, "one"],
      [encodeV2, V2, "two"],
    ] as const) {
      const body = encode([
        {
          ...given,
          labels: [
            ["__name__", name],
            ["instance", "n1:9100"],
          ],
        },
      ]);
      const marked = withBits(withBits(body, 111.5, 0x7ff0000000000002n), 222.5, 0x7ff8000000000001n);
      expect((await write(bench, snappy(marked), headers)).status).toBe(204);
    }
    expect((await readStoredReadings(bench.store.pool)).map(({ metric, bits }) => [metric, bits])).toEqual([
      ["one", "7ff0000000000002"],
      ["one", "7ff8000000000001"],
      ["two", "7ff0000000000002"],
      ["two", "7ff8000000000001"],
    ]);
  });

  it("I1: of a batch of 100 with a repeat, a conflict and one out of order, stores 98, counts the repeat as written, and tells the conflict with 400", async () => {
    await using bench = await createHttpBench();
    await write(bench, snappy(encodeV1([series("m0", [0, 1], [10, 2])])));
    const batch = [
      series("m0", [0, 1], [10, 99], [5, 1.5]),
      ...Array.from({ length: 97 }, (_, index) => series(`m${index + 1}`, [10, index])),
    ];
    const answer = await write(bench, snappy(encodeV1(batch)));
    expect(answer.status).toBe(400);
    expect(answer.written).toEqual(["99", "0", "0"]);
    expect(answer.body).toMatch(/^1 of 100 samples were refused: 1 conflict \(.*first stays.*\)\. The other 99 samples are stored\.\n$/);
    const found = await stored(bench);
    expect(found).toHaveLength(100);
    expect(found.filter(([metric]) => metric === "m0")).toEqual([
      ["m0", 0, 1],
      ["m0", 5, 1.5],
      ["m0", 10, 2],
    ]);
    // Whoever sends it again is told the same: nothing is retried for ever, nothing is stored twice.
    expect(await write(bench, snappy(encodeV1(batch)))).toEqual(answer);
    expect(await stored(bench)).toHaveLength(100);
  });

  it("stores the good ones of a request with bad ones, and says with 400 which are bad and why", async () => {
    await using bench = await createHttpBench();
    const body = encodeV2([
      series("good", [0, 1]),
      { labels: [["instance", "n1:9100"]], samples: [{ value: 1, timestamp: NOW }] },
      {
        labels: [
          ["__name__", "twice"],
          ["a", "1"],
          ["a", "2"],
        ],
        samples: [
          { value: 1, timestamp: NOW },
          { value: 2, timestamp: NOW + 1 },
        ],
      },
      {
        labels: [
          ["__name__", "long"],
          ["a", "x".repeat(5_000)],
        ],
        samples: [{ value: 1, timestamp: NOW }],
      },
      series("future", [3_600_000, 1]),
      series("mixed", [0, 2], [-(NOW - 5), 1]),
    ]);
    const { status, written, body: said } = await write(bench, snappy(body), V2);
    expect([status, written]).toEqual([400, ["2", "0", "0"]]);
    expect(said).toMatch(/^6 of 8 samples were refused: 3 bad-labels \(Label a stands twice\. .*has \d+ bytes; 1024 are the most.*\)/);
    for (const part of ["1 bad-name", "1 too-new", "1 bad-time", "The other 2 samples are stored."]) expect(said).toContain(part);
    expect(await stored(bench)).toEqual([
      ["good", 0, 1],
      ["mixed", 0, 2],
    ]);
    const { rows } = await bench.store.pool.query<{ metric: string }>("SELECT metric FROM samples.fleet_series ORDER BY 1");
    expect(rows.map(({ metric }) => metric)).toEqual(["good", "mixed"]);
  });

  it.each([
    ["1.0: exemplars are unknown to it", encodeV1, V1, { exemplars: 2 }, 204],
    ["1.0: native histograms", encodeV1, V1, { histograms: 2 }, 400],
    ["2.0: exemplars", encodeV2, V2, { exemplars: 2 }, 400],
    ["2.0: native histograms", encodeV2, V2, { histograms: 2 }, 400],
  ] as const)("%s, and are not kept: the sample is, and the answer says so", async (_what, encode, headers, extra, status) => {
    await using bench = await createHttpBench();
    const answer = await write(bench, snappy(encode([{ ...series("up", [0, 1]), ...extra }])), headers);
    expect([answer.status, answer.written]).toEqual([status, ["1", "0", "0"]]);
    if (status === 400) expect(answer.body).toMatch(/2 (native histograms|exemplars) are not stored.*The other 1 samples are stored/);
    expect(await stored(bench)).toEqual([["up", 0, 1]]);
    const kind = "exemplars" in extra ? "exemplars" : "histograms";
    const metrics = await bench.app.inject({ url: "/metrics", headers: { host: "localhost" } });
    expect(metrics.body).toContain(`trainwatch_receiver_not_kept_total{receiver="remote-write",kind="${kind}"} 2`);
    expect(metrics.body).toContain('trainwatch_receiver_samples_total{receiver="remote-write",outcome="accepted"} 1');
  });

  it("takes metadata of 1.0 and an empty request for what they are", async () => {
    await using bench = await createHttpBench();
    expect((await write(bench, snappy(encodeV1([], 3)))).status).toBe(204);
    expect((await write(bench, snappy(encodeV2([])), V2)).status).toBe(204);
  });
});

describe("remote-write refuses", () => {
  let bench: HttpBench;
  beforeAll(async () => {
    bench = await createHttpBench();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const good = snappy(encodeV1([series("up", [0, 1])]));
  it.each([
    ["another media type", good, { ...V1, "content-type": "application/json" }, 415, /application\/json is not supported/],
    ["another message", good, { ...V1, "content-type": "application/x-protobuf;proto=prometheus.ReadRequest" }, 415, /is not supported/],
    [
      "a message called like a property of every object",
      good,
      { ...V1, "content-type": "application/x-protobuf;proto=__proto__" },
      415,
      /is not supported/,
    ],
    ["gzip", good, { ...V1, "content-encoding": "gzip" }, 415, /gzip is not supported/],
    ["zstd", good, { ...V2, "content-encoding": "zstd" }, 415, /zstd is not supported/],
    ["nothing", Buffer.alloc(0), V1, 400, /no snappy block/],
    ["the framed format", Buffer.from([0xff, 0x06, 0x00, 0x00, ...Buffer.from("sNaPpY")]), V1, 400, /snappy block/],
    ["a damaged block", good.subarray(0, good.length - 3), V1, 400, /block is damaged/],
    ["a block that is no protobuf", snappy(Buffer.from("hello, world")), V1, 400, /protobuf is damaged/],
    [
      "a block that says to inflate to 2 GiB",
      Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07, 0x00, 0x00]),
      V1,
      413,
      /inflates to 2147483647 bytes/,
    ],
    ["a body over 16 MiB", Buffer.alloc(16 * 1024 * 1024 + 1), V1, 413, /larger than 16777216 bytes/],
  ] as const)("%s", async (_what, body, headers, status, message) => {
    const answer = await write(bench, body, headers);
    expect(answer).toMatchObject({ status, retryAfter: undefined });
    expect(answer.body).toMatch(message);
    expect(await stored(bench)).toEqual([]);
  });

  it("answers 503 and not 429 where a limit of requests is reached: a sender may drop what was answered 429", async () => {
    await using limited = await createHttpBench({ rateLimitPerMinute: 2 });
    const { secret } = await limited.token("ingest");
    const headers = { host: "localhost", authorization: `Bearer ${secret}`, ...V1 };
    const send = () => limited.app.inject({ method: "POST", url: "/api/v1/write", headers, payload: good });
    const answers = [];
    for (let turn = 0; turn < 6; turn++) answers.push(await send());
    const refused = answers.filter(({ statusCode }) => statusCode !== 204);
    expect(refused.map(({ statusCode, headers: said }) => [statusCode, said["retry-after"]])).toContainEqual([503, "10"]);
    expect(new Set(refused.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
  });
});
