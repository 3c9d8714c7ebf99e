import { isFleetSubject, rolesOf, type Finding } from "@trainwatch/core";
import type { LaneSpec } from "@trainwatch/ui/charts/prepare";

/** What is always worth seeing beside a fault, in this order. */
const COMPANIONS = ["loss", "grad_norm", "learning_rate", "step_time", "tokens_per_second"];
/** Asked for in one window; of those that have points so many are drawn: the decision below must stay in view. */
const MAX_ASKED = 8;
const MAX_LANES = 4;
/** Quantities that span decades: on a linear axis their baseline would be a flat line at the floor. */
const LOG_METRICS: ReadonlySet<string> = new Set(["grad_norm", "learning_rate"]);
const HEIGHTS_PX = [92, 60, 60, 44] as const;

/** Error numbers of GPUs and switches: an event that a run's finding may speak of too, and no series. */
const EVENT_METRIC = /^s?xid( |$)/;

/** Whether a finding speaks of a series of the run. What accuses a piece of the fleet is a field or an event: it has a lane of its own, or none. */
function isOfRun({ subject, metric }: Finding): boolean {
  return !isFleetSubject(subject) && !EVENT_METRIC.test(metric);
}

/** Metrics of the findings first, the lead's on top, then the companions: one lane each, the first one tall. */
export function laneMetrics(findings: readonly Finding[], lead: Finding | null): readonly string[] {
  const own = findings
    .filter(isOfRun)
    .filter((finding) => finding.subject.kind !== "logger" || finding === lead)
    .map((finding) => finding.metric);
  return [...new Set([...(lead === null || !isOfRun(lead) ? [] : [lead.metric]), ...own, ...COMPANIONS])].slice(0, MAX_ASKED);
}

/** Lines of so many onsets can be told apart. */
const MAX_DRAWN = 12;

/** Findings whose onsets are drawn: what began it first, the victims of the clearing up never. */
export function drawnFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MAX_DRAWN) return findings;
  const roles = rolesOf({ findings });
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return [...roles]
    .filter(([, role]) => role !== "teardown")
    .flatMap(([id]) => byId.get(id) ?? [])
    .filter(({ onsetStep }) => onsetStep !== null)
    .slice(0, MAX_DRAWN);
}

/** Lanes of those metrics that have a point in the window; a metric of a finding keeps its lane even without one. */
export function laneSpecs(metrics: readonly string[], present: ReadonlySet<string>, findings: readonly Finding[]): readonly LaneSpec[] {
  const accused = new Set(findings.filter(isOfRun).map(({ metric }) => metric));
  return metrics
    .filter((metric) => present.has(metric) || accused.has(metric))
    .slice(0, MAX_LANES)
    .map((metric, index) => ({
      metric,
      scale: LOG_METRICS.has(metric) ? "log" : "linear",
      yMode: "robust",
      heightPx: HEIGHTS_PX[index] ?? 44,
    }));
}
