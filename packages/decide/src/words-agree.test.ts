import type { CauseAssessment, Finding } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aFinding, anInput } from "./advice-input.fixture.ts";
import { rankCauses } from "./cause/index.ts";
import { asFindings } from "./cause/cause-input.fixture.ts";
import type { Said } from "./cause/cause-input.fixture.ts";
import type { Trouble } from "./cause/trouble.ts";
import { proposeAdvice } from "./propose.ts";

const FACTS: readonly Said[] = [
  ["rank-deviates", 1, "gpu GPU-a@n1"],
  ["rank-deviates", 7, "gpu GPU-a@n1"],
  ["rank-deviates", 7, "gpu GPU-b@n2"],
  ["gpu-error", 95, "gpu GPU-a@n1"],
  ["gpu-error", 79, "gpu GPU-b@n2"],
  ["gpu-error", 31, "gpu GPU-b@n2"],
  ["node-flagged-before", 2, "node n1"],
  ["link-errors", 4, "link GPU-a/link/3@n1"],
  ["data-wait", 0.4],
  ["last-stage-slow", 1.3, "stage 3"],
  ["sequence-load-correlates", 0.95],
  ["all-ranks-move", 0.9],
  ["batch-spiked-elsewhere", 1],
  ["replica-hash-mismatch", 1, "gpu GPU-a@n1"],
];

const situation = fc.record({
  trouble: fc.constantFrom<Trouble>("learning", "stopped", "slow", "device"),
  facts: fc.subarray([...FACTS]),
  state: fc.constantFrom<Finding["state"]>("ongoing", "recovered", "shifted", "diverged", "non-finite"),
  hasCheckpoints: fc.boolean(),
  isWeighed: fc.boolean(),
});

describe("the words of an advice and of the cause that stands beside it", () => {
  it("agree: what is to be found out is as sure as its likeliest cause, and what is pulled as sure as what accuses it", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(situation, ({ trouble, facts, state, hasCheckpoints, isWeighed }) => {
        const { findings } = asFindings(trouble, facts);
        const stated =
          trouble === "learning" ? findings.map((finding) => (finding.subject.kind === "run" ? { ...finding, state } : finding)) : findings;
        const assessment: CauseAssessment | null = isWeighed ? rankCauses({ findings: stated, facts: [], replays: [] }) : null;
        const advice = proposeAdvice(anInput({ findings: stated, assessment, ...(hasCheckpoints ? {} : { checkpoints: [] }) }));
        const [first] = assessment?.causes ?? [];
        seen.add(`${advice.action} ${advice.confidence.word}`);
        if (advice.action === "investigate")
          expect(advice.confidence).toEqual({ word: assessment?.word ?? "not settled", share: first?.share ?? null });
        if (advice.action !== "isolate" || first === undefined) return;
        const accused = assessment?.causes.filter(({ cause, subjectId }) => cause === "hardware" && subjectId !== null) ?? [];
        const named = accused.slice(0, advice.subjects.length);
        expect(advice.confidence.share).toBeCloseTo(
          named.reduce((sum, { share }) => sum + share, 0),
          9,
        );
        if (named.length === 1 && first.cause === "hardware") expect(advice.confidence.word).toBe(assessment?.word);
        if (named.length > 1) expect(advice.reasons.join(" ")).toContain("Which of them it is, is not settled.");
      }),
      { numRuns: 400 },
    );
    expect([...seen]).toEqual(
      expect.arrayContaining(["investigate not settled", "investigate strong", "isolate strong", "isolate not settled"]),
    );
  });

  it("is not sure of anything where nothing was weighed", () => {
    const logger = aFinding({ onsetStep: 10, subject: { kind: "logger", id: "r" } });
    expect(proposeAdvice(anInput({ findings: [logger] }))).toMatchObject({
      action: "investigate",
      confidence: { word: "not settled", share: null },
    });
  });
});
