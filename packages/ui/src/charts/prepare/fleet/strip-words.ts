import { SEVERITIES, type FleetLayout } from "@trainwatch/core";
import { formatCount, formatInteger } from "../../../format/index.ts";
import type { NodeStrip, StripMark, StripState } from "./node-strip.ts";

export const STRIP_WORDS = {
  "in-use": "in a run",
  spare: "spare",
  cordoned: "cordoned",
  "no-data": "no data",
} as const satisfies Record<StripState, string>;

/** Incidents that are named; the page of the fleet has them all. */
const NAMED = 5;

/** What the strip says, for those who do not see it. */
export function stripSummary({ groups, counts, marks }: NodeStrip, layout: FleetLayout): string {
  const states = (["in-use", "spare", "cordoned", "no-data"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatInteger(counts[state])} ${STRIP_WORDS[state]}`);
  const shares = groups.map(({ title, nodes }) => `${title} ${formatInteger(nodes.length)}`);
  return [
    `Fleet of ${formatCount(layout.nodes.length, "node")}: ${states.join(", ")}.`,
    `By run: ${shares.join(", ")}.`,
    marks === null ? "Incidents are not known." : incidentWords(marks, layout),
  ].join(" ");
}

function incidentWords(marks: readonly StripMark[], layout: FleetLayout): string {
  if (marks.length === 0) return "No incident accuses a node.";
  const bySeverity = SEVERITIES.flatMap((severity) => {
    const count = marks.filter((mark) => mark.severity === severity).length;
    return count === 0 ? [] : [`${formatInteger(count)} ${severity}`];
  });
  const named = marks.slice(0, NAMED).map(({ node, severity, text }) => `${severity}, ${layout.nodes[node]?.host ?? ""}: ${text}`);
  return `Incidents on ${formatCount(marks.length, "node")} (${bySeverity.join(", ")}): ${named.join("; ")}${marks.length > NAMED ? "; and more" : ""}.`;
}

/** What a node's cell says under the pointer. */
export function stripNodeTitle({ groups, states, marks }: NodeStrip, layout: FleetLayout, group: number, node: number): string {
  const view = layout.nodes[node];
  const mark = marks?.find((each) => each.node === node);
  const why = view?.cordoned?.why ?? "";
  const state = states[node] ?? "no-data";
  const told =
    state === "in-use" ? (groups[group]?.title ?? "") : state === "cordoned" && why !== "" ? `cordoned: ${why}` : STRIP_WORDS[state];
  return [view?.host ?? "", told, ...(mark === undefined ? [] : [`${mark.severity}: ${mark.text}`])].join(", ");
}
