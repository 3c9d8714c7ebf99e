import { describe, expect, it } from "vitest";
import { applyIncidentAction, incidentStateAt, statesAllowing } from "./actions.ts";
import type { IncidentAction } from "./actions.ts";
import { aFinding } from "./finding.fixture.ts";
import { INCIDENT_STATES } from "./incident.ts";
import type { Incident, IncidentState } from "./incident.ts";

const anIncident = (state: IncidentState): Incident => ({
  id: 1,
  run: "lab/base",
  attempt: "a1",
  state,
  severity: "warning",
  findings: [aFinding({ onsetStep: 10 })],
  regressionOf: null,
  owner: "bob",
  openedAtMs: 0,
  acknowledgedAtMs: null,
  flaps: 0,
  snoozedUntilMs: state === "snoozed" ? 500 : null,
  resolvedAtMs: state === "resolved" ? 50 : null,
});

const ACTIONS: readonly IncidentAction[] = [
  { kind: "acknowledge", actor: "ops" },
  { kind: "snooze", actor: "ops", untilMs: 900 },
  { kind: "resolve", actor: "ops" },
  { kind: "reopen", actor: "ops" },
  { kind: "assign", actor: "ops", owner: "ada" },
  { kind: "unassign", actor: "ops" },
];

const EXPECTED: Readonly<Record<IncidentState, Readonly<Record<IncidentAction["kind"], IncidentState | "refused">>>> = {
  open: { acknowledge: "acknowledged", snooze: "snoozed", resolve: "resolved", reopen: "refused", assign: "open", unassign: "open" },
  acknowledged: {
    acknowledge: "refused",
    snooze: "snoozed",
    resolve: "resolved",
    reopen: "open",
    assign: "acknowledged",
    unassign: "acknowledged",
  },
  snoozed: { acknowledge: "acknowledged", snooze: "snoozed", resolve: "resolved", reopen: "open", assign: "snoozed", unassign: "snoozed" },
  resolved: { acknowledge: "refused", snooze: "refused", resolve: "refused", reopen: "open", assign: "refused", unassign: "refused" },
};

describe("applyIncidentAction", () => {
  for (const state of INCIDENT_STATES) {
    for (const action of ACTIONS) {
      it(`${action.kind} from ${state}: ${EXPECTED[state][action.kind]}`, () => {
        const outcome = applyIncidentAction(anIncident(state), action, 100);
        expect(outcome.ok ? outcome.incident.state : "refused").toBe(EXPECTED[state][action.kind]);
        expect(statesAllowing(action.kind).includes(state)).toBe(outcome.ok);
      });
    }
  }

  it("takes ownership on acknowledging and gives it back on reopening", () => {
    const taken = applyIncidentAction(anIncident("open"), { kind: "acknowledge", actor: "ops" }, 100);
    if (!taken.ok) throw new Error(taken.message);
    expect(taken.incident).toMatchObject({ owner: "ops", acknowledgedAtMs: 100 });
    expect(applyIncidentAction(taken.incident, { kind: "reopen", actor: "ops" }, 200)).toMatchObject({
      ok: true,
      incident: { owner: null, acknowledgedAtMs: null },
    });
  });

  it("assigns without touching the state, and gives back what is somebody's", () => {
    const given = applyIncidentAction(anIncident("snoozed"), { kind: "assign", actor: "ops", owner: " ada " }, 100);
    expect(given).toMatchObject({ ok: true, incident: { owner: "ada", state: "snoozed", snoozedUntilMs: 500 } });
    const back = applyIncidentAction(anIncident("open"), { kind: "unassign", actor: "ops" }, 100);
    expect(back).toMatchObject({ ok: true, incident: { owner: null } });
    if (!back.ok) throw new Error(back.message);
    expect(applyIncidentAction(back.incident, { kind: "unassign", actor: "ops" }, 100)).toEqual({
      ok: false,
      message: "The incident is nobody's already.",
    });
    expect(applyIncidentAction(anIncident("open"), { kind: "assign", actor: "ops", owner: " " }, 100).ok).toBe(false);
  });

  it("says why it refuses", () => {
    expect(applyIncidentAction(anIncident("resolved"), { kind: "acknowledge", actor: "ops" }, 100)).toEqual({
      ok: false,
      message: "The incident is resolved; it cannot be acknowledged from there.",
    });
    expect(applyIncidentAction(anIncident("open"), { kind: "snooze", actor: "ops", untilMs: 100 }, 100)).toMatchObject({ ok: false });
  });

  it("treats a snooze that has run out as open", () => {
    expect(incidentStateAt(anIncident("snoozed"), 499)).toBe("snoozed");
    expect(incidentStateAt(anIncident("snoozed"), 500)).toBe("open");
    expect(applyIncidentAction(anIncident("snoozed"), { kind: "reopen", actor: "ops" }, 500).ok).toBe(false);
  });
});
