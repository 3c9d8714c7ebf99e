import { describe, expect, it } from "vitest";
import { createHttpBench, type HttpBench } from "./http-bench.fixture.ts";

const HOST = { host: "localhost:4400" };
const STATUS = "/trpc/status.get";
const bearer = (secret: string) => ({ ...HOST, authorization: `Bearer ${secret}` });

interface Answer {
  readonly status: number;
  readonly reason: string | null;
  readonly cookie: string | undefined;
  readonly body: string;
}

async function ask(
  bench: HttpBench,
  method: "GET" | "POST" | "DELETE",
  url: string,
  headers: Readonly<Record<string, string>>,
  payload?: object,
): Promise<Answer> {
  const {
    statusCode,
    body,
    headers: answered,
  } = await bench.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  const cookie = answered["set-cookie"];
  const parsed: unknown = String(answered["content-type"]).startsWith("application/json") ? JSON.parse(body) : null;
  return { status: statusCode, reason: reasonOf(parsed), cookie: typeof cookie === "string" ? cookie : undefined, body };
}

function reasonOf(body: unknown): string | null {
  const found = body as { error?: { data?: { reason?: string } } } | null;
  return found?.error?.data?.reason ?? null;
}

/** What a browser sends back of a Set-Cookie. */
const sent = (cookie: string | undefined): string => cookie?.split(";", 1)[0] ?? "";

describe("bearer tokens", () => {
  it("let in, and are noted as used", async () => {
    await using bench = await createHttpBench();
    const { secret, id } = await bench.token("read");
    expect((await ask(bench, "GET", STATUS, bearer(secret))).status).toBe(200);
    expect((await bench.store.records.tokens.list()).find((token) => token.id === id)?.lastUsedAtMs).toBe(bench.clock.now());
  });

  it.each([
    ["none", {}],
    ["an unknown one", { authorization: "Bearer tw_unknown" }],
    ["a malformed header", { authorization: "Basic dTpw" }],
    ["an empty one", { authorization: "Bearer " }],
  ])("with %s the answer is 401 and says what to do", async (_what, headers) => {
    await using bench = await createHttpBench();
    const { status, reason, body } = await ask(bench, "GET", STATUS, { ...HOST, ...headers });
    expect([status, reason]).toEqual([401, "unauthenticated"]);
    expect(body).toMatch(/token|Bearer/);
    expect(body).not.toMatch(/\bat .*\.ts|stack/);
  });

  it("a revoked one is refused at once", async () => {
    await using bench = await createHttpBench();
    const { secret, id } = await bench.token("read");
    await bench.store.records.tokens.revoke(id, bench.clock.now());
    expect((await ask(bench, "GET", STATUS, bearer(secret))).status).toBe(401);
  });

  it("one without the scope is told which it lacks, with 403", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("ingest");
    const { status, reason, body } = await ask(bench, "GET", STATUS, bearer(secret));
    expect([status, reason]).toEqual([403, "forbidden"]);
    expect(body).toContain("lacks the scope read");
  });

  it("never falls back to a cookie that is there as well", async () => {
    await using bench = await createHttpBench({ localScopes: ["admin"] });
    const cookie = sent((await ask(bench, "GET", "/auth/whoami", HOST)).cookie);
    expect((await ask(bench, "GET", STATUS, { ...bearer("tw_unknown"), cookie })).status).toBe(401);
  });
});

describe("the browser's session", () => {
  const ORIGIN = { ...HOST, origin: "http://localhost:4400" };

  it("exchanges a token for a cookie that scripts cannot read and other sites cannot send", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("read");
    const { status, cookie, body } = await ask(bench, "POST", "/auth/session", ORIGIN, { token: secret });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ signedIn: true, name: "token 1", scopes: ["read"] });
    expect(cookie).toMatch(/^trainwatch_session_\d+=tws_[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await ask(bench, "GET", STATUS, { ...HOST, cookie: sent(cookie) })).status).toBe(200);
    expect(await ask(bench, "GET", "/auth/whoami", { ...HOST, cookie: sent(cookie) })).toMatchObject({
      body: expect.stringContaining('"signedIn":true'),
    });
  });

  it("is marked Secure where people come in over HTTPS", async () => {
    await using bench = await createHttpBench({ publicUrl: "https://watch.example.org", isLoopbackOnly: false });
    const { secret } = await bench.token("read");
    const { cookie } = await ask(
      bench,
      "POST",
      "/auth/session",
      { host: "watch.example.org", origin: "https://watch.example.org" },
      { token: secret },
    );
    expect(cookie).toContain("; Secure");
  });

  it("counts wrong tokens, and refuses no good one for them: a whole team may come from one address", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("read");
    const signIn = async (token: string): Promise<number> => (await ask(bench, "POST", "/auth/session", ORIGIN, { token })).status;
    const good: number[] = [];
    for (let person = 0; person < 30; person++) good.push(await signIn(secret));
    expect(new Set(good)).toEqual(new Set([200]));
    const wrong: number[] = [];
    for (let guess = 0; guess < 22; guess++) wrong.push(await signIn(`tw_guess_${guess}`));
    expect(wrong).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
    expect(await signIn(secret)).toBe(200);
  });

  it("keeps only a hash of the cookie", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("read");
    const { cookie } = await ask(bench, "POST", "/auth/session", ORIGIN, { token: secret });
    const { rows } = await bench.store.pool.query(
      "SELECT to_jsonb(session)::text || to_jsonb(token)::text AS kept FROM session JOIN token ON token.id = token_id",
    );
    const kept = JSON.stringify(rows);
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain(sent(cookie).split("=")[1]);
  });

  it("ends on sign-out, after a fortnight, and with its token", async () => {
    await using bench = await createHttpBench();
    const { secret, id } = await bench.token("read");
    const open = async (): Promise<string> => sent((await ask(bench, "POST", "/auth/session", ORIGIN, { token: secret })).cookie);
    const status = async (cookie: string): Promise<number> => (await ask(bench, "GET", STATUS, { ...HOST, cookie })).status;

    const signedOut = await open();
    const goodbye = await ask(bench, "DELETE", "/auth/session", { ...ORIGIN, cookie: signedOut });
    expect(goodbye.cookie).toMatch(/^trainwatch_session_\d+=; Max-Age=0;/);
    expect(await status(signedOut)).toBe(401);

    const old = await open();
    bench.clock.advance(14 * 86_400_000);
    expect(await status(old)).toBe(401);

    const orphan = await open();
    expect(await status(orphan)).toBe(200);
    await bench.store.records.tokens.revoke(id, bench.clock.now());
    expect(await status(orphan)).toBe(401);
  });

  it.each([
    ["a wrong token", { token: "tw_wrong" }, 401],
    ["no token", {}, 400],
    ["a body that is no object", [], 400],
  ])("is refused for %s", async (_what, payload, status) => {
    await using bench = await createHttpBench();
    const answer = await ask(bench, "POST", "/auth/session", ORIGIN, payload);
    expect(answer).toMatchObject({ status, cookie: undefined });
  });

  it("changes nothing for another site, though the browser sends the cookie along", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("admin");
    const cookie = sent((await ask(bench, "POST", "/auth/session", ORIGIN, { token: secret })).cookie);
    const create = { name: "x", scopes: ["admin"] };
    expect((await ask(bench, "POST", "/trpc/tokens.create", { ...HOST, cookie, origin: "https://evil.example.org" }, create)).status).toBe(
      403,
    );
    expect((await ask(bench, "POST", "/trpc/tokens.create", { ...HOST, cookie }, create)).status).toBe(403);
    expect((await ask(bench, "POST", "/auth/session", { ...HOST, origin: "https://evil.example.org" }, { token: secret })).status).toBe(
      403,
    );
    expect((await ask(bench, "POST", "/trpc/tokens.create", { ...ORIGIN, cookie }, create)).status).toBe(200);
    expect(
      (await ask(bench, "POST", "/trpc/tokens.create", { ...HOST, cookie, "x-trainwatch-client": "test" }, { ...create, name: "y" }))
        .status,
    ).toBe(200);
  });
});

describe("a browser on the server's own machine", () => {
  it("is signed in by opening the page", async () => {
    await using bench = await createHttpBench({ localScopes: ["admin"] });
    const { cookie } = await ask(bench, "GET", "/", HOST);
    expect((await ask(bench, "GET", STATUS, { ...HOST, cookie: sent(cookie) })).status).toBe(200);
  });

  it("keeps the session it has", async () => {
    await using bench = await createHttpBench({ localScopes: ["admin"] });
    const { cookie } = await ask(bench, "GET", "/", HOST);
    expect((await ask(bench, "GET", "/runs", { ...HOST, cookie: sent(cookie) })).cookie).toBeUndefined();
  });

  it("shares one session with all others on it, opened anew only where it has ended", async () => {
    await using bench = await createHttpBench({ localScopes: ["admin"] });
    const sessions = async (): Promise<number> => (await bench.store.pool.query("SELECT FROM session")).rowCount ?? -1;
    const visit = async (url: string): Promise<string> => sent((await ask(bench, "GET", url, HOST)).cookie);
    const cookies = new Set(await Promise.all(["/", "/runs", "/auth/whoami", "/", "/", "/incidents"].map(visit)));
    expect([cookies.size, await sessions()]).toEqual([1, 1]);
    const [cookie = ""] = cookies;

    await ask(bench, "DELETE", "/auth/session", { ...HOST, cookie, origin: "http://localhost:4400" });
    const again = new Set(await Promise.all(["/", "/runs", "/"].map(visit)));
    expect([again.size, again.has(cookie), await sessions()]).toEqual([1, false, 1]);
    expect((await ask(bench, "GET", STATUS, { ...HOST, cookie: [...again][0] ?? "" })).status).toBe(200);

    // Half its time is over: who comes now shall not be signed out tomorrow.
    bench.clock.advance(8 * 86_400_000);
    expect([...again]).not.toContain(await visit("/"));
    expect(await sessions()).toBe(2);
  });

  it.each([
    ["has to show a token where the server was not told otherwise", undefined, HOST],
    ["is not who comes through a proxy", "admin" as const, { ...HOST, "x-forwarded-for": "203.0.113.5" }],
    ["is not another site's page that embeds ours", "admin" as const, { ...HOST, "sec-fetch-site": "cross-site" }],
  ])("%s", async (_what, scope, headers) => {
    await using bench = await createHttpBench(scope === undefined ? {} : { localScopes: [scope] });
    const { cookie, body } = await ask(bench, "GET", "/auth/whoami", headers);
    expect(cookie).toBeUndefined();
    expect(JSON.parse(body)).toEqual({ signedIn: false, name: null, scopes: [] });
  });

  it("is not who comes from another address", async () => {
    await using bench = await createHttpBench({ localScopes: ["admin"], isLoopbackOnly: false });
    const { headers } = await bench.app.inject({ method: "GET", url: "/auth/whoami", headers: HOST, remoteAddress: "10.0.0.7" });
    expect(headers["set-cookie"]).toBeUndefined();
  });

  it.each(["/", "/auth/whoami", STATUS, "/healthz", "/metrics"])(
    "a page whose name was pointed at this machine gets nothing from %s",
    async (url) => {
      await using bench = await createHttpBench({ localScopes: ["admin"] });
      const { status, cookie } = await ask(bench, "GET", url, { host: "rebound.example.org:4400" });
      expect([status, cookie]).toEqual([403, undefined]);
    },
  );
});
