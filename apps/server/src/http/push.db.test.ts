import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpBench, type HttpBench } from "./http-bench.fixture.ts";

const HOST = { host: "localhost:4400", "content-type": "application/json" };
const GOOD = {
  source: "node-1",
  seq: 0,
  run: { project: "p", name: "r" },
  series: [{ metric: "loss" }],
  columns: [{ series: 0, step: [1, 2, 3], value: [2.5, 2.4, 2.3] }],
};
const column = (given: object) => ({ ...GOOD, columns: [{ ...GOOD.columns[0], ...given }] });

interface Pushed {
  readonly status: number;
  readonly body: string;
  readonly reason: string | null;
}

async function push(bench: HttpBench, payload: object | string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Pushed> {
  const { secret } = await bench.token("ingest");
  const response = await bench.app.inject({
    method: "POST",
    url: "/trpc/ingest.push",
    headers: { ...HOST, authorization: `Bearer ${secret}`, ...headers },
    payload,
  });
  const answer = response.json<{ error?: { data: { reason: string } } }>();
  return { status: response.statusCode, body: response.body, reason: answer.error?.data.reason ?? null };
}

async function stored(bench: HttpBench): Promise<{ readonly runs: number; readonly points: number; readonly batches: number }> {
  const { rows } = await bench.store.pool.query<{ runs: number; points: number; batches: number }>(
    "SELECT (SELECT count(*)::int FROM run) AS runs, (SELECT coalesce(sum(points), 0)::float8 FROM samples.head) AS points, (SELECT count(*)::int FROM ingest_batch) AS batches",
  );
  return rows[0] ?? { runs: -1, points: -1, batches: -1 };
}

describe("ingest.push over HTTP", () => {
  it("takes what curl sends and says what became of it; a repeat answers the same and stores nothing", async () => {
    await using bench = await createHttpBench();
    const first = await push(bench, GOOD);
    expect(first.status).toBe(200);
    expect(JSON.parse(first.body)).toMatchObject({
      result: { data: { accepted: 3, repeated: 0, refused: [], refusedTotal: 0, missing: 0, attempt: "a1" } },
    });
    const before = await stored(bench);
    expect((await push(bench, GOOD)).body).toBe(first.body);
    expect(await stored(bench)).toEqual(before);
  });

  it("takes a gzipped body", async () => {
    await using bench = await createHttpBench();
    expect((await push(bench, gzipSync(JSON.stringify(GOOD)), { "content-encoding": "gzip" })).status).toBe(200);
    expect((await stored(bench)).points).toBe(3);
  });

  it("B7: takes NaN bare or in quotes, infinity by overflow, and null as missing", async () => {
    await using bench = await createHttpBench();
    const body = JSON.stringify(column({ step: [1, 2, 3, 4, 5, 6], value: "VALUES" })).replace(
      '"VALUES"',
      '[NaN, "NaN", "nan", null, 1e999, -Infinity]',
    );
    const { status, body: answer } = await push(bench, body);
    expect(status).toBe(200);
    expect(JSON.parse(answer)).toMatchObject({ result: { data: { accepted: 5, missing: 1 } } });
    const window = await bench.store.samples.window({
      runId: 1,
      metrics: ["loss"],
      attempts: "all",
      axis: "step",
      from: null,
      to: null,
      buckets: 256,
    });
    expect(window.lines[0]?.summary).toMatchObject({ points: 5, nonFinite: 5 });
  });

  it.each([
    ["half a step", column({ step: [1, 1.5, 3] }), "bad-step"],
    ["a step that is a word", column({ step: [1, "two", 3] }), "bad-step"],
    ["a time that is a date", column({ time: [1_700_000_000_000, "2026-01-01", null] }), "bad-time"],
    ["a value that is an object", column({ value: [1, {}, 3] }), "bad-value"],
    ["a value that is a word", column({ value: [1, "high", 3] }), "bad-value"],
  ])("refuses %s alone, stores the rest, and says which and why", async (_what, payload, code) => {
    await using bench = await createHttpBench();
    const { status, body } = await push(bench, payload);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      result: { data: { accepted: 2, refusedTotal: 1, refused: [{ series: 0, index: 1, code }] } },
    });
  });

  it("refuses another body under the same number with 409", async () => {
    await using bench = await createHttpBench();
    await push(bench, GOOD);
    const before = await stored(bench);
    const { status, reason } = await push(bench, column({ value: [9, 9, 9] }));
    expect([status, reason]).toEqual([409, "conflict"]);
    expect(await stored(bench)).toEqual(before);
  });

  it("takes a body of 60 MiB, and refuses one over 64 MiB with 413", async () => {
    await using bench = await createHttpBench();
    const padded = (mebibytes: number) => `${JSON.stringify(GOOD)}${" ".repeat(mebibytes * 1024 * 1024)}`;
    expect((await push(bench, padded(60))).status).toBe(200);
    const { status, reason, body } = await push(bench, padded(64));
    expect([status, reason]).toEqual([413, "too-large"]);
    expect(body).toContain("67108864 bytes");
  });
});

describe("ingest.push refuses", () => {
  // Nothing is ever stored here, so that all share one database.
  let bench: HttpBench;
  beforeAll(async () => {
    bench = await createHttpBench();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it.each([
    ["nothing", "", /JSON/],
    ["text that is no JSON", "loss=2.5", /JSON/],
    ["binary junk", Buffer.from([0xff, 0xfe, 0x00, 0x1b, 0x9c, 0xc3]), /JSON/],
    ["half a document", JSON.stringify(GOOD).slice(0, 40), /JSON/],
    ["a list", "[]", /not an object/],
    ["null", "null", /not an object/],
    ["no source", { ...GOOD, source: undefined }, /source/],
    ["a sequence number below zero", { ...GOOD, seq: -1 }, /seq/],
    ["a run without a name", { ...GOOD, run: { project: "p", name: " " } }, /run\.name/],
    ["columns that are no list", { ...GOOD, columns: {} }, /columns/],
    ["a non-finite word that is none", column({ value: [1, null, 3], nonFinite: [[1, "Huge"]] }), /nonFinite\[0\]\[1\]/],
    [
      "more labels than a series may have",
      { ...GOOD, series: [{ metric: "loss", labels: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`l${index}`, "x"])) }] },
      /series\[0\]\.labels/,
    ],
    ["a checkpoint at half a step", { ...GOOD, checkpoints: [{ step: 1.5 }] }, /checkpoints\[0\]\.step/],
  ])("%s with 400, names the place and stores nothing", async (_what, payload, message) => {
    const { status, reason, body } = await push(bench, payload);
    expect([status, reason]).toEqual([400, "bad-request"]);
    expect(body).toMatch(message);
    expect(body).not.toMatch(/"stack"|\.ts:\d/);
    expect(await stored(bench)).toEqual({ runs: 0, points: 0, batches: 0 });
  });

  it.each([
    ["no token", {}, 401],
    ["a wrong token", { authorization: "Bearer tw_wrong" }, 401],
  ])("%s", async (_what, headers, status) => {
    const response = await bench.app.inject({ method: "POST", url: "/trpc/ingest.push", headers: { ...HOST, ...headers }, payload: GOOD });
    expect(response.statusCode).toBe(status);
    expect(await stored(bench)).toEqual({ runs: 0, points: 0, batches: 0 });
  });

  it.each([["read"], ["operate"]] as const)("a token that may only %s with 403", async (scope) => {
    const { secret } = await bench.token(scope);
    const response = await bench.app.inject({
      method: "POST",
      url: "/trpc/ingest.push",
      headers: { ...HOST, authorization: `Bearer ${secret}` },
      payload: GOOD,
    });
    expect(response.statusCode).toBe(403);
    expect(await stored(bench)).toEqual({ runs: 0, points: 0, batches: 0 });
  });
});
