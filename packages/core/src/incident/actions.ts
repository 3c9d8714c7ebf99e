import type { Incident, IncidentState } from "./incident.ts";

/** What a person can do to an incident. `actor` is the name of the token (or user) that does it. */
export type IncidentAction =
  | { readonly kind: "acknowledge"; readonly actor: string }
  | { readonly kind: "snooze"; readonly actor: string; readonly untilMs: number }
  | { readonly kind: "resolve"; readonly actor: string }
  | { readonly kind: "reopen"; readonly actor: string };

export type ActionOutcome =
  | { readonly ok: true; readonly incident: Incident }
  /** The state does not allow it (AppError code `conflict`); `message` is a sentence for the operator. */
  | { readonly ok: false; readonly message: string };

const ALLOWED_FROM: Readonly<Record<IncidentAction["kind"], readonly IncidentState[]>> = {
  acknowledge: ["open", "snoozed"],
  snooze: ["open", "acknowledged", "snoozed"],
  resolve: ["open", "acknowledged", "snoozed"],
  reopen: ["acknowledged", "snoozed", "resolved"],
};

/** The state as it stands at `nowMs`: a snooze that has run out is open again. */
export function incidentStateAt(incident: Incident, nowMs: number): IncidentState {
  const over = incident.state === "snoozed" && incident.snoozedUntilMs !== null && incident.snoozedUntilMs <= nowMs;
  return over ? "open" : incident.state;
}

/** From which states an action may start: the condition for the WHERE of the update. */
export function statesAllowing(kind: IncidentAction["kind"]): readonly IncidentState[] {
  return ALLOWED_FROM[kind];
}

/** Pure transition. Acknowledging takes ownership; reopening gives the incident back to nobody. */
export function applyIncidentAction(incident: Incident, action: IncidentAction, nowMs: number): ActionOutcome {
  const state = incidentStateAt(incident, nowMs);
  if (!ALLOWED_FROM[action.kind].includes(state)) {
    return { ok: false, message: `The incident is ${state}; it cannot be ${PAST_TENSE[action.kind]} from there.` };
  }
  if (action.kind === "snooze" && action.untilMs <= nowMs) {
    return { ok: false, message: "A snooze must end in the future." };
  }
  return { ok: true, incident: { ...incident, ...changes(action, nowMs) } };
}

const PAST_TENSE: Readonly<Record<IncidentAction["kind"], string>> = {
  acknowledge: "acknowledged",
  snooze: "snoozed",
  resolve: "resolved",
  reopen: "reopened",
};

function changes(action: IncidentAction, nowMs: number): Partial<Incident> {
  switch (action.kind) {
    case "acknowledge":
      return { state: "acknowledged", owner: action.actor, acknowledgedAtMs: nowMs, snoozedUntilMs: null };
    case "snooze":
      return { state: "snoozed", snoozedUntilMs: action.untilMs };
    case "resolve":
      return { state: "resolved", resolvedAtMs: nowMs, snoozedUntilMs: null };
    case "reopen":
      return { state: "open", owner: null, acknowledgedAtMs: null, snoozedUntilMs: null, resolvedAtMs: null };
  }
}
