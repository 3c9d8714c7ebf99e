import type { FleetEventView, FleetFrame, FleetFrames, FleetIncidentMark, FleetLayout, FleetMetricView } from "@trainwatch/core";
import { ACTIVE_EVENT_MS, endsOf } from "@trainwatch/ui/charts/fleet";
import { useMemo } from "react";
import { useFleetEvents, useFleetFrame, useFleetIncidents, useFleetLayout } from "../../data/fleet.ts";
import { dataOf, type Loaded } from "../../data/loaded.ts";

export interface FleetView {
  readonly layout: FleetLayout;
  readonly frame: FleetFrame;
  readonly events: readonly FleetEventView[];
  /** Those that stood at the time shown. */
  readonly incidents: readonly FleetIncidentMark[];
  /** Active events beyond those that were read. */
  readonly eventsTotal: number;
  /** Ends that hold over a play; null where each frame has its own. */
  readonly ends: readonly [number, number] | null;
}

/** Events are asked for by the minute: a live page must not ask a new question with every second. */
const EVENTS_STEP_MS = 30_000;

export interface FleetViewQuestion {
  readonly metric: FleetMetricView | null;
  /** Null is live. */
  readonly atMs: number | null;
  readonly nowMs: number;
  /** A play that goes on: its frames, and which of them is on show. */
  readonly play: { readonly frames: FleetFrames; readonly index: number } | null;
}

/** A frame with the layout that it was made for: who sat where at that time. */
export function useFleetView({ metric, atMs, nowMs, play }: FleetViewQuestion): {
  readonly layout: Loaded<FleetLayout>;
  readonly frame: Loaded<FleetFrame>;
  /** What is drawn upon the cells: where it cannot be read the map stands without it, and that must be said. */
  readonly events: Loaded<unknown>;
  readonly incidents: Loaded<unknown>;
  readonly view: FleetView | null;
} {
  const live = useFleetLayout(null);
  const asked = useFleetFrame(metric?.name ?? null, atMs);
  const played = useMemo(() => (play === null ? null : frameAt(play.frames, play.index)), [play]);
  const answer = played ?? dataOf(asked);
  // While another metric is on its way the answer is still of the one before: its numbers have another unit.
  const frame = answer !== null && answer.metric === metric?.name ? answer : null;
  const liveLayout = dataOf(live);
  const fits = frame !== null && liveLayout !== null && frame.layoutDigest === liveLayout.digest;
  // The fleet stood otherwise then, or has changed since the layout was asked for. One that is still on its way may well be it: it is the largest answer of the page.
  const then = useFleetLayout(
    fits || frame === null || liveLayout === null ? undefined : played === null ? frame.atMs : (play?.frames.atMs.at(-1) ?? frame.atMs),
  );
  const thenLayout = dataOf(then);
  const layout = fits ? liveLayout : frame !== null && thenLayout?.digest === frame.layoutDigest ? thenLayout : null;
  const times = play?.frames.atMs ?? [frame?.atMs ?? atMs ?? nowMs];
  const until = Math.ceil((times.at(-1) ?? nowMs) / EVENTS_STEP_MS) * EVENTS_STEP_MS;
  const since = Math.floor((times[0] ?? nowMs) / EVENTS_STEP_MS) * EVENTS_STEP_MS - ACTIVE_EVENT_MS;
  const events = useFleetEvents({ fromMs: since, toMs: until });
  const page = dataOf(events);
  // A play asks once, for its end: an incident that opened within it is marked from its beginning on.
  const accused = useFleetIncidents(atMs === null && play === null ? null : until);
  const incidents = dataOf(accused);
  const ends = useMemo(() => {
    if (play === null || metric === null || metric.domain !== null) return null;
    const { low, high } = endsOf(play.frames.values);
    return [low, high] as const;
  }, [play, metric]);
  const view = useMemo(
    () =>
      layout === null || frame === null
        ? null
        : { layout, frame, events: page?.items ?? [], incidents: incidents ?? NO_INCIDENTS, eventsTotal: page?.total ?? 0, ends },
    [layout, frame, page, incidents, ends],
  );
  return { layout: live, frame: asked, events, incidents: accused, view };
}

const NO_INCIDENTS: readonly FleetIncidentMark[] = [];

function frameAt({ metric, isRate, atMs, layoutDigest, values, states }: FleetFrames, index: number): FleetFrame | null {
  const [time, ofTime, how] = [atMs[index], values[index], states[index]];
  if (time === undefined || ofTime === undefined || how === undefined) return null;
  return { metric, isRate, atMs: time, layoutDigest, values: ofTime, states: how };
}
