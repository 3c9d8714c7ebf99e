import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PushAnswer, PushInput } from "@trainwatch/core";
import { CLIENT_HEADER, readConfig, start, type StartOptions } from "@trainwatch/server";
import { createTestDatabase } from "@trainwatch/testkit";
import { launchBrowser } from "@trainwatch/testkit/browser";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { inject } from "vitest";
import { watchConsole, type ConsoleWatch } from "./console-watch.ts";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A server on a database of its own with the pages as they stand in the source, and a browser. */
export interface World extends AsyncDisposable {
  readonly url: string;
  /** A token with the scope admin. */
  readonly token: string;
  /** For a test that seeds what no source can send, such as an incident of a fault that takes days. */
  readonly databaseUrl: string;
  readonly push: (body: PushInput) => Promise<PushAnswer>;
  /** Calls a verb as a program does. */
  readonly call: <T>(verb: string, input: unknown) => Promise<T>;
  /** A page of its own browser profile, signed in unless told otherwise; no console error may happen on it. */
  readonly open: (path: string, options?: OpenOptions) => Promise<OpenedPage>;
  readonly server: () => { readonly stop: () => Promise<void>; readonly startAgain: () => Promise<void> };
}

export interface OpenOptions extends BrowserContextOptions {
  readonly signedIn?: boolean;
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  readonly console: ConsoleWatch;
}

export async function openWorld(options: StartOptions = {}): Promise<World> {
  const token = `tw_${randomBytes(24).toString("hex")}`;
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-world-"));
  const config = (port: number) =>
    readConfig({ host: "127.0.0.1", port, dataDir, databaseUrl: database.url, adminToken: token, logLevel: "error" }, {});
  const webRoot = options.webRoot ?? inject("webRoot");
  let running = await start(config(0), { ...options, webRoot });
  const url = running.url ?? "";
  const browser = await launchBrowser();
  const cookies = await signIn(browser, url, token);
  const call = <T>(verb: string, input: unknown): Promise<T> => callVerb<T>(url, token, verb, input);
  return {
    url,
    token,
    databaseUrl: database.url,
    call,
    push: (body) => call<PushAnswer>("ingest.push", body),
    open: (path, how = {}) => openPage(browser, url, path, { ...(how.signedIn === false ? {} : { storageState: cookies }), ...how }),
    server: () => ({
      stop: async () => void (await running.close()),
      startAgain: async () => {
        running = await start(config(Number(new URL(url).port)), { ...options, webRoot });
      },
    }),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await running.close();
      await database[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const QUERIES = /\.(list|get|metrics|window|convertRange|health|catalogue|registry|passport|frozen|frozenDiff|trend)$/;

async function callVerb<T>(url: string, token: string, verb: string, input: unknown): Promise<T> {
  const isQuery = QUERIES.test(verb);
  const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
  const response = await fetch(`${url}/trpc/${verb}${query}`, {
    method: isQuery ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(isQuery ? {} : { body: JSON.stringify(input) }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${verb} answered ${response.status}: ${JSON.stringify(body)}`);
  return body.result.data;
}

/** Once a world: sign-ins are limited to some a minute. */
async function signIn(browser: Browser, url: string, token: string): Promise<StorageState> {
  const context = await browser.newContext();
  const answer = await context.request.post(`${url}/auth/session`, { data: { token }, headers: { [CLIENT_HEADER]: "browser-test" } });
  if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function openPage(browser: Browser, url: string, path: string, { signedIn: _signedIn, ...how }: OpenOptions): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US", timezoneId: "Europe/Oslo", ...how });
  const page = await context.newPage();
  const console = watchConsole(page);
  await page.goto(`${url}${path}`);
  // Drawn at all: by then the keys are listened to.
  await page.locator("main").waitFor();
  return { page, console, [Symbol.asyncDispose]: () => context.close() };
}
