import { describe, expect, it } from "vitest";
import { aCauseInput } from "./cause-input.fixture.ts";
import type { Said } from "./cause-input.fixture.ts";
import { FACTORS } from "./factors.ts";
import { hardwareShare, rankCauses } from "./rank-causes.ts";
import { PRIORS } from "./trouble.ts";

const A = "gpu GPU-a@n1";

describe("the table of factors", () => {
  // detection.md E.6: odds of hardware against everything else
  it.each<[string, Said, number]>([
    ["the same rank on 3 batches", ["rank-deviates", 3, A], 30],
    ["a memory error within 24 h", ["node-memory-error", 5, "node n1@n1"], 10],
    ["a node flagged before", ["node-flagged-before", 2, "node n1@n1"], 5],
    ["a node over one year old", ["node-age", 1.5, "node n1@n1"], 1.5],
    ["a batch that spiked elsewhere", ["batch-spiked-elsewhere", 1], 0.02],
    ["all cohorts move together", ["all-ranks-move", 1], 0.2],
    ["within 200 steps of a resume", ["after-resume", 150], 0.2],
    ["a replay elsewhere that disagrees", ["replay-elsewhere-disagreed", 1, A], 10_000],
    ["a replay elsewhere that agrees", ["replay-elsewhere-agreed", 1], 0.01],
  ])("moves the odds of hardware as E.6 says: %s", (_, fact, factor) => {
    const odds = (facts: readonly Said[]): number => {
      const share = hardwareShare(rankCauses(aCauseInput("learning", facts)));
      return share / (1 - share);
    };
    expect(odds([fact]) / odds([]) / factor).toBeGreaterThan(0.9);
    expect(odds([fact]) / odds([]) / factor).toBeLessThan(1.1);
  });

  it("says nothing of what is out of its reach", () => {
    const base = rankCauses(aCauseInput("learning")).causes;
    for (const fact of [
      ["node-memory-error", 30, "node n1@n1"],
      ["node-age", 0.4, "node n1@n1"],
      ["after-resume", 900],
      ["all-ranks-move", 0.2],
      ["attention-logit-high", 40],
      ["gpu-error", 45, A],
    ] as const satisfies readonly Said[]) {
      expect(rankCauses(aCauseInput("learning", [fact])).causes).toEqual(base);
    }
  });

  it("has priors that add up to 1 and speaks for the causes of a fact with one strength", () => {
    for (const priors of Object.values(PRIORS)) expect(Object.values(priors).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    for (const row of Object.values(FACTORS)) {
      for (const trouble of ["learning", "stopped", "slow", "device"] as const) {
        for (const value of [null, 0, 0.5, 1, 3, 31, 79, 100, 12_028]) {
          const raised = Object.values(row.factors(value, trouble) ?? {}).filter((factor) => factor > 1);
          expect(new Set(raised).size).toBeLessThanOrEqual(1);
        }
      }
    }
  });
});
