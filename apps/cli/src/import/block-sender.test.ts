import { pushAnswerSchema } from "@trainwatch/core";
import type { LogRecord, PushInput } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockSender } from "./block-sender.ts";
import type { SendSum } from "./block-sender.ts";
import { LogCutter } from "./log-cutter.ts";
import type { PushClient } from "./push-client.ts";

/** A server's memory of pushes: the same source answers the same, and each value is counted each time it is stored. */
class Memory implements PushClient {
  readonly stored: string[] = [];
  readonly checkpoints: number[] = [];
  readonly asked: number[] = [];
  private readonly answers = new Map<string, Awaited<ReturnType<PushClient["push"]>>>();

  async push(input: PushInput): ReturnType<PushClient["push"]> {
    const key = `${input.source} ${input.seq}`;
    const before = this.answers.get(key);
    if (before !== undefined) return before;
    const values = (input.columns ?? []).flatMap((column) =>
      column.value.map((value, index) => `${input.series?.[column.series]?.metric} ${column.step?.[index]} ${value}`),
    );
    this.stored.push(...values);
    this.checkpoints.push(...(input.checkpoints ?? []).map((checkpoint) => checkpoint.step));
    const answer = pushAnswerSchema.parse({
      accepted: values.length,
      repeated: 0,
      missing: 0,
      refused: [],
      refusedTotal: 0,
      flagged: [],
      attempt: "a1",
      runId: 1,
    });
    this.answers.set(key, answer);
    return answer;
  }

  async known(sources: readonly string[]): Promise<readonly string[]> {
    this.asked.push(sources.length);
    return sources.filter((source) => this.answers.has(`${source} 0`));
  }
}

async function send(records: readonly LogRecord[], client: PushClient, name = "r"): Promise<SendSum> {
  const cutter = new LogCutter({ project: "p", name });
  const sender = new BlockSender(client);
  for (const record of records) for (const block of cutter.take(record)) await sender.send(block);
  const rest = cutter.rest();
  if (rest !== null) await sender.sendLast(rest);
  return sender.answer();
}

const log = (steps: number, zoneMs = 0): readonly LogRecord[] =>
  Array.from({ length: steps }, (_, index): readonly LogRecord[] => [
    {
      kind: "points",
      line: index + 1,
      step: index,
      stepUnit: "optimizer-steps",
      timeMs: 1_000 * index + zoneMs,
      labels: {},
      values: [
        ["loss", Math.sin(index)],
        ["grad_norm", index % 7],
      ],
    },
    ...(index % 100 === 99
      ? [{ kind: "checkpoint", line: index + 1, step: index, path: null, state: "unchecked", timeMs: null } as const]
      : []),
  ]).flat();

describe("BlockSender", () => {
  it("stores a log once, however often it is sent, and says that it is repeated", async () => {
    const server = new Memory();
    expect(await send(log(12_000), server)).toMatchObject({ accepted: 24_000, repeated: 0 });
    const pushes = server.stored.length;
    expect(await send(log(12_000), server)).toMatchObject({ accepted: 0, repeated: 24_000 });
    expect(server.stored).toHaveLength(pushes);
    expect(server.checkpoints).toHaveLength(120);
  });

  it("takes a log that has grown on from where it ended, whatever it ended with", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9_500 }), { minLength: 1, maxLength: 5 }), async (lengths) => {
        const server = new Memory();
        const longest = Math.max(...lengths);
        for (const length of lengths.toSorted((a, b) => a - b)) await send(log(length), server);
        expect(new Set(server.stored).size).toBe(server.stored.length);
        expect(server.stored).toHaveLength(2 * longest);
        expect(new Set(server.checkpoints).size).toBe(Math.floor(longest / 100));
      }),
      { numRuns: 25 },
    );
  });

  it("asks only until something is new", async () => {
    const server = new Memory();
    await send(log(12_000), server);
    expect(server.asked).toHaveLength(1);
  });

  it("knows a log again that was read with another time zone, and keeps the runs it is imported into apart", async () => {
    const server = new Memory();
    await send(log(500), server);
    expect(await send(log(500, 3_600_000), server)).toMatchObject({ accepted: 0, repeated: 1_000 });
    expect(await send(log(500), server, "other")).toMatchObject({ accepted: 1_000, repeated: 0 });
  });

  it("sends all of a log whose beginning has changed", async () => {
    const server = new Memory();
    await send(log(500), server);
    const [, ...rest] = log(500);
    expect(await send(rest, server)).toMatchObject({ accepted: 998, repeated: 0 });
  });
});
