import { deviceTitle, isFleetSubject, metricEntry, type Finding, type FindingState } from "@trainwatch/core";
import { metricTitle, type Mark } from "@trainwatch/ui";

const STATE_WORDS = {
  ongoing: "off its baseline",
  recovered: "spike recovered",
  shifted: "shifted, not recovered",
  diverged: "diverged",
  "non-finite": "not finite",
  stalled: "stalled",
} as const satisfies Record<FindingState, string>;

/** What a finding is, in a few words: "Loss shifted, not recovered". Its summary tells the rest. */
export function findingTitle(finding: Finding): string {
  if (finding.subject.kind === "logger") return "Logger may hide NaN";
  // A rank, a GPU, a node or a link is named with what is wrong with it.
  if (isFleetSubject(finding.subject) || finding.subject.kind === "rank") return deviceTitle(finding);
  // What a clock or a stage tells is no metric that has a title: its own sentence says it, up to the first pause.
  const clause = finding.subject.kind === "stage" || metricEntry(finding.metric) === undefined ? firstClause(finding.summary) : null;
  if (clause !== null) return clause;
  const metric = metricTitle(finding.metric);
  if (finding.shape === "point" && finding.state !== "non-finite") return `${metric}, one-step outlier`;
  return `${metric} ${STATE_WORDS[finding.state]}`;
}

function firstClause(summary: string): string | null {
  const [clause = ""] = summary.split(/[,;:.](?:\s|$)/);
  return clause === "" ? null : clause;
}

/** A fault that came back by itself is shown as such; the others by their severity. */
export function findingMark(finding: Finding): Mark {
  return finding.state === "recovered" && finding.severity !== "info" ? "ok" : finding.severity;
}

/** By onset, the unknown first: the order of `n` and `p`. */
export function byOnset(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => (a.onsetStep ?? -1) - (b.onsetStep ?? -1) || (a.id < b.id ? -1 : 1));
}

/** The finding after or before the selected one; from none, the first or the last. Stays at the ends. */
export function neighbour(ordered: readonly Finding[], selected: string | undefined, direction: 1 | -1): Finding | undefined {
  const at = ordered.findIndex((finding) => finding.id === selected);
  if (at < 0) return direction === 1 ? ordered[0] : ordered.at(-1);
  return ordered[Math.min(ordered.length - 1, Math.max(0, at + direction))];
}
