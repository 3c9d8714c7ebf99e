import { createFakeClock } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createSharedProbe } from "./shared-probe.ts";

const never = new Promise<never>(() => undefined);
const options = { waitMs: 1, giveUpMs: 30_000 };

describe("createSharedProbe", () => {
  it("asks once for all who come while there is no answer, and gives up on none of them", async () => {
    let asked = 0;
    let answer: (value: string) => void = () => undefined;
    const probe = createSharedProbe(() => (asked++, new Promise<string>((resolve) => (answer = resolve))), {
      ...options,
      waitMs: 60_000,
      now: createFakeClock().now,
    });
    const askers = [probe(), probe(), probe()];
    answer("up");
    expect(await Promise.all(askers)).toEqual(["up", "up", "up"]);
    const later = probe();
    answer("still up");
    expect([await later, asked]).toEqual(["still up", 2]);
  });

  it("lets no asker wait long, and puts the question anew only when it has been open for long", async () => {
    const clock = createFakeClock();
    let asked = 0;
    const probe = createSharedProbe(() => (asked++, never), { ...options, now: clock.now });
    for (let asker = 0; asker < 50; asker++) expect(await probe()).toBeNull();
    expect(asked).toBe(1);
    clock.advance(30_000);
    expect(await probe()).toBeNull();
    expect(asked).toBe(2);
  });

  it("answers null where the question fails, and asks anew", async () => {
    let asked = 0;
    const probe = createSharedProbe(() => (asked++ === 0 ? Promise.reject(new Error("away")) : Promise.resolve("back")), {
      ...options,
      waitMs: 60_000,
      now: createFakeClock().now,
    });
    expect([await probe(), await probe()]).toEqual([null, "back"]);
  });
});
