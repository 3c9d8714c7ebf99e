import { describe, expect, it } from "vitest";
import { describeIncident } from "./describe.ts";
import { aFinding } from "./finding.fixture.ts";

describe("whether an incident still costs something", () => {
  it.each([
    { metric: "loss", state: "ongoing", endStep: null, expected: true },
    { metric: "loss", state: "diverged", endStep: null, expected: true },
    { metric: "loss", state: "recovered", endStep: 48_300, expected: false },
    // the run trains on at a worse level until somebody undoes it
    { metric: "loss", state: "shifted", endStep: 48_300, expected: true },
    // a norm at another level harms nothing by itself
    { metric: "grad_norm", state: "shifted", endStep: 48_300, expected: false },
  ] as const)("$metric $state: $expected", ({ expected, ...finding }) => {
    expect(describeIncident({ severity: "critical", findings: [aFinding({ onsetStep: 48_210, ...finding })] }).ongoing).toBe(expected);
  });
});
