import { describe, expect, it } from "vitest";
import { fleetEventSchema } from "./fleet-event.ts";

const isTaken = (code: number) => fleetEventSchema.safeParse({ timeMs: 1, kind: "xid", code, text: "" }).success;

describe("the code of an event", () => {
  it("has 32 bits: what cannot be stored is refused with its field, not found out by the database", () => {
    expect([-(2 ** 31), 79, 2 ** 31 - 1].map(isTaken)).toEqual([true, true, true]);
    expect([-(2 ** 31) - 1, 2 ** 31, 2 ** 53 - 1, 79.5].map(isTaken)).toEqual([false, false, false, false]);
  });
});
