import type { GateView } from "@trainwatch/core";

export type GateOutcome = "pass" | "override" | "unknown" | "fail";

export const OUTCOME_WORDS = { pass: "pass", override: "override", unknown: "unknown", fail: "fail" } as const satisfies Record<
  GateOutcome,
  string
>;

/** Of a candidate over all gates: the worst of them. One that cannot be told is no pass. */
export function gateOutcome(views: readonly GateView[], column: number): GateOutcome {
  const cells = views.flatMap(({ cells }) => cells.filter((cell) => cell.column === column));
  if (cells.some(({ state, override }) => state === "fail" && override === null)) return "fail";
  if (cells.length < views.length || cells.some(({ state, override }) => state === "unknown" && override === null)) return "unknown";
  return cells.some(({ override }) => override !== null) ? "override" : "pass";
}
