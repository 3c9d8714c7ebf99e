import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Spool } from "../spool/spool.ts";
import { DeadLetters } from "./dead-letters.ts";
import { FactsLane } from "./facts-lane.ts";
import type { Delivery, Server } from "./server.ts";

const payload = new TextEncoder().encode(JSON.stringify({ events: [] }));
const group = { segment: 1, start: 0, end: 10, records: [{ kind: "events", mark: 0, at: 0, end: 10, payload }] };

async function delivered(delivery: Delivery): Promise<{ readonly said: readonly string[]; readonly kept: number; readonly done: number }> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-facts-"));
  const said: string[] = [];
  const server: Server = { call: () => Promise.resolve(delivery) };
  const dead = new DeadLetters(dir, (line) => void said.push(line));
  const lane = new FactsLane({ source: "agent:m1", server, dead, spool: {} as Spool });
  const { done } = await lane.deliver([group as never], new AbortController().signal);
  return { said, kept: (await readdir(dir)).filter((name) => name.endsWith(".bin")).length, done };
}

it("puts aside what the server has refused of a push that it took, and says why", async () => {
  const refused = [{ index: 0, code: "too-new", message: "The time lies ahead." }];
  const { said, kept, done } = await delivered({ kind: "taken", answer: { accepted: 0, repeated: 0, folded: 0, refused } });
  expect([kept, done]).toEqual([1, 1]);
  expect(said.join()).toContain("The time lies ahead.");
});

it("keeps nothing of a push that was taken whole", async () => {
  const answer = { accepted: 1, repeated: 0, folded: 0, refused: [] };
  expect(await delivered({ kind: "taken", answer })).toEqual({ said: [], kept: 0, done: 1 });
});
