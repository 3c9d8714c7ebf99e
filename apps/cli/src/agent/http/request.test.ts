import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { HttpClient } from "./request.ts";
import type { HttpAnswer } from "./request.ts";

async function listen(listener: RequestListener): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path` };
}

function get(
  client: HttpClient,
  url: string,
  over: { readonly timeoutMs?: number; readonly stop?: AbortSignal } = {},
): Promise<HttpAnswer> {
  const stop = over.stop ?? new AbortController().signal;
  return client.send({ url, method: "GET", headers: {}, timeoutMs: over.timeoutMs ?? 10_000, maxBytes: 1_000, stop });
}

function createClient(): HttpClient {
  const client = new HttpClient();
  onTestFinished(() => client.close());
  return client;
}

describe("HttpClient", () => {
  it("unpacks an answer, and counts its bytes after that: a bomb is refused", async () => {
    let text = "small";
    const { url } = await listen((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text)));
    expect((await get(createClient(), url)).body.toString()).toBe("small");
    text = "x".repeat(1_000_000);
    await expect(get(createClient(), url)).rejects.toMatchObject({ code: "too-large" });
  });

  it("sends again over a new connection where the one it kept was closed just then", async () => {
    let answered = 0;
    const { url } = await listen((request, response) => {
      // The second request comes over the connection of the first, and finds it closed.
      if (++answered === 2) return void request.socket.destroy();
      response.end(String(answered));
    });
    const client = createClient();
    expect((await get(client, url)).body.toString()).toBe("1");
    expect((await get(client, url)).body.toString()).toBe("3");
  });

  it.each<[string, RequestListener, RegExp]>([
    ["nobody answers in time", () => undefined, /^http:\/\/127\.0\.0\.1:\d+: no answer within 0\.1 s$/],
    ["the connection is closed", (request) => void request.socket.destroy(), /^http:\/\/127\.0\.0\.1:\d+: socket hang up$/],
  ])("says what is wrong and where, without the path, when %s", async (_what, listener, why) => {
    const { url } = await listen(listener);
    await expect(get(createClient(), url, { timeoutMs: 100 })).rejects.toThrow(why);
  });

  it("ends at once when the agent does", async () => {
    const { url } = await listen(() => undefined);
    const stop = new AbortController();
    const running = get(createClient(), url, { stop: stop.signal });
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: "unavailable" });
  });
});
