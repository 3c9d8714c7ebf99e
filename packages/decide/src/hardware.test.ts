import { adviceSchema } from "@trainwatch/core";
import type { Advice, Finding } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCheckpoint, aFinding, anInput } from "./advice-input.fixture.ts";
import { aCauseInput, aReplay } from "./cause/cause-input.fixture.ts";
import type { Said } from "./cause/cause-input.fixture.ts";
import { hardwareShare, rankCauses } from "./cause/rank-causes.ts";
import type { AdviceInput } from "./contract.ts";
import { describeAction } from "./describe-action.ts";
import { proposeAdvice } from "./propose.ts";

const A = "gpu GPU-9b1f0c2e-1111@n1";
const UUID = "GPU-9b1f0c2e-1111";
const SAID = "GPU-9b1f…";

/** A proposal for an incident whose causes were weighed on these facts. */
function advised(
  findings: readonly Finding[],
  facts: readonly Said[],
  over: Partial<AdviceInput> = {},
): Advice & { readonly hardware: number } {
  const causes = rankCauses({ ...aCauseInput("learning", facts), findings, replays: [] });
  const advice = proposeAdvice(anInput({ findings, assessment: causes, ...over }));
  expect(adviceSchema.parse(advice)).toEqual(advice);
  expect(describeAction(advice)).not.toMatch(/null|undefined|NaN/);
  return { ...advice, hardware: hardwareShare(causes) };
}

const spike = (over: Partial<Omit<Finding, "onsetStep">> = {}): readonly Finding[] => [aFinding({ onsetStep: 48_210, ...over })];
const hang = (over: Partial<Omit<Finding, "onsetStep">> = {}): readonly Finding[] => [
  aFinding({ onsetStep: 48_510, metric: "progress", detector: "hang", state: "stalled", severity: "critical", ...over }),
];

describe("hardware as the cause of a model that learns badly", () => {
  it("waits on a fresh spike as long as hardware is unlikely, and not from 20 % on", () => {
    const fresh = { lastStep: 48_215 };
    const unlikely = advised(spike(), [], fresh);
    expect([unlikely.action, unlikely.hardware < 0.2]).toEqual(["wait", true]);
    const suspected = advised(
      spike(),
      [
        ["rank-deviates", 1, A],
        ["node-age", 2, "node n1@n1"],
      ],
      fresh,
    );
    expect(suspected.hardware).toBeGreaterThanOrEqual(0.2);
    expect(suspected.hardware).toBeLessThan(0.5);
    expect(suspected).toMatchObject({ action: "rollback", checkpointStep: 48_000, subjects: [UUID] });
    expect(suspected.reasons.join(" ")).toContain("From 20 % on waiting is out");
    expect(suspected.reasons.join(" ")).toContain("Replay step 48,210 on nodes other than the suspect's");
  });

  it("pulls the suspect from 50 % on if a spare is at hand, and goes back before the onset with all data", () => {
    const advice = advised(spike(), [["rank-deviates", 4, A]]);
    expect(advice).toMatchObject({
      action: "isolate",
      checkpointStep: 48_000,
      skipFromStep: null,
      skipToStep: null,
      subjects: [UUID],
      lostSteps: 510,
    });
    expect(advice.reasons.join(" ")).toContain("pull it if a spare is at hand");
    expect(advice.reasons.join(" ")).toContain("Its data are not skipped");
    expect(describeAction(advice)).toBe(`Pull ${SAID}, roll back to 48,000`);
    expect(advice.alternatives.map(({ action }) => action)).toEqual(["wait", "skip-data"]);
  });

  it("pulls at once on a proof, also when the loss has recovered", () => {
    for (const state of ["ongoing", "recovered", "diverged"] as const) {
      const advice = advised(spike({ state, endStep: state === "recovered" ? 48_260 : null }), [["replica-hash-mismatch", 1, A]]);
      expect(advice).toMatchObject({ action: "isolate", subjects: [UUID], confidence: { word: "strong" } });
      expect(advice.reasons.join(" ")).not.toContain("spare");
    }
  });

  it("proposes to replay first where a norm alone has moved, an outlier is over, or corruption has no name", () => {
    const some: readonly Said[] = [
      ["rank-deviates", 1, A],
      ["node-age", 2, "node n1@n1"],
    ];
    const norm = advised(spike({ metric: "grad_norm" }), some);
    const recovered = advised(spike({ state: "recovered", endStep: 48_260 }), some);
    const unnamed = advised(spike(), [["recompute-mismatch", 1]]);
    for (const advice of [norm, recovered, unnamed]) expect(advice).toMatchObject({ action: "replay", checkpointStep: null });
    expect(describeAction(norm)).toBe(`Replay the recorded step away from ${SAID}`);
    expect(describeAction(unnamed)).toBe("Replay the recorded step");
  });

  it("names no checkpoint where none is safe, and pulls all the same", () => {
    const advice = advised(spike(), [["replica-hash-mismatch", 1, A]], { checkpoints: [aCheckpoint(48_500)] });
    expect(advice).toMatchObject({ action: "isolate", checkpointStep: null, lostSteps: 0 });
    expect(advice.rejected.map(({ step }) => step)).toEqual([48_500]);
  });

  it("goes on as before once a replay elsewhere agreed", () => {
    const facts: readonly Said[] = [["rank-deviates", 4, A]];
    const assessment = rankCauses(aCauseInput("learning", facts, [aReplay({ kind: "step-elsewhere" })]));
    const advice = proposeAdvice(anInput({ assessment, lastStep: 48_215 }));
    expect(advice).toEqual(proposeAdvice(anInput({ lastStep: 48_215 })));
  });

  it("never waits and never skips data from 20 and 50 % on, whatever the fault", () => {
    const findingArbitrary = fc
      .record({
        metric: fc.constantFrom("loss", "grad_norm"),
        severity: fc.constantFrom("info" as const, "warning" as const, "critical" as const),
        shape: fc.constantFrom("jump" as const, "ramp" as const, "point" as const),
        state: fc.constantFrom("ongoing" as const, "recovered" as const, "shifted" as const, "diverged" as const, "non-finite" as const),
        onsetStep: fc.integer({ min: 300, max: 2_000 }),
      })
      .map(({ state, ...rest }) =>
        aFinding({ ...rest, state, endStep: state === "recovered" || state === "shifted" ? rest.onsetStep + 20 : null }),
      );
    const factsArbitrary = fc.subarray<Said>([
      ["rank-deviates", 1, A],
      ["rank-deviates", 4, A],
      ["node-age", 2, "node n1@n1"],
      ["node-memory-error", 1, "node n1@n1"],
      ["recompute-mismatch", 1, A],
      ["all-ranks-move", 1],
    ]);
    fc.assert(
      fc.property(
        fc.array(findingArbitrary, { minLength: 1, maxLength: 3 }),
        factsArbitrary,
        fc.integer({ min: 0, max: 500 }),
        (findings, facts, later) => {
          const advice = advised(findings, facts, {
            lastStep: 2_100 + later,
            checkpoints: [100, 500, 1_000, 1_900].map((step) => aCheckpoint(step)),
          });
          if (advice.hardware >= 0.2) expect(advice.action).not.toBe("wait");
          if (advice.hardware >= 0.5) expect([advice.skipFromStep, advice.action === "skip-data"]).toEqual([null, false]);
          expect(advice.reasons.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("a run that stands", () => {
  it("is restarted from the newest complete checkpoint, with its dumps taken first", () => {
    const checkpoints = [aCheckpoint(48_000), aCheckpoint(48_500, { state: "incomplete" }), aCheckpoint(49_000)];
    const advice = advised(hang(), [], { checkpoints });
    expect(advice).toMatchObject({ action: "rollback", checkpointStep: 48_000, lostSteps: 510, skipFromStep: null });
    expect(advice.reasons[0]).toContain("flight-recorder dumps");
    expect(describeAction(advice)).toBe("Roll back to 48,000");
  });

  it("has the dead GPU pulled first", () => {
    const advice = advised(hang(), [["gpu-error", 79, A]]);
    expect(advice).toMatchObject({
      action: "isolate",
      checkpointStep: 48_500,
      lostSteps: 10,
      subjects: [UUID],
      confidence: { word: "strong" },
    });
    expect(advice.reasons.join(" ")).toContain("Swap it first");
  });

  it("is looked into while it is only suspected to stand, once it goes on, and where no checkpoint is known", () => {
    expect(advised(hang({ severity: "warning" }), []).action).toBe("investigate");
    expect(advised(hang({ state: "recovered", endStep: 48_520 }), []).action).toBe("investigate");
    const blind = advised(hang(), [], { checkpoints: [] });
    expect(blind).toMatchObject({ action: "investigate", checkpointStep: null });
    expect(blind.reasons.join(" ")).toContain("--checkpoint-every N");
    expect(advised(hang(), [], { checkpoints: [], checkpointEvery: 500 })).toMatchObject({ action: "rollback", checkpointStep: 48_500 });
  });

  it("is looked into at the link that explains it", () => {
    const advice = advised(hang({ severity: "warning" }), [["link-down", null, "port n1/port/mlx5_0:1@n1"]]);
    expect(advice).toMatchObject({ action: "investigate", subjects: ["n1/port/mlx5_0:1"] });
  });
});

describe("a run that is slow, and hardware that no run suffers from", () => {
  it("pulls a slow node after the next checkpoint and throws nothing away", () => {
    const slow = [aFinding({ onsetStep: 48_210, metric: "step_time" })];
    const advice = advised(slow, [["node-compute-slow", 1.3, "node n1@n1"]]);
    expect(advice).toMatchObject({ action: "isolate", checkpointStep: null, lostSteps: 0, subjects: ["n1"] });
    expect(describeAction(advice)).toBe("Pull n1");
    expect(advised(slow, [["last-stage-slow", 1.3, "stage 7"]])).toMatchObject({ action: "investigate", subjects: ["stage 7"] });
    expect(advised(slow, []).reasons.join(" ")).toContain("by operation");
  });

  it("drains a broken GPU of no run, from findings that know no step", () => {
    const idle = [
      aFinding({ onsetStep: 0, metric: "xid", attempt: "", subject: { kind: "gpu", id: UUID }, facts: [{ fact: "gpu-error", value: 48 }] }),
    ].map((finding): Finding => ({ ...finding, onsetStep: null, onsetLowerStep: null, detectedStep: null, peakStep: null }));
    expect(advised(idle, [], { attempt: "", lastStep: null, checkpoints: [] })).toMatchObject({
      action: "isolate",
      subjects: [UUID],
      checkpointStep: null,
    });
  });
});
