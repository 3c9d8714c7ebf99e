import type { Incident, IncidentState } from "./incident.ts";

/** What a person can do to an incident that changes it; a comment changes nothing and goes to the timeline. `actor` is the name of the token (or user) that does it. */
export type IncidentAction =
  | { readonly kind: "acknowledge"; readonly actor: string }
  | { readonly kind: "snooze"; readonly actor: string; readonly untilMs: number }
  | { readonly kind: "resolve"; readonly actor: string }
  | { readonly kind: "reopen"; readonly actor: string }
  /** Gives the incident to somebody; the state stays. */
  | { readonly kind: "assign"; readonly actor: string; readonly owner: string }
  | { readonly kind: "unassign"; readonly actor: string };

export type ActionOutcome =
  | { readonly ok: true; readonly incident: Incident }
  /** The state does not allow it (AppError code `conflict`); `message` is a sentence for the operator. */
  | { readonly ok: false; readonly message: string };

const ALLOWED_FROM: Readonly<Record<IncidentAction["kind"], readonly IncidentState[]>> = {
  acknowledge: ["open", "snoozed"],
  snooze: ["open", "acknowledged", "snoozed"],
  resolve: ["open", "acknowledged", "snoozed"],
  reopen: ["acknowledged", "snoozed", "resolved"],
  assign: ["open", "acknowledged", "snoozed"],
  unassign: ["open", "acknowledged", "snoozed"],
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

/** Pure transition. Acknowledging takes ownership; reopening gives the incident back to nobody; assigning leaves the state as it is. */
export function applyIncidentAction(incident: Incident, action: IncidentAction, nowMs: number): ActionOutcome {
  const state = incidentStateAt(incident, nowMs);
  if (!ALLOWED_FROM[action.kind].includes(state)) {
    return { ok: false, message: `The incident is ${state}; it cannot be ${PAST_TENSE[action.kind]} from there.` };
  }
  if (action.kind === "snooze" && action.untilMs <= nowMs) {
    return { ok: false, message: "A snooze must end in the future." };
  }
  if (action.kind === "assign" && action.owner.trim() === "") return { ok: false, message: "Say to whom it is to be assigned." };
  if (action.kind === "unassign" && incident.owner === null) return { ok: false, message: "The incident is nobody's already." };
  return { ok: true, incident: { ...incident, ...changes(action, nowMs) } };
}

const PAST_TENSE: Readonly<Record<IncidentAction["kind"], string>> = {
  acknowledge: "acknowledged",
  snooze: "snoozed",
  resolve: "resolved",
  reopen: "reopened",
  assign: "assigned",
  unassign: "given back",
};

function changes(action: IncidentAction, nowMs: number): Partial<Incident> {
  switch (action.kind) {
    case "acknowledge":
      return { state: "acknowledged", owner: action.actor, acknowledgedAtMs: nowMs, snoozedUntilMs: null };
    case "snooze":
      return { state: "snoozed", snoozedUntilMs: action.untilMs };
    case "resolve":
      return { state: "resolved", resolvedAtMs: nowMs, snoozedUntilMs: null };
    case "assign":
      return { owner: action.owner.trim() };
    case "unassign":
      return { owner: null };
    case "reopen":
      return { state: "open", owner: null, acknowledgedAtMs: null, snoozedUntilMs: null, resolvedAtMs: null };
  }
}
