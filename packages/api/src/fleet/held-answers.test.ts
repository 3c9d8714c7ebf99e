import { describe, expect, it } from "vitest";
import { createLastKnown, createShelf } from "./held-answers.ts";

describe("a shelf of answers", () => {
  it("holds what weighs no more than it carries, and throws out the least recently asked for", async () => {
    const asked: string[] = [];
    const shelf = createShelf<string>(10);
    const get = (key: string, weight: number): Promise<string> => shelf.get(key, async () => (asked.push(key), key), weight);
    await get("a", 4);
    await get("b", 4);
    await get("a", 4);
    await get("c", 6);
    expect(asked).toEqual(["a", "b", "c"]);
    await get("a", 4);
    await get("c", 6);
    expect(asked).toEqual(["a", "b", "c"]);
    await get("b", 4);
    expect(asked).toEqual(["a", "b", "c", "b"]);
    await get("c", 6);
    expect(asked).toEqual(["a", "b", "c", "b"]);
    await get("a", 4);
    expect(asked).toEqual(["a", "b", "c", "b", "a"]);
  });

  it("answers what is too heavy to be held, and holds nothing of it", async () => {
    const shelf = createShelf<number>(10);
    expect(await shelf.get("big", async () => 1, 11)).toBe(1);
    expect(await shelf.get("big", async () => 2, 11)).toBe(2);
    expect(await shelf.get("small", async () => 3, 10)).toBe(3);
    expect(await shelf.get("small", async () => 4, 10)).toBe(3);
  });

  it("holds no failure, and its weight neither", async () => {
    const shelf = createShelf<number>(10);
    await expect(shelf.get("a", () => Promise.reject(new Error("away")), 8)).rejects.toThrow("away");
    expect(await shelf.get("b", async () => 1, 8)).toBe(1);
    expect(await shelf.get("a", async () => 2, 2)).toBe(2);
    expect(await shelf.get("b", async () => 3, 8)).toBe(1);
  });
});

describe("what was known last", () => {
  it("is given while it is asked anew, and not once it is twice as old as it may be", async () => {
    let nowMs = 0;
    let answers = 0;
    const ask = createLastKnown(
      () => nowMs,
      1_000,
      () => Promise.resolve(++answers),
    );
    expect(await ask()).toBe(1);
    nowMs = 999;
    expect(await ask()).toBe(1);
    nowMs = 1_500;
    expect(await ask()).toBe(1);
    // What was asked anew meanwhile is there for the next one.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ask()).toBe(2);
    nowMs = 3_600_000;
    expect(await ask()).toBe(3);
  });

  it("is asked for once, however many want it", async () => {
    let asked = 0;
    const ask = createLastKnown(
      () => 0,
      1_000,
      async () => ++asked,
    );
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  });
});
