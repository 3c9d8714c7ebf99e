import { describe, expect, it } from "vitest";
import { SeriesTable } from "./series-table.ts";
import type { TakenSample } from "./series-table.ts";

const sample = (pod: number): TakenSample => ({ name: "m", labels: { pod: String(pod) }, value: pod, timeMs: null });
const samples = (from: number, count: number): readonly TakenSample[] => Array.from({ length: count }, (_, index) => sample(from + index));

describe("SeriesTable", () => {
  it("leaves nothing out where series come and go for ever, and marks each that went", () => {
    const table = new SeriesTable({ job: "j" });
    table.read(samples(0, 10_000), 0);
    for (let round = 1; round < 8; round++) {
      const { count } = table.read(samples(round * 2_000, 10_000), round);
      expect([table.omitted, count]).toEqual([0, 12_000]);
    }
  });

  it("says of each reading how many it could not take", () => {
    const table = new SeriesTable({ job: "j" });
    table.read(samples(0, 16_000), 0);
    table.read(samples(1_000, 16_000), 1);
    expect(table.omitted).toBe(616);
    table.read(samples(1_000, 10), 2);
    expect(table.omitted).toBe(0);
  });
});
