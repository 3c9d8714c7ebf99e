import {
  gpuOf,
  SEVERITIES,
  worstSeverity,
  type FleetEventView,
  type FleetIncidentMark,
  type FleetLayout,
  type Severity,
} from "@trainwatch/core";

/** An event counts as active on the map for so long after it was last seen. */
export const ACTIVE_EVENT_MS = 30 * 60_000;

export interface FleetMark {
  readonly gpu: number;
  readonly severity: Severity;
  /** How many times, bursts unfolded. */
  readonly count: number;
  /** Of the worst one; an incident's title before what any event says. */
  readonly text: string;
  /** The incident that stands at it; null where only events do. */
  readonly incidentId: number | null;
}

export interface FleetMarks {
  /** Worst first; at most `MAX_MARKS` are drawn. */
  readonly drawn: readonly FleetMark[];
  readonly total: number;
  /** Marked GPUs by the worst of their events. */
  readonly bySeverity: Readonly<Record<Severity, number>>;
}

/** More shapes than these would hide the cells under them. */
const MAX_MARKS = 400;

export interface MarksInput {
  readonly layout: FleetLayout;
  readonly events: readonly FleetEventView[];
  /** Those that stood at the time. */
  readonly incidents: readonly FleetIncidentMark[];
  readonly atMs: number;
}

/** GPUs with an incident, or an active event of warning or worse. What is said of a node as a whole, or of its ports, marks its first GPU. */
export function markFleet({ layout, events, incidents, atMs }: MarksInput): FleetMarks {
  const gpuAt = new Map(layout.gpu.id.map((id, gpu) => [id, gpu]));
  const firstOfNode = new Map<string, number>();
  layout.gpu.node.forEach((node, gpu) => {
    const id = layout.nodes[node]?.id;
    if (id !== undefined && !firstOfNode.has(id)) firstOfNode.set(id, gpu);
  });
  const marks = new Map<number, FleetMark>();
  for (const event of events) {
    if (event.severity === "info" || event.timeMs > atMs || atMs - event.lastTimeMs > ACTIVE_EVENT_MS) continue;
    const named = event.entity !== null && (event.entity.kind === "gpu" || event.entity.kind === "link") ? event.entity.id : null;
    const gpu = (named === null ? undefined : (gpuAt.get(named) ?? gpuAt.get(gpuOf(named)))) ?? firstOfNode.get(event.nodeId);
    if (gpu === undefined) continue;
    const before = marks.get(gpu);
    const alone: FleetMark = { gpu, severity: event.severity, count: event.count, text: event.text, incidentId: null };
    marks.set(gpu, before === undefined ? alone : joined(before, event));
  }
  // The worst last, and of equals the newest, which comes first: it is the one that stays.
  for (const incident of incidents.toReversed().toSorted((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity))) {
    const gpus = [...incident.gpuIds.map((id) => gpuAt.get(id)), ...incident.nodeIds.map((id) => firstOfNode.get(id))];
    for (const gpu of gpus) {
      if (gpu === undefined) continue;
      const severity = worstSeverity(incident.severity, marks.get(gpu)?.severity ?? incident.severity);
      marks.set(gpu, { gpu, severity, count: 1, text: incident.title, incidentId: incident.incidentId });
    }
  }
  const all = [...marks.values()].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      Number(b.incidentId !== null) - Number(a.incidentId !== null) ||
      b.count - a.count,
  );
  const bySeverity = { critical: 0, warning: 0, info: 0 };
  for (const mark of all) bySeverity[mark.severity]++;
  return { drawn: all.slice(0, MAX_MARKS), total: all.length, bySeverity };
}

function joined(mark: FleetMark, event: FleetEventView): FleetMark {
  const severity = worstSeverity(mark.severity, event.severity);
  return { ...mark, severity, count: mark.count + event.count, text: severity === mark.severity ? mark.text : event.text };
}
