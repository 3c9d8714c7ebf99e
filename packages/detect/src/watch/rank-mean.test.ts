import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRankMean, type RankSample, type RankState } from "./rank-mean.ts";

const loss = (rank: string | null, step: number, value: number, timeMs: number | null = null): RankSample => ({
  metric: "loss",
  rank,
  step,
  value,
  timeMs,
});
const meaned = (samples: readonly RankSample[]) => createRankMean({}).observe(samples);
const heard = (samples: readonly RankSample[]) => meaned(samples).map(({ step, value }) => [step, value]);

describe("createRankMean", () => {
  it("passes a series without a rank as it is", () => {
    expect(heard([loss(null, 1, 2), loss(null, 2, 3)])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it("D5: means the ranks of each step, one batch a step", () => {
    expect(heard([loss("0", 1, 1), loss("1", 1, 3), loss("0", 2, 4), loss("1", 2, 6)])).toEqual([
      [1, 2],
      [2, 5],
    ]);
  });

  it("D5: means the ranks of each step where each rank pushes for itself", () => {
    const rank = (name: string, shift: number) => [1, 2, 3].map((step) => loss(name, step, step + shift));
    // The first push alone cannot know of a second rank, and a lone rank must not wait for one. From the second one's first word on they are meaned.
    const batches = [rank("0", 0), rank("1", 2), [loss("0", 4, 4), loss("0", 5, 4)], [loss("1", 4, 6), loss("1", 5, 8)]];
    expect(heard(batches.flat())).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 5],
      [5, 6],
    ]);
  });

  it("makes the mean not finite where one rank is", () => {
    expect(heard([loss("0", 1, 1), loss("1", 1, Number.NaN), loss("0", 2, 1), loss("1", 2, 1)])[0]).toEqual([1, Number.NaN]);
  });

  it("tells of a late rank that is not finite though its step has gone out", () => {
    expect(heard([loss("0", 1, 1), loss("0", 2, 1), loss("0", 3, 1), loss("1", 1, Number.NaN)])).toContainEqual([1, Number.NaN]);
  });

  it("takes the latest time of a step's ranks", () => {
    const samples = meaned([loss("0", 1, 1, 100), loss("1", 1, 1, 300), loss("0", 2, 1, 400), loss("1", 2, 1, 500)]);
    expect(samples.map(({ timeMs }) => timeMs)).toEqual([300, 500]);
  });

  it("does not wait for ever for a rank that has gone", () => {
    const both = [loss("0", 1, 1), loss("1", 1, 3), loss("0", 2, 1), loss("1", 2, 3)];
    const alone = Array.from({ length: 100 }, (_, index) => loss("0", 3 + index, 1));
    const mean = createRankMean({});
    expect(mean.observe([...both, ...alone])).toHaveLength(2 + 100 - 64);
    expect(mean.open()).toHaveLength(64);
  });

  it("falls no 64 steps behind for good where a rank is gone, and means it again when it is back", () => {
    const steps = (name: string, from: number, to: number, value: number) =>
      Array.from({ length: to - from }, (_, index) => loss(name, from + index, value));
    const mean = createRankMean({});
    mean.observe([loss("0", 1, 1), loss("1", 1, 3), loss("0", 2, 1), loss("1", 2, 3), ...steps("0", 3, 131, 1)]);
    expect(mean.open()).toEqual([]);
    expect(mean.observe([loss("0", 131, 1)]).map(({ step, value }) => [step, value])).toEqual([[131, 1]]);
    const both = steps("0", 132, 135, 1).flatMap((sample) => [sample, { ...sample, rank: "1", value: 3 }]);
    expect(mean.observe(both).map(({ step, value }) => [step, value])).toEqual([
      [132, 1],
      [133, 2],
      [134, 2],
    ]);
  });

  it("leaves ranks out once the source gives the mean itself", () => {
    expect(heard([loss(null, 1, 2), loss("0", 1, 9), loss(null, 2, 3), loss("0", 2, 9)])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it("comes to the same whatever the batches, and over a restart", () => {
    const any = fc.array(
      fc.record({
        metric: fc.constantFrom("loss", "grad_norm"),
        rank: fc.constantFrom("0", "1", "2", "node-a"),
        step: fc.nat(20),
        timeMs: fc.constant(null),
        value: fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(any, fc.nat(200), (samples, at) => {
        const whole = createRankMean({});
        const first = createRankMean({});
        const all = whole.observe(samples);
        const before = first.observe(samples.slice(0, at));
        const restored: RankState = JSON.parse(JSON.stringify(first.state()));
        const second = createRankMean(restored);
        expect([...before, ...second.observe(samples.slice(at))]).toEqual(all);
        expect(second.state()).toEqual(whole.state());
      }),
    );
  });
});
