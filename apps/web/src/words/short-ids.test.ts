import { describe, expect, it } from "vitest";
import { shortIds } from "./short-ids.ts";

describe("ids in titles", () => {
  it("are cut to their head where they are machine ids, and left where they are words, steps or shorter ids", () => {
    expect(shortIds("Node b43cc963aabbccddeeff001122334455 lost at 48,210")).toBe("Node b43cc963… lost at 48,210");
    expect(shortIds(`sha256 ${"0f".repeat(32)} differs`)).toBe("sha256 0f0f0f0f… differs");
    for (const title of ["XID 79 on GPU-9b1f04c7", "Loss spike ×2.4 at step 48,210", "deadbeef", "a".repeat(33)])
      expect(shortIds(title)).toBe(title);
  });
});
