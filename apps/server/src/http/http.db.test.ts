import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpBench, type HttpBench } from "./http-bench.fixture.ts";
import { createWebSource } from "./web-files.ts";

const HOST = { host: "localhost:4400" };
const JSON_TYPE = { ...HOST, "content-type": "application/json" };

interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly data: {
      readonly code: string;
      readonly httpStatus: number;
      readonly reason: string;
      readonly id: string;
      readonly path: string | null;
    };
  };
}

describe("errors over HTTP", () => {
  // Nothing is written here but tokens, so that the tables share one database.
  let shared: HttpBench;
  let secret = "";
  beforeAll(async () => {
    shared = await createHttpBench();
    ({ secret } = await shared.token("admin"));
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  it.each([
    ["a body that is no JSON", { payload: "{not json" }, 400, "bad-request", /cannot be read as JSON/],
    ["an empty body", { payload: "" }, 400, "bad-request", /./],
    [
      "another content type",
      { payload: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } },
      400,
      "bad-request",
      /Content-Type: application\/json/,
    ],
    ["a field of the wrong type", { payload: '{"runId":"one"}' }, 400, "bad-request", /runId: Invalid input/],
    [
      "a body over the limit",
      { payload: JSON.stringify({ runId: 1, padding: "x".repeat(1024 * 1024) }) },
      413,
      "too-large",
      /1048576 bytes/,
    ],
    [
      "a gzip bomb",
      { payload: gzipSync(JSON.stringify({ runId: 1, padding: "x".repeat(8 * 1024 * 1024) })), headers: { "content-encoding": "gzip" } },
      413,
      "too-large",
      /bytes/,
    ],
    [
      "a truncated gzip stream",
      { payload: gzipSync('{"runId":1}').subarray(0, 12), headers: { "content-encoding": "gzip" } },
      400,
      "bad-request",
      /./,
    ],
    ["a run that is not there", { payload: '{"runId":12}' }, 404, "not-found", /There is no run 12/],
  ])(
    "%s is told clearly and without a stack",
    async (_what, { payload, headers = {} }: { payload: string | Buffer; headers?: Record<string, string> }, status, reason, message) => {
      const response = await shared.app.inject({
        method: "POST",
        url: "/trpc/runs.archive",
        headers: { ...JSON_TYPE, authorization: `Bearer ${secret}`, ...headers },
        payload,
      });
      const { error }: ErrorBody = response.json();
      expect([response.statusCode, error.data.httpStatus, error.data.reason]).toEqual([status, status, reason]);
      expect(error.message).toMatch(message);
      expect(error.data.id).not.toBe("");
      expect(response.body).not.toMatch(/"stack"|node_modules|\.ts:\d/);
    },
  );

  it.each([
    ["GET", "/trpc/no.such", 404],
    ["GET", "/trpc/runs.archive?input=%7B%22runId%22%3A1%7D", 400],
    ["GET", "/api/2.0/nothing", 404],
    ["POST", "/", 404],
    ["DELETE", "/trpc/runs.list", 404],
    ["GET", "/%ff%zz", 400],
    ["GET", "/trpc/%ff", 400],
    ["GET", `/trpc/${"x".repeat(5_000)}`, 400],
  ] as const)("%s %s is %d as JSON, never the dashboard", async (method, url, status) => {
    const response = await shared.app.inject({ method, url, headers: { ...HOST, authorization: `Bearer ${secret}` } });
    expect(response.statusCode).toBe(status);
    expect(response.json<ErrorBody>().error.data.httpStatus).toBe(status);
  });

  it("refuses a stranger before reading the body", async () => {
    const response = await shared.app.inject({
      method: "POST",
      url: "/trpc/ingest.push",
      headers: { ...JSON_TYPE, authorization: "Bearer tw_wrong", "content-length": String(70 * 1024 * 1024) },
    });
    expect(response.statusCode).toBe(401);
    expect(response.headers["www-authenticate"]).toMatch(/^Bearer/);
  });

  it("keeps the message of a bug to itself and gives an id to look for", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("read");
    await bench.store.pool.query("ALTER TABLE run RENAME TO run_gone");
    const response = await bench.app.inject({
      method: "GET",
      url: "/trpc/runs.list",
      headers: { ...HOST, authorization: `Bearer ${secret}` },
    });
    const { error }: ErrorBody = response.json();
    expect([response.statusCode, error.data.reason]).toEqual([500, "internal"]);
    expect(error.message).toContain(error.data.id);
    expect(response.body).not.toMatch(/run_gone|relation|SELECT|stack/i);
  });

  it("counts by address whoever proves nothing, however often they change what they show", async () => {
    await using bench = await createHttpBench({ rateLimitPerMinute: 3 });
    const { secret } = await bench.token("read");
    const ask = async (authorization: string, remoteAddress: string): Promise<number> =>
      (await bench.app.inject({ method: "GET", url: "/trpc/status.get", headers: { ...HOST, authorization }, remoteAddress })).statusCode;
    // The good one is known before the flood begins.
    expect(await ask(`Bearer ${secret}`, "127.0.0.9")).toBe(200);
    const codes: number[] = [];
    for (let guess = 0; guess < 5; guess++) codes.push(await ask(`Bearer tw_guess_${guess}`, "127.0.0.9"));
    expect(codes).toEqual([401, 401, 429, 429, 429]);
    expect(await ask(`Bearer ${secret}`, "127.0.0.9")).toBe(200);
    expect(await ask("Bearer tw_guess_0", "127.0.0.8")).toBe(401);
    const pages: number[] = [];
    for (let visit = 0; visit < 5; visit++)
      pages.push((await bench.app.inject({ method: "GET", url: "/runs", headers: HOST, remoteAddress: "127.0.0.7" })).statusCode);
    expect(pages).toEqual([503, 503, 503, 429, 429]);
  });

  it("asks who sends too much to slow down", async () => {
    await using bench = await createHttpBench({ rateLimitPerMinute: 3 });
    const { secret } = await bench.token("read");
    const headers = { ...HOST, authorization: `Bearer ${secret}` };
    const codes: number[] = [];
    for (let count = 0; count < 5; count++)
      codes.push((await bench.app.inject({ method: "GET", url: "/trpc/status.get", headers })).statusCode);
    // The first counts with its address: nothing is known of it yet.
    expect(codes).toEqual([200, 200, 200, 200, 429]);
    expect((await bench.app.inject({ method: "GET", url: "/healthz", headers: HOST })).statusCode).toBe(200);
  });
});

describe("answers", () => {
  it("are compressed where they are long and the client takes it", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("read", "ingest");
    const headers = { ...JSON_TYPE, authorization: `Bearer ${secret}` };
    const step = Array.from({ length: 2_000 }, (_, index) => index);
    const push = {
      source: "s",
      seq: 0,
      run: { project: "p", name: "r" },
      series: [{ metric: "loss" }],
      columns: [{ series: 0, step, value: step }],
    };
    await bench.app.inject({ method: "POST", url: "/trpc/ingest.push", headers, payload: push });
    const url = `/trpc/series.window?input=${encodeURIComponent(JSON.stringify({ runId: 1, metrics: ["loss"] }))}`;
    const plain = await bench.app.inject({ method: "GET", url, headers });
    const packed = await bench.app.inject({ method: "GET", url, headers: { ...headers, "accept-encoding": "gzip" } });
    expect([plain.headers["content-encoding"], packed.headers["content-encoding"]]).toEqual([undefined, "gzip"]);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
  });
});

describe("the dashboard", () => {
  let bench: HttpBench;
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "trainwatch-web-"));
    bench = await createHttpBench({ web: createWebSource(await builtWeb(join(folder, "dist"))) });
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function builtWeb(root: string): Promise<string> {
    await mkdir(root);
    await mkdir(join(root, "assets"));
    await writeFile(join(root, "index.html"), "<!doctype html><title>Trainwatch</title><script>theme()</script>");
    await writeFile(join(root, "assets", "index-abc.js"), "export {};");
    await writeFile(join(root, "favicon.svg"), "<svg/>");
    await writeFile(join(root, "..", "secret.txt"), "not for you");
    return root;
  }

  it("is one page for every path that the page routes itself, never cached", async () => {
    for (const url of ["/", "/runs/12?axis=time", "/incidents/3", "/settings"]) {
      const response = await bench.app.inject({ method: "GET", url, headers: HOST });
      expect([url, response.statusCode, response.headers["cache-control"]]).toEqual([url, 200, "no-cache"]);
      expect(response.body).toContain("<title>Trainwatch</title>");
    }
  });

  it("gives files of the build, those with a hash in their name for good", async () => {
    const script = await bench.app.inject({ method: "GET", url: "/assets/index-abc.js", headers: HOST });
    expect([script.statusCode, script.headers["content-type"], script.headers["cache-control"]]).toEqual([
      200,
      expect.stringContaining("javascript"),
      "public, max-age=31536000, immutable",
    ]);
    expect((await bench.app.inject({ method: "GET", url: "/favicon.svg", headers: HOST })).body).toBe("<svg/>");
  });

  it("is the new one after a build under the running server, with the scripts that stand in it", async () => {
    const root = await mkdtemp(join(tmpdir(), "trainwatch-rebuilt-"));
    await using bench = await createHttpBench({ web: createWebSource(join(root, "dist")) });
    const open = async () => {
      const { statusCode, body, headers } = await bench.app.inject({ method: "GET", url: "/runs/1", headers: HOST });
      return { statusCode, body, policy: String(headers["content-security-policy"]) };
    };
    expect((await open()).statusCode).toBe(503);
    await builtWeb(join(root, "dist"));
    const first = await open();
    expect(first).toMatchObject({ statusCode: 200, body: expect.stringContaining("theme()") });
    await writeFile(join(root, "dist", "index.html"), "<!doctype html><title>Trainwatch</title><script>other()</script>new");
    await writeFile(join(root, "dist", "assets", "index-def.js"), "export const b = 1;");
    const second = await open();
    expect(second.body).toContain("other()");
    expect(second.policy).toContain(createHash("sha256").update("other()").digest("base64"));
    expect(second.policy).not.toBe(first.policy);
    expect((await bench.app.inject({ method: "GET", url: "/assets/index-def.js", headers: HOST })).body).toBe("export const b = 1;");
    await rm(root, { recursive: true, force: true });
  });

  it.each(["/assets/gone.js", "/gone.png", "/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"])(
    "has nothing at %s",
    async (url) => {
      const response = await bench.app.inject({ method: "GET", url, headers: HOST });
      expect(response.body).not.toContain("not for you");
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
    },
  );

  it("allows scripts of its own origin only, and no frame around it", async () => {
    const { headers } = await bench.app.inject({ method: "GET", url: "/", headers: HOST });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+'(;|$)/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["strict-transport-security"]).toBeUndefined();
  });

  it("says how to build it where it is not built, rather than a blank page", async () => {
    await using bench = await createHttpBench();
    const response = await bench.app.inject({ method: "GET", url: "/", headers: HOST });
    expect(response.statusCode).toBe(503);
    expect(response.body).toContain("npm run setup");
  });
});

describe("health and metrics", () => {
  it("answers without a token", async () => {
    await using bench = await createHttpBench();
    expect((await bench.app.inject({ method: "GET", url: "/healthz", headers: HOST })).json()).toEqual({ status: "ok", version: "0.0.0" });
    expect((await bench.app.inject({ method: "GET", url: "/readyz", headers: HOST })).json()).toMatchObject({
      status: "ready",
      database: expect.stringMatching(/^\d+/),
    });
    const metrics = await bench.app.inject({ method: "GET", url: "/metrics", headers: HOST });
    expect(metrics.headers["content-type"]).toContain("text/plain");
    expect(metrics.body).toMatch(/^trainwatch_database_up 1$/m);
    expect(metrics.body).toMatch(/^trainwatch_incidents_open\{severity="critical"\} 0$/m);
    expect(metrics.body).toMatch(/^trainwatch_http_request_seconds_count\{route="\/readyz",method="GET",status="200"\} 1$/m);
  });

  it("asks a database that hangs once, however many probes come by", async () => {
    await using bench = await createHttpBench();
    const locker = await bench.store.pool.connect();
    await locker.query("BEGIN");
    await locker.query("LOCK TABLE incident");
    const probes = await Promise.all(Array.from({ length: 25 }, () => bench.app.inject({ method: "GET", url: "/metrics", headers: HOST })));
    expect(probes.every(({ body }) => /^trainwatch_database_up 0$/m.test(body))).toBe(true);
    const { rows } = await locker.query<{ waiting: number }>(
      "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(rows[0]?.waiting).toBe(1);
    expect((await bench.app.inject({ method: "GET", url: "/readyz", headers: HOST })).statusCode).toBe(200);
    await locker.query("ROLLBACK");
    locker.release();
  });

  it("says that a full disk is what keeps the database from storing, and that it may be sent again", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("admin");
    await bench.store.pool.query(
      "CREATE FUNCTION full_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$",
    );
    for (const table of ["token", "run"])
      await bench.store.pool.query(`CREATE TRIGGER full_up BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_up()`);
    const headers = { ...JSON_TYPE, authorization: `Bearer ${secret}` };
    const push = {
      source: "s",
      seq: 0,
      run: { project: "p", name: "r" },
      series: [{ metric: "loss" }],
      columns: [{ series: 0, step: [1], value: [2] }],
    };
    for (const [verb, payload] of [
      ["ingest.push", push],
      ["tokens.create", { name: "x", scopes: ["read"] }],
    ] as const) {
      const response = await bench.app.inject({ method: "POST", url: `/trpc/${verb}`, headers, payload });
      const { error }: ErrorBody = response.json();
      expect([verb, response.statusCode, error.data.reason]).toEqual([verb, 503, "unavailable"]);
      expect(error.message).toMatch(/disk of the database is full.*(?:send it again|try again)/i);
    }
  });

  it("says that the database is away, and the process still answers", async () => {
    await using bench = await createHttpBench();
    await bench.store.pool.query("ALTER TABLE incident RENAME TO incident_gone");
    expect((await bench.app.inject({ method: "GET", url: "/metrics", headers: HOST })).body).toMatch(/^trainwatch_database_up 0$/m);
    expect((await bench.app.inject({ method: "GET", url: "/healthz", headers: HOST })).statusCode).toBe(200);
  });
});
