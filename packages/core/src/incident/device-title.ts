import type { CauseFactName } from "../cause.ts";
import type { Finding } from "../finding.ts";
import { xidEntry } from "../fleet/xid.ts";
import { metricTitle } from "../metric-title.ts";
import { sayFixed, sayInteger, sayRatio } from "../words.ts";
import { nodesWith } from "./roles.ts";
import { signalOf, TEARDOWN_METRIC } from "./signal.ts";
import { findingIsOn } from "./span.ts";
import { saySubject } from "./subject-words.ts";

/** Title of an incident that a piece of hardware explains: what broke, then what came of it. `XID 79 (GPU has fallen off the bus) on GPU-9b1f…, node c11-n07: run stopped; teardown on 400 nodes`. */
export function chainTitle(initiator: Finding, findings: readonly Finding[]): string {
  const effects = consequences(initiator, findings);
  const lost =
    signalOf(initiator) === "lost" ? findings.filter((finding) => finding.severity !== "info" && signalOf(finding) === "lost") : [];
  const subject = nodesWith(lost, "lost") > 1 ? lostTogether(lost) : deviceTitle(initiator);
  return effects.length === 0 ? subject : `${subject}: ${effects.join("; ")}`;
}

/** Of nodes that went together none is the one that began it (G3). */
function lostTogether(lost: readonly Finding[]): string {
  const on = nodesWith(lost.filter(findingIsOn), "lost");
  const all = nodesWith(lost, "lost");
  return on === 0
    ? `${countOf(all, "node")} were lost for a while`
    : `${countOf(all, "node")} lost: no data comes from ${on === all ? "them" : `${sayInteger(on)} of them`}`;
}

function consequences(initiator: Finding, findings: readonly Finding[]): readonly string[] {
  const others = findings.filter((finding) => finding.fingerprint !== initiator.fingerprint);
  const told = others.filter((finding) => finding.severity !== "info");
  const has = (wanted: (finding: Finding) => boolean): boolean => told.some(wanted);
  const learning = told.filter((finding) => ["learning", "not-finite"].includes(signalOf(finding)) && finding.subject.kind === "run");
  const lost = nodesWith(told, "lost");
  const torn = tornDown(others.filter((finding) => signalOf(finding) === "teardown"));
  return [
    ...(has((finding) => signalOf(finding) === "stop") ? ["run stopped"] : []),
    ...(has((finding) => signalOf(finding) === "slow") ? ["steps slower"] : []),
    ...learning.slice(0, 1).map(learningClause),
    ...(lost === 0 || signalOf(initiator) === "lost" ? [] : [`${countOf(lost, "node")} lost`]),
    ...(torn === null ? [] : [torn]),
  ];
}

/** One finding may stand for the clearing up on all nodes: its peak is then how many lines of it there were. */
function tornDown(findings: readonly Finding[]): string | null {
  if (findings.length === 0) return null;
  const lines = findings.reduce(
    (sum, { metric, peakValue }) => sum + (metric === TEARDOWN_METRIC && typeof peakValue === "number" ? peakValue : 0),
    0,
  );
  return lines === 0 ? `teardown on ${countOf(nodesWith(findings, "teardown"), "node")}` : `teardown, ${countOf(lines, "XID")} 45 or 43`;
}

function learningClause(finding: Finding): string {
  const name = metricTitle(finding.metric).toLowerCase();
  const at = finding.onsetStep === null ? "" : ` at step ${sayInteger(finding.onsetStep)}`;
  return finding.state === "non-finite" ? `${name} non-finite${at}` : `${name} rose${at}`;
}

function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${sayInteger(count)} ${noun}s`;
}

type Say = (finding: Finding, value: number | null) => string;

/** What a device's finding is called, by the fact it states. The first fact listed here that it states names it. */
const TITLES: readonly (readonly [fact: CauseFactName, say: Say])[] = [
  ["gpu-error", sayError],
  ["gpu-lost", (finding) => `${saySubject(finding)} ${standing(finding, "is lost", "was lost")}`],
  ["node-lost", (finding) => `${saySubject(finding)} ${standing(finding, "is lost: no data comes from it", "was lost for a while")}`],
  ["replica-hash-mismatch", (finding) => `${saySubject(finding)} holds other parameters than its replicas`],
  ["recompute-mismatch", (finding) => `${saySubject(finding)} computes other values the second time`],
  ["rank-deviates", (finding) => `${saySubject(finding)} ${standing(finding, "deviates", "deviated")} in ${metricName(finding)}`],
  ["link-down", (finding) => `${saySubject(finding)} ${standing(finding, "is down", "was down")}`],
  [
    "link-errors",
    (finding, value) =>
      `${saySubject(finding)} ${standing(finding, "has", "had")} errors${value === null ? "" : `, ${sayRate(value)} a minute`}`,
  ],
  [
    "link-slow",
    (finding, value) =>
      `${saySubject(finding)} ${standing(finding, "is", "was")} slow${value === null ? "" : `, at ${sayPercent(value)} of its peers' bandwidth`}`,
  ],
  [
    "throttled",
    (finding, value) =>
      `${saySubject(finding)} ${standing(finding, "is", "was")} throttled${value === null ? "" : ` ${sayPercent(value)} of the time`}`,
  ],
  [
    "hot",
    (finding, value) =>
      `${saySubject(finding)} ${standing(finding, "is", "was")} ${value === null ? "hotter" : `${sayFixed(value, 0)} °C hotter`} than its peers`,
  ],
  ["node-compute-slow", slower],
  ["rank-compute-slow", slower],
];

/** What one finding about a GPU, a node, a link or a rank says, with where it is; the detector's own sentence where it states no fact that has words. */
export function deviceTitle(finding: Finding): string {
  for (const [name, say] of TITLES) {
    const stated = finding.facts.find(({ fact }) => fact === name);
    if (stated !== undefined) return say(finding, stated.value);
  }
  return finding.summary.replace(/\.$/, "");
}

function sayError(finding: Finding, value: number | null): string {
  const on = finding.subject.kind === "node" ? `on node ${saySubject(finding).slice("Node ".length)}` : `on ${saySubject(finding)}`;
  if (value === null) return `GPU error ${on}`;
  if (finding.subject.kind === "switch") return `SXid ${value} ${on}`;
  const title = xidEntry(value)?.title;
  return `XID ${value}${title === undefined ? "" : ` (${title})`} ${on}`;
}

function slower(finding: Finding, value: number | null): string {
  return `${saySubject(finding)} ${standing(finding, "computes", "computed")} ${value === null ? "slower" : `${sayRatio(value, 1)} as long`} ${value === null ? "than" : "as"} its peers`;
}

function standing(finding: Finding, on: string, over: string): string {
  return findingIsOn(finding) ? on : over;
}

function metricName(finding: Finding): string {
  return metricTitle(finding.metric).toLowerCase();
}

function sayPercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function sayRate(perMinute: number): string {
  return perMinute >= 10 ? sayInteger(perMinute) : sayFixed(perMinute, 1);
}
