import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "../config.ts";
import { createHttpBench } from "../http/http-bench.fixture.ts";
import { start } from "../start.ts";
import { attribute, encodeOtlp, nano, otlpRequest } from "./otlp.fixture.ts";
import { createReceivers } from "./registry.ts";
import { encodeV1, snappy } from "./remote-write.fixture.ts";
import { readStoredReadings } from "@trainwatch/testkit";

interface Example {
  readonly headers: Readonly<Record<string, string>>;
  /** A reading of `good` at a time; with `isBad` another beside it that is to be refused. */
  readonly body: (timeMs: number, isBad: boolean) => Buffer;
  /** Status of a request of which some is refused. */
  readonly partly: number;
}

/** A receiver that has no line here fails the first test. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  "remote-write": {
    headers: { "content-type": "application/x-protobuf", "content-encoding": "snappy" },
    body: (timestamp, isBad) =>
      snappy(
        encodeV1([
          { labels: [["__name__", "good"]], samples: [{ value: 1, timestamp }] },
          ...(isBad ? [{ labels: [["a", "b"]] as const, samples: [{ value: 1, timestamp }] }] : []),
        ]),
      ),
    partly: 400,
  },
  otlp: {
    headers: { "content-type": "application/x-protobuf" },
    body: (timeMs, isBad) => {
      const dataPoints = [{ timeUnixNano: nano(timeMs), asDouble: 1 }];
      const bad = { name: "bad", gauge: { dataPoints: [{ timeUnixNano: nano(timeMs), asDouble: 1, attributes: [attribute("a", "\0")] }] } };
      return encodeOtlp(otlpRequest([{ name: "good", gauge: { dataPoints } }, ...(isBad ? [bad] : [])]));
    },
    partly: 200,
  },
};

const NOW = Date.UTC(2026, 0, 1);

describe.each(createReceivers().map((receiver) => [receiver.id, receiver] as const))("receiver %s", (id, { path, bodyLimitBytes }) => {
  const { headers, body, partly } = EXAMPLES[id] ?? { headers: {}, body: () => Buffer.alloc(0), partly: 0 };

  it("stores what is sent once, however often it is sent, also at the same moment", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("ingest");
    const send = () =>
      bench.app.inject({
        method: "POST",
        url: path,
        headers: { host: "localhost", authorization: `Bearer ${secret}`, ...headers },
        payload: body(NOW, false),
      });
    const answers = await Promise.all([send(), send(), send(), send()]);
    expect(answers.map(({ statusCode }) => Math.floor(statusCode / 100))).toEqual([2, 2, 2, 2]);
    expect(await readStoredReadings(bench.store.pool)).toMatchObject([{ metric: "good", timeMs: NOW, value: 1 }]);
  });

  it("stores the good part of a request and says in its protocol's way that some was refused", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("ingest");
    const response = await bench.app.inject({
      method: "POST",
      url: path,
      headers: { host: "localhost", authorization: `Bearer ${secret}`, ...headers },
      payload: body(NOW, true),
    });
    expect(response.statusCode).toBe(partly);
    expect(response.body).toMatch(/1 bad-(name|labels)/);
    expect(await readStoredReadings(bench.store.pool)).toHaveLength(1);
    const metrics = await bench.app.inject({ url: "/metrics", headers: { host: "localhost" } });
    expect(metrics.body).toContain(`trainwatch_receiver_samples_total{receiver="${id}",outcome="refused"} 1`);
  });

  it("wants a token that may ingest, before it reads the body", async () => {
    await using bench = await createHttpBench();
    const ask = async (authorization: string | null) => {
      const shown = authorization === null ? {} : { authorization };
      const response = await bench.app.inject({
        method: "POST",
        url: path,
        headers: { host: "localhost", ...headers, ...shown },
        payload: Buffer.from("junk"),
      });
      return [response.statusCode, response.headers["www-authenticate"]];
    };
    const challenge = 'Bearer realm="trainwatch"';
    expect(await ask(null)).toEqual([401, challenge]);
    expect(await ask("Bearer tw_wrong")).toEqual([401, challenge]);
    expect(await ask("Basic YTpi")).toEqual([401, challenge]);
    expect(await ask(`Bearer ${(await bench.token("read", "operate")).secret}`)).toEqual([403, undefined]);
    expect((await ask(`Bearer ${(await bench.token("admin")).secret}`))[0]).toBe(400);
  });

  it("refuses other media types with 415, bodies over its limit with 413, and other methods with 404", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("ingest");
    const authorization = `Bearer ${secret}`;
    const post = async (more: object, payload: Buffer) =>
      (await bench.app.inject({ method: "POST", url: path, headers: { host: "localhost", authorization, ...headers, ...more }, payload }))
        .statusCode;
    expect(await post({ "content-type": "text/csv" }, Buffer.from("a"))).toBe(415);
    expect(await post({ "content-type": "no media type" }, Buffer.from("a"))).toBe(415);
    expect(await post({}, Buffer.alloc(bodyLimitBytes + 1))).toBe(413);
    expect((await bench.app.inject({ method: "GET", url: path, headers: { host: "localhost", authorization } })).statusCode).toBe(404);
    expect(await readStoredReadings(bench.store.pool)).toEqual([]);
  });
});

describe("a database that dies under the receivers", () => {
  it("makes each say 503 and when to come again; once it is back the same requests are taken, once", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-receivers-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const server = await start(readConfig({ dataDir, port: "0", logLevel: "silent" }, {}));
    onTestFinished(async () => void (await server.close()));
    const authorization = `Bearer ${server.adminToken}`;
    const timeMs = Date.now();
    const send = async (id: string, path: string): Promise<Response> => {
      const { headers = {}, body } = EXAMPLES[id] ?? {};
      return fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { ...headers, authorization },
        body: new Uint8Array(body?.(timeMs, false) ?? []),
      });
    };
    const receivers = createReceivers();
    for (const { id, path } of receivers) expect(Math.floor((await send(id, path)).status / 100)).toBe(2);
    for (const { id, path } of receivers) {
      process.kill(Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n", 1)[0]), "SIGKILL");
      const away = await vi.waitFor(
        async () => {
          const response = await send(id, path);
          if (response.ok) throw new Error("still there");
          return response;
        },
        { timeout: 10_000, interval: 5 },
      );
      expect([away.status, away.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await away.text()).toMatch(/database/);
      await vi.waitFor(async () => expect((await send(id, path)).ok).toBe(true), { timeout: 30_000, interval: 50 });
    }
  });
});
