import { describe, expect, it } from "vitest";
import { createHttpBench, type HttpBench } from "./http-bench.fixture.ts";

const HOST = { host: "localhost:4400", "content-type": "application/json" };
const MEGABYTE = 1024 * 1024;

function samples(answerBytes: number) {
  return {
    file: { name: "samples.jsonl", sha256: "a".repeat(64), format: "lm-eval" },
    part: 0,
    last: true,
    records: Array.from({ length: 40 }, (_, index) => ({
      kind: "sample",
      subject: { model: "m" },
      task: "gsm8k",
      key: String(index),
      scores: { exact_match: index % 2 },
      answer: "x".repeat(answerBytes),
    })),
  };
}

async function post(bench: HttpBench, verb: string, payload: object, scope: "ingest" | "operate" = "ingest") {
  const { secret } = await bench.token(scope);
  const response = await bench.app.inject({
    method: "POST",
    url: `/trpc/${verb}`,
    headers: { ...HOST, authorization: `Bearer ${secret}` },
    payload: JSON.stringify(payload),
  });
  return { status: response.statusCode, body: response.json<unknown>() };
}

describe("ingest.evals over HTTP", () => {
  it("takes a part of several MiB, which no other verb may bring", async () => {
    await using bench = await createHttpBench();
    const part = samples(MEGABYTE / 8);
    expect(await post(bench, "ingest.evals", part)).toMatchObject({
      status: 200,
      body: { result: { data: { accepted: 40, refused: [] } } },
    });
    expect((await post(bench, "releases.create", part, "operate")).status).toBe(413);
  });

  it("refuses a token that may not ingest before it reads the body", async () => {
    await using bench = await createHttpBench();
    expect((await post(bench, "ingest.evals", samples(10), "operate")).status).toBe(403);
  });

  it("names what does not fit of the part itself, and where", async () => {
    await using bench = await createHttpBench();
    const part = { ...samples(10), file: { name: "a", sha256: "short", format: "x" } };
    expect(await post(bench, "ingest.evals", part)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/file\.sha256/), data: { reason: "bad-request" } } },
    });
  });
});
