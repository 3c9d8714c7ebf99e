import { describe, expect, it } from "vitest";
import { peerZ } from "./peer-z.ts";

describe("a GPU among its peers", () => {
  it("stands out where all others read alike, by the digits that are written", () => {
    expect(peerZ(61, [60, 60, 60, 60, 60, 60, 60], 0)).toBe(1);
    expect(peerZ(60, [60, 60, 60, 60, 60, 60, 60], 0)).toBe(0);
  });

  it("is one of the eight that it takes", () => {
    expect(peerZ(61, [60, 60, 60, 60, 60, 60], 0)).toBe(null);
  });
});
