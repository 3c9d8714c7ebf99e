import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { postJson } from "./post-json.ts";

async function listening(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook?token=x`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

describe("postJson", () => {
  it("sends the body as it is, with its headers", async () => {
    let got: unknown;
    await using server = await listening((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => (body += part.toString()));
      request.on("end", () => {
        got = [request.method, request.url, request.headers["content-type"], request.headers["x-mine"], body];
        response.end("ok");
      });
    });
    expect(await postJson(server.url, '{"a":"ü"}', { "X-Mine": "1" })).toEqual({
      ok: true,
      status: 200,
      message: "ok",
      isTemporary: false,
    });
    expect(got).toEqual(["POST", "/hook?token=x", "application/json", "1", '{"a":"ü"}']);
  });

  it.each([
    { status: 204, ok: true, isTemporary: false },
    { status: 301, ok: false, isTemporary: false },
    { status: 400, ok: false, isTemporary: false },
    { status: 404, ok: false, isTemporary: false },
    { status: 408, ok: false, isTemporary: true },
    { status: 429, ok: false, isTemporary: true },
    { status: 500, ok: false, isTemporary: true },
    { status: 503, ok: false, isTemporary: true },
  ])("takes $status for done: $ok, worth another try: $isTemporary", async ({ status, ...outcome }) => {
    await using server = await listening((_request, response) => response.writeHead(status).end());
    expect(await postJson(server.url, "{}", {})).toMatchObject({ status, ...outcome });
  });

  it("keeps 200 characters of an answer that never ends", async () => {
    await using server = await listening((_request, response) => {
      response.writeHead(500);
      response.write("no\nroom ".repeat(10_000));
    });
    const { message } = await postJson(server.url, "{}", {});
    expect([message.length, message.startsWith("no room no room")]).toEqual([200, true]);
  });

  it("waits no longer than it may for an answer that does not come", async () => {
    await using server = await listening(() => undefined);
    expect(await postJson(server.url, "{}", {}, 50)).toEqual({
      ok: false,
      status: null,
      message: "No answer within 0.05 s",
      isTemporary: true,
    });
  });

  it("waits no longer than it may for an answer that begins and does not end", async () => {
    await using server = await listening((_request, response) => {
      response.writeHead(500);
      response.write("…");
    });
    expect(await postJson(server.url, "{}", {}, 50)).toMatchObject({ ok: false, status: 500, isTemporary: true });
  });

  it("sends nothing to a metadata service, also by name", async () => {
    expect(await postJson("http://169.254.169.254/latest", "{}", {})).toMatchObject({
      ok: false,
      status: null,
      isTemporary: false,
      message: expect.stringMatching(/^Not sent/),
    });
  });
});
