import type { LiveMove } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createHttpBench, type HttpBench } from "./http-bench.fixture.ts";

interface SentEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** Events of a stream as they come. */
async function* eventsOf(response: Response): AsyncGenerator<SentEvent, void, undefined> {
  if (response.body === null) return;
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const field = (name: string): string | null =>
        part
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? null;
      yield { event: field("event") ?? "message", id: field("id"), data: field("data") ?? "" };
    }
  }
}

async function open(
  bench: HttpBench,
  path = "/trpc/live.moves",
): Promise<{ readonly response: Response; readonly next: (event: string) => Promise<SentEvent>; readonly ended: () => Promise<boolean> }> {
  const { secret } = await bench.token("read");
  const url = await bench.app.listen({ port: 0, host: "127.0.0.1" });
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}`, accept: "text/event-stream" } });
  const events = eventsOf(response);
  return {
    response,
    async next(wanted) {
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) throw new Error("the stream has ended");
        if (value.event === wanted) return value;
      }
    },
    async ended() {
      for await (const _ of events);
      return true;
    },
  };
}

const move = (given: Partial<LiveMove>): LiveMove => ({
  runId: 1,
  lastStep: 10,
  samples: 5,
  atMs: 1_000,
  incidentsChanged: false,
  ...given,
});

describe("live.moves", () => {
  it("streams each move with an id to come back by", async () => {
    await using bench = await createHttpBench();
    const { response, next } = await open(bench);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("content-encoding")).toBeNull();
    await next("connected");
    bench.moves.deliver(move({ runId: 7, atMs: 4_711 }));
    const { id, data } = await next("message");
    expect([id, JSON.parse(data)]).toEqual(["4711", move({ runId: 7, atMs: 4_711 })]);
  });

  it("tells who comes back of every run that has moved since", async () => {
    await using bench = await createHttpBench();
    const { secret } = await bench.token("ingest");
    for (const [name, atMs] of [
      ["early", 1_000_000],
      ["late", 2_000_000],
    ] as const) {
      bench.clock.set(atMs);
      const push = buildPush({ source: name, seq: 0, run: { project: "p", name } }, [{ metric: "loss", points: [[5, 2]] }]);
      const { statusCode } = await bench.app.inject({
        method: "POST",
        url: "/trpc/ingest.push",
        headers: { host: "localhost", authorization: `Bearer ${secret}` },
        payload: push,
      });
      expect(statusCode).toBe(200);
    }
    const { next } = await open(bench, `/trpc/live.moves?input=${encodeURIComponent(JSON.stringify({ lastEventId: "1500000" }))}`);
    expect(JSON.parse((await next("message")).data)).toMatchObject({ runId: 2, lastStep: 5, atMs: 2_000_000 });
  });

  it("sends a heartbeat, so that a page knows a silent stream from a dead one", async () => {
    await using bench = await createHttpBench();
    const { next } = await open(bench);
    expect((await next("ping")).event).toBe("ping");
  }, 20_000);

  it("ends when the server shuts down, and lets it", async () => {
    const bench = await createHttpBench();
    const { next, ended } = await open(bench);
    await next("connected");
    const rest = ended();
    await bench[Symbol.asyncDispose]();
    expect(await rest).toBe(true);
  });

  it("is refused without a token", async () => {
    await using bench = await createHttpBench();
    const url = await bench.app.listen({ port: 0, host: "127.0.0.1" });
    expect((await fetch(`${url}/trpc/live.moves`, { headers: { accept: "text/event-stream" } })).status).toBe(401);
  });
});
