import { describe, expect, it } from "vitest";
import { byCostRate } from "./by-cost-rate.ts";

describe("open incidents by cost", () => {
  it("puts unknown cost between what burns and what costs nothing, and keeps the server's order among equals", () => {
    const incidents = [
      { id: 1, gpuHoursPerHour: 0 },
      { id: 2, gpuHoursPerHour: null },
      { id: 3, gpuHoursPerHour: 8 },
      { id: 4, gpuHoursPerHour: 512 },
      { id: 5, gpuHoursPerHour: 0 },
      { id: 6, gpuHoursPerHour: null },
    ];
    expect(byCostRate(incidents).map(({ id }) => id)).toEqual([4, 3, 2, 6, 1, 5]);
  });
});
