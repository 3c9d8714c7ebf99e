import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { describeIncident } from "./describe.ts";
import { aFinding } from "./finding.fixture.ts";

describe("whether an incident still costs something", () => {
  it.each([
    { metric: "loss", state: "ongoing", endStep: null, expected: true },
    { metric: "loss", state: "diverged", endStep: null, expected: true },
    { metric: "loss", state: "recovered", endStep: 48_300, expected: false },
    // the run trains on at a worse level until somebody undoes it
    { metric: "loss", state: "shifted", endStep: 48_300, expected: true },
    // a schedule that took a step is a note, and burns nothing
    { metric: "learning_rate", state: "shifted", endStep: 48_300, severity: "info", expected: false },
    // a norm at another level harms nothing by itself
    { metric: "grad_norm", state: "shifted", endStep: 48_300, expected: false },
  ] as const)("$metric $state: $expected", ({ expected, ...finding }) => {
    expect(describeIncident({ severity: "critical", findings: [aFinding({ onsetStep: 48_210, ...finding })] }).ongoing).toBe(expected);
  });
});

describe("since when an incident is", () => {
  const loss = aFinding({ onsetStep: 12_033, onsetTimeMs: 2_000, detectedTimeMs: 2_500 });

  it("is dated by its faults and by a norm that rose first, and by no note of another kind", () => {
    const norm = aFinding({ onsetStep: 12_028, metric: "grad_norm", severity: "info", onsetTimeMs: 1_900 });
    const note = aFinding({ onsetStep: 11_736, metric: "compute_time", severity: "info", onsetTimeMs: 1_000, detectedTimeMs: 1_100 });
    const dates = { onsetStep: 12_028, onsetLowerStep: 12_027, onsetTimeMs: 1_900, detectedTimeMs: 2_500 };
    expect(describeIncident({ severity: "critical", findings: [loss, norm, note] })).toMatchObject(dates);
    expect(describeIncident({ severity: "info", findings: [note] })).toMatchObject({ onsetStep: 11_736, onsetTimeMs: 1_000 });
  });

  it("does not give the step of one finding the time of a later one", () => {
    const turned = aFinding({ onsetStep: 1_120, metric: "eval/accuracy" });
    const parted = aFinding({ onsetStep: 1_920, metric: "eval/accuracy", onsetTimeMs: 9_000 });
    expect(describeIncident({ severity: "critical", findings: [turned, parted] })).toMatchObject({ onsetStep: 1_120, onsetTimeMs: null });
    const dead = { ...aFinding({ onsetStep: 12_050, onsetTimeMs: 1_500 }), onsetStep: null };
    expect(describeIncident({ severity: "critical", findings: [loss, dead] })).toMatchObject({ onsetStep: 12_033, onsetTimeMs: 1_500 });
  });
});

describe("how an incident ended", () => {
  const recovered = aFinding({ onsetStep: 48_210, state: "recovered", endStep: 48_300 });
  const norm = (state: Finding["state"], endStep: number | null) =>
    aFinding({ onsetStep: 48_190, metric: "grad_norm", state, endStep, levelShift: { value: 0.4, standardError: 0.1 } });

  it.each([
    // the norm settled elsewhere: the loss is back, and so is the run
    { loss: recovered, other: norm("shifted", 48_700), state: "recovered", lead: "loss", ongoing: false },
    { loss: recovered, other: norm("recovered", 48_700), state: "recovered", lead: "loss", ongoing: false },
    { loss: { ...recovered, state: "shifted" }, other: norm("recovered", 48_700), state: "shifted", lead: "loss", ongoing: true },
    // while the norm is still out it is not over, and says itself what goes on
    { loss: recovered, other: norm("ongoing", null), state: "ongoing", lead: "grad_norm", ongoing: true },
    // a norm that was not finite is a worse end than any level
    { loss: recovered, other: norm("non-finite", 48_400), state: "non-finite", lead: "grad_norm", ongoing: false },
  ] as const)("a loss that is $loss.state beside a norm that is $other.state: $state", ({ loss, other, state, lead, ongoing }) => {
    for (const findings of [
      [loss, other],
      [other, loss],
    ]) {
      const said = describeIncident({ severity: "warning", findings });
      expect([said.findingState, said.lead.metric, said.ongoing]).toEqual([state, lead, ongoing]);
    }
  });

  it("is told in the title as the loss's end, with the norm that rose first", () => {
    expect(describeIncident({ severity: "warning", findings: [norm("shifted", 48_700), recovered] }).title).toBe(
      "Loss spike ×2.4 at step 48,210, recovered at 48,300; gradient norm rose first, at 48,190",
    );
  });

  it("is the norm's where the loss was never at fault", () => {
    expect(describeIncident({ severity: "warning", findings: [norm("shifted", 48_700)] })).toMatchObject({
      findingState: "shifted",
      ongoing: false,
    });
  });
});
