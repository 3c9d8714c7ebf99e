import { describe, expect, it } from "vitest";
import type { FleetReader } from "./contract.ts";
import { createReadersFirst } from "./readers-first.ts";

/** Whether something is done by the next turn of the event loop, without any timer. */
async function isDoneAtOnce(work: Promise<void>): Promise<boolean> {
  let isDone = false;
  void work.then(() => (isDone = true));
  await new Promise((resolve) => setImmediate(resolve));
  return isDone;
}

function heldReader() {
  let finish: () => void = () => undefined;
  const never = (): never => {
    throw new Error("not asked here");
  };
  const reader: FleetReader = {
    metrics: () => new Promise((resolve) => (finish = () => resolve([]))),
    series: never,
    at: never,
    newestAtMs: never,
    atEach: never,
    window: never,
    readings: never,
  };
  return { reader, finish: () => finish() };
}

describe("readers first", () => {
  it("lets a commit go on at once where nobody reads, and rest while somebody does and shortly after", async () => {
    let nowMs = 0;
    const first = createReadersFirst(() => nowMs);
    const { reader, finish } = heldReader();
    const watched = first.watch(reader);
    expect(await isDoneAtOnce(first.rest(20))).toBe(true);
    const reading = watched.metrics();
    const resting = first.rest(20);
    expect(await isDoneAtOnce(resting)).toBe(false);
    await resting;
    finish();
    await reading;
    nowMs = 249;
    expect(await isDoneAtOnce(first.rest(20))).toBe(false);
    nowMs = 250;
    expect(await isDoneAtOnce(first.rest(20))).toBe(true);
  });

  it("goes on after a read that failed as after any other", async () => {
    let nowMs = 0;
    const first = createReadersFirst(() => nowMs);
    const { reader } = heldReader();
    await expect(first.watch({ ...reader, metrics: () => Promise.reject(new Error("away")) }).metrics()).rejects.toThrow("away");
    nowMs = 1_000;
    expect(await isDoneAtOnce(first.rest(20))).toBe(true);
  });
});
