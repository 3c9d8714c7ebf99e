import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "@trainwatch/testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { administer } from "./administer.ts";
import { readConfig, type Config } from "./config.ts";
import { diagnose } from "./doctor/diagnose.ts";
import { serverUrl } from "./server-record.ts";
import { start, type RunningServer } from "./start.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "trainwatch-start-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const quiet = { port: "0", logLevel: "silent" } as const;
const configOn = (databaseUrl: string, given: object = {}): Config => readConfig({ ...quiet, databaseUrl, ...given }, {});

async function up(config: Config): Promise<RunningServer & { readonly url: string }> {
  const server = await start(config);
  onTestFinished(async () => void (await server.close()));
  if (server.url === null) throw new Error("the server does not serve");
  return { ...server, url: server.url };
}

const statusOf = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(`${url}/trpc/status.get`, { headers })).status;

describe("start", () => {
  it("on a database of somebody else lets nobody in without a token", async () => {
    await using database = await createTestDatabase();
    const { url, adminToken } = await up(configOn(database.url));
    expect(adminToken).toBeNull();
    expect(await statusOf(url)).toBe(401);
    expect(await (await fetch(`${url}/auth/whoami`)).json()).toMatchObject({ signedIn: false });
  });

  it("lets in the configured admin token, and no longer the one before it", async () => {
    await using database = await createTestDatabase();
    const config = (adminToken: string): Config => configOn(database.url, { adminToken });
    const first = await start(config("first-admin-token-0123"));
    await first.close();
    const { url } = await up(config("second-admin-token-012"));
    expect(await statusOf(url, { authorization: "Bearer first-admin-token-0123" })).toBe(401);
    expect(await statusOf(url, { authorization: "Bearer second-admin-token-012" })).toBe(200);
    const tokens = await administer(config("second-admin-token-012"), (verbs) => verbs.tokens.list());
    expect(tokens.map(({ name, revokedAtMs }) => [name, revokedAtMs === null])).toEqual([
      ["TRAINWATCH_ADMIN_TOKEN", true],
      ["TRAINWATCH_ADMIN_TOKEN", false],
    ]);
  });

  it("does not open to other machines before some token guards it, and says how to get one", async () => {
    await using database = await createTestDatabase();
    const open = configOn(database.url, { host: "0.0.0.0" });
    await expect(start(open)).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringMatching(/0\.0\.0\.0 .*TRAINWATCH_ADMIN_TOKEN.*trainwatch token create/s),
    });
    await administer(open, (verbs) => verbs.tokens.create({ name: "admin", scopes: ["admin"] }));
    const { url } = await up(open);
    expect(await statusOf(url.replace("0.0.0.0", "127.0.0.1"))).toBe(401);
  });

  it("says which port is in use and what to do", async () => {
    await using database = await createTestDatabase();
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise<void>((resolve) => holder.close(() => resolve())));
    const address = holder.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(start(configOn(database.url, { port: String(port) }))).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringMatching(new RegExp(`Port ${port} .* in use.*--port`)),
    });
  });

  it("runs a second server on the socket of the first one's database, however the address is written", async () => {
    await using database = await createTestDatabase();
    const { searchParams, password, username, pathname } = new URL(database.url);
    const socket = searchParams.get("host");
    expect(socket).toMatch(/^\//);
    await up(configOn(database.url, { roles: ["serve"] }));
    for (const url of [
      `postgresql://${username}:${password}@${pathname}?host=${socket}`,
      `postgresql://${username}:${password}@${encodeURIComponent(socket ?? "")}${pathname}`,
    ])
      await up(configOn(url, { roles: ["serve"] }));
  });

  it.each([
    [
      "a socket that is not there",
      "postgresql://u:secret@localhost/db?host=/nowhere",
      /\/nowhere\/\.s\.PGSQL\.5432 .*no such socket.*port/,
    ],
    ["a socket of another number", "postgresql://u:secret@localhost:6000/db?host=/nowhere", /\/nowhere\/\.s\.PGSQL\.6000/],
    ["a port where nobody listens", "postgresql://u:secret@127.0.0.1:1/db", /127\.0\.0\.1:1 .*ECONNREFUSED/],
    ["a name that is none", "postgresql://u:secret@no-such-host.invalid/db", /no-such-host\.invalid:5432/],
  ])("names the database that it cannot use, and never its password: %s", async (_what, url, said) => {
    const error = await start(configOn(url)).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(said) });
    expect(String(error)).not.toMatch(/secret|External error/);
  });

  it("says that the database cannot be reached", async () => {
    await expect(start(configOn("postgres://nobody@127.0.0.1:1/none"))).rejects.toMatchObject({ code: "unavailable" });
  });

  it("runs roles apart: what one process takes in, another judges, and pages of the first hear of it", async () => {
    await using database = await createTestDatabase();
    const front = await up(configOn(database.url, { roles: ["serve"], adminToken: "an-admin-token-for-it" }));
    const worker = await start(configOn(database.url, { roles: ["detect", "maintain"] }));
    onTestFinished(async () => void (await worker.close()));
    expect(worker.url).toBeNull();
    const headers = { authorization: "Bearer an-admin-token-for-it", "content-type": "application/json" };
    const step = Array.from({ length: 200 }, (_, index) => index);
    const push = {
      source: "test",
      seq: 0,
      run: { project: "p", name: "r" },
      series: [{ metric: "loss" }],
      columns: [{ series: 0, step, value: step.map(() => 2) }],
    };
    expect((await fetch(`${front.url}/trpc/ingest.push`, { method: "POST", headers, body: JSON.stringify(push) })).status).toBe(200);
    await vi.waitFor(async () => {
      const { result } = (await (await fetch(`${front.url}/trpc/status.get`, { headers })).json()) as {
        result: { data: { detectLagMs: number | null } };
      };
      expect(result.data.detectLagMs).toBe(0);
    }, 10_000);
  });

  describe("with the embedded database", () => {
    it("is found by commands on its data directory, whatever its port, and no longer once it has ended", async () => {
      const dataDir = await folder();
      const server = await start(readConfig({ ...quiet, dataDir }, {}));
      const found = (environment: Record<string, string> = {}): Promise<string> => serverUrl(readConfig({ dataDir }, environment));
      expect(await found()).toBe(server.url);
      // What is told wins over what is found.
      expect(await found({ TRAINWATCH_PORT: "4711" })).toBe("http://127.0.0.1:4711");
      expect(await found({ TRAINWATCH_URL: "https://watch.example.org" })).toBe("https://watch.example.org");
      await server.close();
      expect(await found()).toBe("http://127.0.0.1:4400");
      // As a kill -9 leaves it: no process has so high a number.
      for (const left of ['{"url":"http://localhost:9","pid":999999999}', "{", "null"]) {
        await writeFile(join(dataDir, "server.json"), left);
        expect(await found()).toBe("http://127.0.0.1:4400");
      }
    });

    it("is said to be missing by the doctor, who makes none", async () => {
      const dataDir = join(await folder(), "not-yet");
      const found = await diagnose(readConfig({ ...quiet, dataDir }, {}), Date.now());
      expect(found.find(({ check }) => check === "database")).toMatchObject({
        status: "warning",
        message: `there is none in ${dataDir} yet`,
      });
      expect(existsSync(dataDir)).toBe(false);
    });

    it("makes a first token once, opens the page signed in, and comes back with all of it", async () => {
      const dataDir = await folder();
      const config = readConfig({ ...quiet, dataDir }, {});
      const first = await start(config);
      expect(first.adminToken).toMatch(/^tw_[\w-]{43}$/);
      const token = first.adminToken ?? "";
      expect(await statusOf(first.url ?? "", { authorization: `Bearer ${token}` })).toBe(200);
      const whoami = await fetch(`${first.url}/auth/whoami`);
      expect(await whoami.json()).toMatchObject({ signedIn: true, name: "this machine" });
      expect(await statusOf(first.url ?? "", { cookie: whoami.headers.getSetCookie()[0]?.split(";")[0] ?? "" })).toBe(200);

      // While it runs, a command on the same data directory shares its database.
      expect((await administer(config, (verbs) => verbs.tokens.list())).map(({ name }) => name)).toEqual(["this machine"]);
      expect((await diagnose(config, Date.now())).filter(({ status }) => status === "fault")).toEqual([]);
      await first.close();

      const second = await up(config);
      expect(second.adminToken).toBeNull();
      expect(await statusOf(second.url, { authorization: `Bearer ${token}` })).toBe(200);
    });
  });
});
