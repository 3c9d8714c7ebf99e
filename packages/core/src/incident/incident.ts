/** An incident: findings that share a cause, with an owner and a state. */
export const INCIDENT_STATES = ["open", "acknowledged", "snoozed", "resolved"] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];
