import { describe, expect, it } from "vitest";
import { MAD_TO_SIGMA } from "./median.ts";
import { peerScale } from "./peers.ts";

describe("the scale of peers", () => {
  it("is their median and their median absolute deviation, and a sick one does not move it", () => {
    expect(peerScale([1, 2, 3, 4, 5, 6, 7, 8, 1_000], 0.1)).toEqual({ centre: 5, sigma: 2 * MAD_TO_SIGMA });
  });

  it("is one digit wide where they read alike, so that the one that differs is seen", () => {
    const scale = peerScale([60, 60, 60, 60, 60, 60, 60, 83], 0.1);
    expect(scale).toEqual({ centre: 60, sigma: 0.1 });
  });

  it("is none where they are too few", () => {
    expect(peerScale([1, 2, 3, 4, 5, 6, 7], 0.1)).toBe(null);
  });
});
