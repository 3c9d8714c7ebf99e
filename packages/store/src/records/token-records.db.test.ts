import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";

const CENTURY_MS = 100 * 365 * 86_400_000;

describe("a token", () => {
  it("lives until it is revoked, however old it is, and takes its sessions with it", async () => {
    await using test = await createTestStore();
    const { tokens, sessions } = test.store.records;
    const made = await tokens.create({ name: "ops", scopes: ["read"], hash: "h1", prefix: "tw_1", createdAtMs: 0 });
    if (made === null) throw new Error("the name is free");
    await sessions.create({ hash: "s1", tokenId: made.id, createdAtMs: 0, expiresAtMs: 2 * CENTURY_MS });
    expect(await tokens.use("h1", CENTURY_MS)).toMatchObject({ id: made.id, name: "ops" });
    expect(await sessions.tokenOf("s1", CENTURY_MS)).toMatchObject({ id: made.id });
    expect([(await tokens.findLive("ops"))?.id, await tokens.countLive()]).toEqual([made.id, 1]);
    await tokens.revoke(made.id, CENTURY_MS);
    expect([await tokens.use("h1", CENTURY_MS), await sessions.tokenOf("s1", CENTURY_MS), await tokens.findLive("ops")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await tokens.countLive()).toBe(0);
  });
});
