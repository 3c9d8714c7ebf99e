import type { FlightDump, FlightEntry } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { rankSuspects } from "./rank-suspects.ts";

const WORLD = [0, 1, 2, 3, 4, 5, 6, 7];

function entry(group: string, seq: number, more: Partial<FlightEntry> = {}): FlightEntry {
  return {
    group,
    seq,
    name: "nccl:all_reduce",
    state: "scheduled",
    isP2p: false,
    inputSizes: "[[4]]",
    outputSizes: "[[4]]",
    createdMs: null,
    timeoutMs: 600_000,
    ...more,
  };
}

function dump(
  rank: number,
  entries: readonly FlightEntry[],
  groups: Readonly<Record<string, readonly number[]>> = { "0": WORLD },
): FlightDump {
  return {
    rank,
    version: "2.9",
    groups: Object.entries(groups).map(([name, ranks]) => ({
      name,
      description: name === "0" ? "default_pg" : "",
      ranks,
      lastEnqueued: null,
      lastCompleted: null,
    })),
    entries,
  };
}

describe("flight recorder dumps", () => {
  it("E8: with 7 of 8 dumps the missing rank is the top suspect, and the analysis of the others is there", () => {
    const dumps = WORLD.filter((rank) => rank !== 5).map((rank) =>
      dump(rank, [entry("0", 41, { state: "completed" }), ...(rank === 2 ? [] : [entry("0", 42)])]),
    );
    const { suspects, waits, dumps: given, expected } = rankSuspects(dumps);
    expect([given, expected]).toEqual([7, 8]);
    expect(suspects.map(({ rank, cause, victims }) => [rank, cause, victims])).toEqual([
      [5, "missing-dump", 6],
      [2, "behind", 6],
    ]);
    expect(waits[0]).toMatchObject({ group: "0", seq: 42, missing: [5], behind: [{ rank: 2, seq: 41 }], waiting: [0, 1, 3, 4, 6, 7] });
    expect(suspects[1]?.reasons).toEqual(["default_pg (group 0): 6 ranks wait in nccl:all_reduce 42; it has come to 41."]);
  });

  it("E8: a rank that nobody's group names is expected where the size of the world is known", () => {
    const pair = { "1": [0, 1] };
    const { suspects } = rankSuspects([dump(0, [entry("1", 3)], pair), dump(1, [entry("1", 3)], pair)], 3);
    expect(suspects.map(({ rank, cause }) => [rank, cause])).toEqual([[2, "missing-dump"]]);
  });

  it("names the rank that is behind and not those that are behind because they wait for it", () => {
    // 3 hangs. 2 waits for it in their pair, and so never comes to the collective in which 0 and 1 wait for 2 and 3.
    const groups = { all: [0, 1, 2, 3], pair: [2, 3] };
    const dumps = [
      dump(0, [entry("all", 10)], groups),
      dump(1, [entry("all", 10)], groups),
      dump(2, [entry("all", 9, { state: "completed" }), entry("pair", 7)], groups),
      dump(3, [entry("all", 9, { state: "completed" }), entry("pair", 6, { state: "completed" })], groups),
    ];
    expect(rankSuspects(dumps).suspects.map(({ rank, victims }) => [rank, victims])).toEqual([[3, 3]]);
  });

  it("names the rank that called another collective than the others under one number", () => {
    const dumps = WORLD.map((rank) => dump(rank, [entry("0", 8, rank === 6 ? { name: "nccl:all_gather" } : {})]));
    const { suspects } = rankSuspects(dumps);
    expect(suspects.map(({ rank, cause }) => [rank, cause])).toEqual([[6, "mismatched-call"]]);
    expect(suspects[0]?.reasons[0]).toContain("nccl:all_gather");
  });

  it("sees a difference in size where a collective wants equal ones, and none in an all-to-all", () => {
    const sized = (name: string) => WORLD.map((rank) => dump(rank, [entry("0", 8, { name, inputSizes: rank === 1 ? "[[5]]" : "[[4]]" })]));
    expect(rankSuspects(sized("nccl:all_reduce")).suspects.map(({ rank }) => rank)).toEqual([1]);
    expect(rankSuspects(sized("nccl:all_to_all")).suspects).toEqual([]);
  });

  it("suspects nobody where everything has completed, and nothing where there is no dump", () => {
    expect(rankSuspects(WORLD.map((rank) => dump(rank, [entry("0", 3, { state: "completed" })]))).suspects).toEqual([]);
    expect(rankSuspects([])).toEqual({ suspects: [], waits: [], dumps: 0, expected: 0 });
  });

  it("names the rank whose GPU stands although it has enqueued as the others have", () => {
    const status = (rank: number, lastCompleted: number | null): FlightDump => ({
      ...dump(rank, [entry("0", 42)]),
      groups: [{ name: "0", description: "default_pg", ranks: WORLD, lastEnqueued: 42, lastCompleted }],
    });
    const { suspects } = rankSuspects(WORLD.map((rank) => status(rank, rank === 6 ? 30 : rank === 2 ? 40 : 41)));
    expect(suspects).toEqual([
      {
        rank: 6,
        cause: "unfinished",
        victims: 0,
        reasons: ["default_pg (group 0): its GPU has completed 30, most others' 40 or more."],
      },
    ]);
    expect(rankSuspects(WORLD.map((rank) => status(rank, rank < 5 ? 30 : 41))).suspects).toEqual([]);
    expect(rankSuspects(WORLD.map((rank) => status(rank, null))).suspects).toEqual([]);
  });

  it("does not hold a rank that has run ahead, and whose older entries are gone, for one that is behind", () => {
    const pair = { "1": [0, 1] };
    const dumps = [
      dump(0, [entry("1", 5)], pair),
      { ...dump(1, [], pair), groups: [{ name: "1", description: "", ranks: [0, 1], lastEnqueued: 5, lastCompleted: 5 }] },
    ];
    expect(rankSuspects(dumps).suspects).toEqual([]);
  });
});
