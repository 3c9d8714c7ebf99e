import type { Finding, IncidentSummary } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { incidentOfTurn } from "./incident-of-turn.ts";

const incident = (given: Partial<IncidentSummary>): IncidentSummary => ({
  id: 1,
  runId: 1,
  project: "lab",
  runName: "rl",
  attempt: "a1",
  title: "Reward climbs while held-out score falls",
  severity: "critical",
  state: "open",
  findingState: "shifted",
  ongoing: true,
  replacedBy: null,
  onsetStep: 1_870,
  onsetTimeMs: null,
  detectedTimeMs: null,
  openedAtMs: 0,
  findingCount: 1,
  gpuHoursPerHour: null,
  gpuHoursSoFar: null,
  costUnknown: null,
  regressionOf: null,
  owner: null,
  acknowledgedAtMs: null,
  snoozedUntilMs: null,
  flaps: 0,
  cause: null,
  label: null,
  action: null,
  signal: { values: [] },
  ...given,
});
const finding = (given: Partial<Finding>): Finding => ({
  id: "f1",
  fingerprint: "p",
  detector: "over-optimisation",
  version: 1,
  attempt: "a1",
  metric: "eval/gsm8k/acc",
  subject: { kind: "run", id: "1" },
  severity: "critical",
  state: "shifted",
  onsetStep: 1_870,
  onsetLowerStep: null,
  detectedStep: null,
  peakStep: null,
  endStep: null,
  onsetTimeMs: null,
  detectedTimeMs: null,
  endTimeMs: null,
  shape: "ramp",
  peakValue: null,
  baselineValue: null,
  levelShift: null,
  summary: "the turn",
  evidence: [],
  place: null,
  facts: [],
  ...given,
});
const turn = { metric: "eval/gsm8k/acc" };

describe("the incident of a turning point", () => {
  it("is the one that began with a finding on the held-out metric", () => {
    const other = incident({ id: 2, onsetStep: 400 });
    expect(incidentOfTurn([other, incident({})], [finding({})], turn)?.id).toBe(1);
  });

  it("is none where only other metrics of the run have findings", () => {
    expect(incidentOfTurn([incident({})], [finding({ metric: "kl" })], turn)).toBeNull();
    expect(incidentOfTurn([incident({ attempt: "a2" })], [finding({})], turn)).toBeNull();
  });

  it("is an open one before a resolved one", () => {
    const resolved = incident({ id: 3, state: "resolved", openedAtMs: 9 });
    expect(incidentOfTurn([resolved, incident({})], [finding({})], turn)?.id).toBe(1);
  });
});
