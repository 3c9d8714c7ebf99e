import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aFinding, aFleetFinding } from "./finding.fixture.ts";
import { kinship } from "./kinship.ts";
import { foldReach } from "./reach.ts";

describe("foldReach", () => {
  it("leaves out nothing that is kin: what ended before it is a stranger to the finding", () => {
    const over = fc.record({
      onset: fc.integer({ min: 0, max: 30_000 }),
      lasts: fc.integer({ min: 3, max: 500 }),
      isNote: fc.boolean(),
      metric: fc.constantFrom("loss", "grad_norm", "step_time"),
      subject: fc.constantFrom({ kind: "run" as const, id: "lab/base" }, { kind: "rank" as const, id: "7" }),
    });
    const made = (
      { onset, lasts, isNote, metric, subject }: typeof over extends fc.Arbitrary<infer Value> ? Value : never,
      isOn: boolean,
    ) =>
      aFinding({
        onsetStep: onset,
        peakStep: onset,
        endStep: isOn ? null : onset + lasts,
        onsetTimeMs: onset * 20_000,
        detectedTimeMs: (onset + 3) * 20_000,
        endTimeMs: isOn ? null : (onset + lasts) * 20_000,
        state: isOn ? "ongoing" : "recovered",
        severity: isNote ? "info" : "warning",
        metric,
        subject,
      });
    let strangers = 0;
    fc.assert(
      fc.property(over, over, fc.boolean(), fc.constantFrom(1, 10, 50), (first, second, isOn, logEvery) => {
        const [held, finding] = [made(first, false), made(second, isOn)];
        const reach = foldReach([finding], () => logEvery);
        const isBefore = (held.endStep ?? 0) < (reach?.fromStep ?? 0) && (held.endTimeMs ?? 0) < (reach?.fromMs ?? 0);
        if (!isBefore) return;
        strangers++;
        expect(kinship(finding, held, logEvery)).toBeNull();
      }),
    );
    expect(strangers).toBeGreaterThan(0);
  });

  it("is the farthest of all findings, and has no bound where one knows neither step nor time", () => {
    const [early, late] = [aFinding({ onsetStep: 10_000 }), aFinding({ onsetStep: 50_000 })];
    expect(foldReach([late, early], () => 1)).toEqual({ fromStep: 10_000 - 1 - 512, fromMs: null });
    const timed = aFleetFinding({ atMs: 1_800_000_000_000, node: "n1" });
    expect(foldReach([timed, late], () => 1)?.fromMs).toBe(1_800_000_000_000 - 3_600_000);
    const blank = { ...timed, onsetTimeMs: null, detectedTimeMs: null };
    expect(foldReach([late, blank], () => 1)).toBeNull();
  });
});
