import type { RankPlacement } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { cohortsOf } from "./cohorts.ts";
import type { Cohorts } from "./cohorts.ts";

function layout(dp: number, tp: number, pp: number, ep = 1): RankPlacement[] {
  return Array.from({ length: dp * tp * pp * ep }, (_, rank) => ({
    rank,
    tp: rank % tp,
    dp: Math.floor(rank / tp) % dp,
    pp: Math.floor(rank / (tp * dp)) % pp,
    ep: Math.floor(rank / (tp * dp * pp)),
    gpuId: null,
    nodeId: null,
    host: null,
  }));
}

const sizes = ({ count, starts }: Cohorts): number[] =>
  Array.from({ length: count }, (_, cohort) => (starts[cohort + 1] ?? 0) - (starts[cohort] ?? 0));

describe("cohortsOf", () => {
  it("are data-parallel peers of the same pipeline stage, tensor rank and expert group", () => {
    const cohorts = cohortsOf(layout(8, 2, 2, 2), 64, true);
    expect(sizes(cohorts)).toEqual(new Array(8).fill(8));
    expect(cohorts).toMatchObject({ by: "pipeline stage, tensor rank and expert group", caveat: null, disabled: false, unplaced: 0 });
    const [first] = [...cohorts.members];
    expect([...cohorts.members.subarray(0, 8)].map((rank) => [rank % 2, Math.floor(rank / 16)])).toEqual(
      Array.from({ length: 8 }, () => [(first ?? 0) % 2, 0]),
    );
    for (let cohort = 0; cohort < cohorts.count; cohort++)
      for (const rank of cohorts.members.subarray(cohorts.starts[cohort], cohorts.starts[cohort + 1]))
        expect(cohorts.of[rank]).toBe(cohort);
  });

  it("without a layout are all ranks, and say so", () => {
    expect(cohortsOf([], 12, true)).toMatchObject({
      by: null,
      caveat: "no layout is known, so all ranks are one cohort",
      count: 1,
      disabled: false,
    });
  });

  it("of fewer than eight peers are merged over tensor ranks, then expert groups, then stages, with the reason", () => {
    expect(cohortsOf(layout(4, 2, 2), 16, true)).toMatchObject({
      by: "pipeline stage and expert group",
      caveat: expect.stringMatching(/^tensor ranks are merged/),
      disabled: false,
    });
    expect(cohortsOf(layout(4, 1, 2, 2), 16, false).by).toBe("pipeline stage");
    expect(cohortsOf(layout(4, 1, 4), 16, false).by).toBe("run");
  });

  it("do not take tensor ranks of one replica for peers of its loss: fewer than four replicas are too few however many ranks log", () => {
    expect(cohortsOf(layout(2, 8, 1), 16, true)).toMatchObject({ disabled: true, caveat: expect.stringMatching(/^only 2 replicas/) });
    expect(cohortsOf(layout(2, 8, 1), 16, false)).toMatchObject({ disabled: false });
  });

  it("are none at all for fewer than eight ranks", () => {
    expect(cohortsOf([], 7, true)).toMatchObject({ disabled: true, count: 0, caveat: expect.stringMatching(/^too few ranks: 7/) });
    expect(cohortsOf(layout(2, 2, 1), 4, false)).toMatchObject({ disabled: true, count: 0 });
  });

  it("leave out ranks that nobody has placed, and count them", () => {
    const cohorts = cohortsOf(layout(8, 1, 1), 11, true);
    expect(cohorts.unplaced).toBe(3);
    expect([...cohorts.of.subarray(8)]).toEqual([-1, -1, -1]);
  });

  it("tell layouts apart, and are the same for the same layout", () => {
    const one = layout(8, 2, 1);
    const swapped = one.map((placement) => (placement.rank < 2 ? { ...placement, tp: 1 - (placement.tp ?? 0) } : placement));
    expect(cohortsOf(one, 16, true).layout).toBe(cohortsOf(layout(8, 2, 1), 16, true).layout);
    expect(cohortsOf(one, 16, true).layout).not.toBe(cohortsOf(swapped, 16, true).layout);
    // That a rank has not spoken yet is no other layout.
    expect(cohortsOf(one, 3, true).layout).toBe(cohortsOf(one, 16, true).layout);
  });
});
