import { OVER_OPTIMISATION, type Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { aCheckpoint, aFinding, anInput } from "../advice-input.fixture.ts";
import { proposeAdvice } from "../index.ts";
import { shareBeforePeak } from "./at-turning-point.ts";

const turn = (over: Partial<Parameters<typeof aFinding>[0]> = {}): Finding =>
  aFinding({
    onsetStep: 1_120,
    onsetLowerStep: 1_040,
    detectedStep: 1_700,
    detector: OVER_OPTIMISATION,
    metric: "eval/held_out/accuracy",
    severity: "critical",
    shape: "ramp",
    ...over,
  });
const EACH_200 = Array.from({ length: 11 }, (_, index) => aCheckpoint(200 * (index + 1)));
const input = (over: Parameters<typeof anInput>[0] = {}) =>
  anInput({ findings: [turn()], checkpoints: EACH_200, lastStep: 2_200, ...over });

describe("advice at a turning point", () => {
  it("keeps the newest checkpoint at or before the peak, and refuses later ones with the reason", () => {
    const advice = proposeAdvice(input());
    expect(advice).toMatchObject({ action: "rollback", checkpointStep: 1_000, lostSteps: 1_200 });
    expect(advice.reasons[0]).toBe("Keep step 1,000: held-out falls after 1,120 while reward climbs.");
    expect(advice.rejected.find(({ step }) => step === 2_200)?.why).toMatch(/after the turning point/);
  });

  it.each([
    {
      what: "an incomplete one is passed over",
      checkpoints: EACH_200.map((each) => (each.step === 1_000 ? { ...each, state: "incomplete" as const } : each)),
      kept: 800,
    },
    { what: "one at the peak is at it", checkpoints: [aCheckpoint(1_120), aCheckpoint(2_000)], kept: 1_120 },
    { what: "without one before it nothing is proposed", checkpoints: [aCheckpoint(1_200), aCheckpoint(2_000)], kept: null },
    { what: "without any nothing is proposed", checkpoints: [], kept: null },
  ])("$what", ({ checkpoints, kept }) => {
    const advice = proposeAdvice(input({ checkpoints }));
    expect([advice.action, advice.checkpointStep]).toEqual([kept === null ? "investigate" : "rollback", kept]);
  });

  it("waits where the score has come back", () => {
    expect(proposeAdvice(input({ findings: [turn({ state: "recovered", endStep: 1_900 })] })).action).toBe("wait");
  });

  it("goes back before both where the weights are no longer finite too", () => {
    const nan = aFinding({ onsetStep: 1_900, state: "non-finite", severity: "critical", detector: "non-finite" });
    const both = proposeAdvice(input({ findings: [nan, turn()] }));
    expect(both.action).toBe("rollback");
    expect(both.checkpointStep).toBeLessThanOrEqual(1_120);
    expect(both.reasons.at(-1)).toMatch(/turned as well, at step 1,120: checkpoints after it are left out/);
    const none = proposeAdvice(input({ findings: [nan, turn()], checkpoints: [aCheckpoint(1_400)] }));
    expect(none.reasons.at(-1)).toMatch(/no complete checkpoint before it is known/);
  });

  it("proposes a next step and no checkpoint for what else post-training finds", () => {
    const advice = proposeAdvice(input({ findings: [turn({ detector: "zero-variance-groups", metric: "zero_variance_share" })] }));
    expect([advice.action, advice.checkpointStep]).toEqual(["investigate", null]);
    expect(advice.reasons.length).toBeGreaterThan(1);
  });

  it("is the less sure the nearer the checkpoint lies to the peak: by a fifth of the way to the lower end an error, and never surer than was measured", () => {
    // Φ(5 r) of the share r of the way from the peak at 1,120 to the lower end at 1,020.
    expect([1_120, 1_110, 1_100, 1_090].map((step) => shareBeforePeak(step, 1_120, 1_020))).toEqual(
      [0.5, 0.691462, 0.841345, 0.933193].map((share) => expect.closeTo(share, 5)),
    );
    expect([1_070, 1_020, 500].map((step) => shareBeforePeak(step, 1_120, 1_020))).toEqual([0.98, 0.98, 0.98]);
    // Without an interval only what lies before the peak is sure.
    expect([shareBeforePeak(100, 100, 100), shareBeforePeak(99, 100, 100)]).toEqual([0.5, 0.98]);
  });
});
