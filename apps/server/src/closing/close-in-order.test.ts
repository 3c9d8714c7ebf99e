import { describe, expect, it } from "vitest";
import { closeInOrder } from "./close-in-order.ts";

const never = (): Promise<void> => new Promise(() => undefined);

describe("ending a server", () => {
  it("ends each in order, and says what hung and what failed while the rest is ended all the same", async () => {
    const ended: string[] = [];
    const left = await closeInOrder([
      { what: "requests at hand", limitMs: 60_000, close: async () => void ended.push("requests") },
      { what: "the workers", limitMs: 20, close: never },
      { what: "the pool", limitMs: 60_000, close: () => Promise.reject(new Error("the socket is gone.")) },
      {
        what: "the file",
        limitMs: 60_000,
        close: () => {
          throw new Error("no such folder");
        },
      },
      { what: "the database", limitMs: 60_000, close: async () => void ended.push("database") },
    ]);
    expect(ended).toEqual(["requests", "database"]);
    expect(left).toEqual([
      "the workers did not end within 0.02 s",
      "the pool did not end in order: the socket is gone",
      "the file did not end in order: no such folder",
    ]);
  });
});
