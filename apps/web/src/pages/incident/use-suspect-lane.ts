import { fieldOf, type IncidentDetail, type RunDetail, type SeriesLine } from "@trainwatch/core";
import type { LaneSpec } from "@trainwatch/ui/charts/prepare";
import { useMemo } from "react";
import { useFleetWindow } from "../../data/fleet.ts";
import { dataOf } from "../../data/loaded.ts";
import { useRunTimes } from "../../step-time/use-run-times.ts";
import { bandOfWindow } from "../run/fleet-lanes/fleet-band.ts";
import { fleetLaneMetric, fleetLine } from "../run/fleet-lanes/fleet-line.ts";
import { subjectWord } from "../../words/cause-words.ts";
import { accusedSeries } from "./fleet-window.ts";

const LANE_PX = 56;
/** Ends move in steps, so that a live run does not ask the fleet anew with every point. */
const STEP_MS = 30_000;

export interface SuspectLane {
  readonly lines: readonly SeriesLine[];
  readonly specs: readonly LaneSpec[];
  /** Whose lane it is. */
  readonly note: string | null;
}

const NOTHING: SuspectLane = { lines: [], specs: [], note: null };

/** The field that accuses a piece of the fleet, as a lane on the run's steps. Without accused hardware, or times to place it by, there is none. */
export function useSuspectLane(
  incident: IncidentDetail,
  run: RunDetail | null,
  range: { readonly from: number | null; readonly to: number | null },
  buckets: number,
): SuspectLane {
  const accused = useMemo(() => accusedSeries(incident.findings, 1)[0] ?? null, [incident.findings]);
  const whole = useRunTimes(accused === null ? null : run, null, null).times;
  const edge = (step: number | null, end: "first" | "last"): number | null => {
    if (whole === null) return null;
    return step === null ? whole[end].timeMs : (whole.map.toTime(step) ?? whole[end].timeMs);
  };
  const fromMs = rounded(edge(range.from, "first"), Math.floor);
  const toMs = rounded(edge(range.to, "last"), Math.ceil);
  const question =
    accused === null || fromMs === null || toMs === null || toMs <= fromMs
      ? null
      : { metric: accused.metric, fromMs, toMs, buckets, entityIds: [accused.entityId] };
  const window = dataOf(useFleetWindow(question));
  return useMemo(() => {
    if (accused === null || whole === null || window === null || window.series.length === 0) return NOTHING;
    const { line } = fleetLine(bandOfWindow(window), accused.metric, "step", whole.map, incident.attempt);
    if (line.x.length === 0) return NOTHING;
    const title = fieldOf(accused.metric)?.title ?? accused.metric;
    const whose = [subjectWord(accused.entityId), ...(accused.host === null ? [] : [accused.host])].join(", ");
    return {
      lines: [line],
      specs: [{ metric: fleetLaneMetric(accused.metric), title, scale: "linear", yMode: "robust", heightPx: LANE_PX }],
      note: `${title} is that of ${whose}.`,
    };
  }, [accused, whole, window, incident.attempt]);
}

function rounded(ms: number | null, how: (value: number) => number): number | null {
  return ms === null ? null : how(ms / STEP_MS) * STEP_MS;
}
