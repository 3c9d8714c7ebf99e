import type { RankPlacement } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { rankMonitorOf } from "../../index.ts";
import { rankFindings } from "../../testing/rank-traces.fixture.ts";
import { CONTEXT } from "../../testing/series.fixture.ts";
import type { RankStep } from "../contract.ts";
import { replicaHash } from "./replica-hash.ts";

/** One row for each list of hashes, ten steps apart; null is silence. */
const rows = (...hashes: readonly (readonly (number | null)[])[]): RankStep[] =>
  hashes.map((list, index) => ({
    metric: "param_hash",
    step: 10 * (index + 1),
    timeMs: null,
    values: Float64Array.from(list, (hash) => hash ?? Number.NaN),
    has: Uint8Array.from(list, (hash) => (hash === null ? 0 : 1)),
  }));
const placed = (...parts: readonly (readonly [dp: number, tp: number])[]): RankPlacement[] =>
  parts.map(([dp, tp], rank) => ({ rank, dp, tp, pp: 0, ep: null, gpuId: `GPU-${rank}`, nodeId: null, host: null }));
const FOUR = placed([0, 0], [1, 0], [2, 0], [3, 0]);
const TWO = placed([0, 0], [1, 0]);
const said = (steps: readonly RankStep[], placements: readonly RankPlacement[]) =>
  rankFindings(replicaHash, steps, { placements, notes: true });

describe("replica-hash", () => {
  it("names the replica that differs from most, since after the step at which all were equal", () => {
    expect(said(rows([5, 5, 5, 5], [6, 6, 9, 6]), FOUR)).toMatchObject([
      {
        severity: "critical",
        subject: { kind: "rank", id: "2" },
        place: { gpuId: "GPU-2" },
        onsetStep: 20,
        onsetLowerStep: 11,
        facts: [{ fact: "replica-hash-mismatch", value: 1 }],
      },
    ]);
  });

  it("of two replicas says that one of the two is wrong", () => {
    const findings = said(rows([5, 5], [6, 7]), TWO);
    expect(findings.map(({ subject }) => subject.id)).toEqual(["0", "1"]);
    expect(findings[0]?.summary).toBe("Rank 0 and rank 1 hold different parameters since step 20: one of the 2 is wrong.");
  });

  it("compares only ranks that hold the same part", () => {
    expect(said(rows([5, 8, 5, 8, 5, 8], [6, 9, 6, 9, 6, 9]), placed([0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]))).toEqual([]);
    expect(said(rows([5, 8, 5, 8, 5, 8], [6, 9, 6, 7, 6, 9]), placed([0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]))).toMatchObject([
      { subject: { id: "3" } },
    ]);
  });

  it("takes replicas that never agreed for shards: nothing to compare, and says so", () => {
    const monitor = rankMonitorOf([replicaHash], { ...CONTEXT, placements: FOUR });
    const findings = rows([1, 2, 3, 4], [5, 6, 7, 8]).flatMap((row) => monitor.observe(row));
    expect(findings).toEqual([]);
    expect(monitor.coverage()[0]).toMatchObject({ sees: false, why: "no two replicas have agreed: they may hold shards of their own" });
  });

  it("accuses all where replicas that agreed have no majority any more", () => {
    expect(said(rows([5, 5, 5, 5], [6, 7, 8, 9]), FOUR)).toHaveLength(4);
  });

  it("without a layout compares all ranks only where most agree, and says so", () => {
    const findings = said(rows([5, 5, 5, 5, 5, 5], [6, 6, 6, 9, 6, 6]), []);
    expect(findings).toMatchObject([{ subject: { id: "3" } }]);
    expect(findings[0]?.evidence.map(({ text }) => text)).toContain(
      "No layout is told: all ranks were compared because most of them agree",
    );
    expect(said(rows([5, 5, 5, 8, 8, 8], [6, 6, 6, 9, 9, 9]), [])).toEqual([]);
    expect(said(rows([5, 6]), [])).toEqual([]);
  });

  it("makes one finding on the run of more than a few: software that lost its synchrony", () => {
    const many = Array.from({ length: 40 }, (_, rank) => [rank, 0] as const);
    const equal = many.map(() => 5);
    const desync = many.map((_, rank) => (rank % 3 === 0 ? 100 + rank : 6));
    expect(said(rows(equal, desync, desync), placed(...many))).toMatchObject([
      { subject: { kind: "run" }, severity: "critical", facts: [{ value: 14 }] },
    ]);
  });

  it("is over when all are equal again, and not by silence", () => {
    expect(said(rows([5, 5, 5, 5], [6, 6, 9, 6], [7, 7, null, 7]), FOUR)).toMatchObject([{ state: "ongoing" }]);
    expect(said(rows([5, 5, 5, 5], [6, 6, 9, 6], [7, 7, 7, 7]), FOUR)).toMatchObject([{ state: "recovered", endStep: 30 }]);
  });

  it("honours its parameters", () => {
    const wrong = rows([6, 6, 9, 6]);
    const under = (parameters: Record<string, number>) =>
      rankFindings(replicaHash, wrong, { placements: FOUR, parameters: { "replica-hash": parameters } });
    expect(under({})).toHaveLength(1);
    expect(under({ majority: 0.8 })).toEqual([]);
    expect(under({ few: 0.5 })).toMatchObject([{ subject: { kind: "run" } }]);
  });
});
