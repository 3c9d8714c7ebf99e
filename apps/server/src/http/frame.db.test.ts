import { gzipSync } from "node:zlib";
import { encodeFrame, FRAME_LIMITS, type FrameAnswer } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createHttpBench, type HttpBench } from "./http-bench.fixture.ts";

interface Sent {
  readonly status: number;
  readonly answer: FrameAnswer | null;
  readonly reason: string | null;
  readonly message: string | null;
}

async function send(bench: HttpBench, payload: Buffer | string, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const { secret } = await bench.token("ingest");
  const response = await bench.app.inject({
    method: "POST",
    url: "/trpc/ingest.frame",
    headers: { host: "localhost:4400", "content-type": "application/octet-stream", authorization: `Bearer ${secret}`, ...headers },
    payload,
  });
  const { result, error } = response.json<{ result?: { data: FrameAnswer }; error?: { message: string; data: { reason: string } } }>();
  return {
    status: response.statusCode,
    answer: result?.data ?? null,
    reason: error?.data.reason ?? null,
    message: error?.message ?? null,
  };
}

function frame(timeMs: number, gpus = 8): Buffer {
  const series = Array.from({ length: gpus }, (_, gpu) => ["DCGM_FI_DEV_GPU_TEMP", { UUID: `GPU-${gpu}`, Hostname: "n1" }] as const);
  const values = new Uint8Array(Float64Array.from({ length: gpus }, (_, gpu) => 60 + gpu).buffer);
  return Buffer.from(
    encodeFrame({ source: "agent", dictionaries: [{ digest: `of ${gpus}`, series }] }, [{ dictionary: 0, timeMs, presence: null, values }]),
  );
}

describe("ingest.frame over HTTP", () => {
  it("takes bytes, compressed too, and says what became of them; the status line counts them", async () => {
    await using bench = await createHttpBench();
    const body = frame(bench.clock.now());
    const stored = { accepted: 8, repeated: 0, refused: [], refusedTotal: 0, unknown: [] };
    expect(await send(bench, body)).toMatchObject({ status: 200, answer: stored });
    expect(await send(bench, gzipSync(body), { "content-encoding": "gzip" })).toMatchObject({
      status: 200,
      answer: { accepted: 0, repeated: 8 },
    });
    await bench.app.close();
    const { lastHour } = await bench.store.records.status.read(bench.clock.now());
    expect(lastHour).toEqual({ accepted: 8, repeated: 8, refused: 0 });
  });

  it("refuses what is larger than a frame may be, whether it says so, comes so, or becomes so when it is inflated", async () => {
    await using bench = await createHttpBench();
    const large = Buffer.alloc(FRAME_LIMITS.bytes + 1);
    const refused = { status: 413, reason: "too-large", answer: null };
    expect(await send(bench, large)).toMatchObject(refused);
    expect(await send(bench, gzipSync(large), { "content-encoding": "gzip" })).toMatchObject(refused);
  });

  it("closes the connection of a frame that it has not read to its end: the next request would wait behind the rest", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("ingest");
    await bench.app.listen({ port: 0, host: "127.0.0.1" });
    const address = bench.app.server.address();
    const port = typeof address === "object" ? address?.port : null;
    const post = (body: Buffer<ArrayBuffer>) =>
      fetch(`http://127.0.0.1:${port}/trpc/ingest.frame`, {
        method: "POST",
        body,
        headers: { "content-type": "application/octet-stream", "content-encoding": "gzip", authorization: `Bearer ${secret}` },
      });
    const refused = await post(Buffer.from(gzipSync(Buffer.alloc(4 * FRAME_LIMITS.bytes))));
    expect([refused.status, refused.headers.get("connection")]).toEqual([413, "close"]);
    const stored = await post(Buffer.from(gzipSync(frame(bench.clock.now()))));
    expect([stored.status, stored.headers.get("connection")]).toEqual([200, "keep-alive"]);
  });

  it("sends away who may not store before it reads what they send", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("read");
    const large = Buffer.alloc(FRAME_LIMITS.bytes + 1);
    expect(await send(bench, large, { authorization: `Bearer ${secret}` })).toMatchObject({
      status: 403,
      reason: "forbidden",
      message: expect.stringMatching(/lacks the scope ingest/),
    });
    for (const verb of ["ingest.push", "ingest.events"]) {
      const { statusCode } = await bench.app.inject({
        method: "POST",
        url: `/trpc/${verb}`,
        headers: { host: "localhost:4400", "content-type": "application/json", authorization: `Bearer ${secret}` },
        payload: large,
      });
      expect(statusCode).toBe(403);
    }
  });

  it.each([
    ["no frame", Buffer.from("not a frame"), {}, 400, "bad-request", /not a frame/],
    ["a frame that is cut short", frame(0).subarray(0, -4), {}, 400, "bad-request", /cut short/],
    ["nothing", Buffer.alloc(0), {}, 400, "bad-request", /not a frame/],
    ["JSON", "{}", { "content-type": "application/json" }, 400, "bad-request", /octet-stream/],
    ["no body at all", "", { "content-type": "application/octet-stream" }, 400, "bad-request", /not a frame/],
    ["something else", "a,b", { "content-type": "text/csv" }, 400, "bad-request", /octet-stream/],
    ["a stranger's frame", frame(0), { authorization: "Bearer tw_nobody" }, 401, "unauthenticated", /token/],
  ])("says what is wrong with %s", async (_what, payload, headers, status, reason, message) => {
    await using bench = await createHttpBench();
    expect(await send(bench, payload, headers)).toMatchObject({ status, reason, message: expect.stringMatching(message) });
  });
});
