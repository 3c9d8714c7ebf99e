import { fieldOf, type Finding, type RunDetail, type SeriesLine, type SeriesWindow } from "@trainwatch/core";
import { Button, EmptyState, Inline, Inset, Notice, SkeletonBlock, Stack } from "@trainwatch/ui";
import { ChartStack, LaneTable, lineText, nextScale, prepareStack, type PreparedStack, type StackSize } from "@trainwatch/ui/charts";
import { useEffect, useMemo, useState } from "react";
import { useNow } from "../../clock/now.tsx";
import { bucketsFor, useSeriesWindow } from "../../data/series.ts";
import { useKeys } from "../../keys/keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { useZone } from "../../zone/zone.tsx";
import { attemptAlone } from "./attempt-alone.ts";
import { shownAxis } from "./axis-choice.ts";
import { FirstMetrics } from "./first-metrics.tsx";
import { useHeld } from "./held.ts";
import { fleetLaneMetric } from "./fleet-lanes/fleet-line.ts";
import { useFleetLanes } from "./fleet-lanes/use-fleet-lanes.ts";
import { laneScale, laneSpecs, USUAL_METRICS, withScale, withYMode } from "./lane-specs.ts";
import { newerPoints, pointsSince } from "./new-points.ts";
import { STACK_PX } from "./stack-measures.ts";
import { without } from "./search.ts";
import { useTellShownView } from "./shown-view.tsx";
import { useOverlay } from "./use-overlay.ts";
import { useRunSearch } from "./use-run-search.ts";
import { useZoom } from "./use-zoom.ts";

export interface LaneStackProps {
  readonly run: RunDetail;
  readonly findings: readonly Finding[];
  readonly size: StackSize;
}

/** Asks for the samples that the URL names, at the width of the plot. */
export function LaneStack(props: LaneStackProps) {
  const { run, size } = props;
  const { search } = useRunSearch();
  const axis = shownAxis(search.axis, run);
  const metrics = search.metrics ?? USUAL_METRICS;
  const attempt = run.attempts.find(({ name }) => name === search.attempt)?.name;
  const loaded = useSeriesWindow({
    runId: run.id,
    metrics,
    axis,
    from: search.from ?? null,
    to: search.to ?? null,
    buckets: bucketsFor(size.plotPx),
    ...(attempt === undefined ? {} : { attempts: [attempt] }),
  });
  return (
    <LoadedView loaded={loaded} what="The charts" skeleton={<SkeletonBlock label="charts" heightPx={Math.max(STACK_PX, size.roomPx)} />}>
      {(window) => <Lanes {...props} latest={window} isPrevious={loaded.status === "ready" && loaded.isPrevious} />}
    </LoadedView>
  );
}

interface LanesProps extends LaneStackProps {
  readonly latest: SeriesWindow;
  /** `latest` answers the question before: it must give way when the new answer comes, held or not. */
  readonly isPrevious: boolean;
}

function Lanes({ run, findings, size, latest, isPrevious }: LanesProps) {
  const { search, adjust } = useRunSearch();
  const [held, setHeld] = useState(false);
  const [lane, setLane] = useState<string | null>(null);
  const isLive = search.to === undefined;
  const question = JSON.stringify([search.axis, search.from, search.to, search.metrics, search.attempt, latest.buckets, isPrevious]);
  const window = useHeld(question, latest, held && isLive);
  const seenStep = useHeld(question, run.lastStep, !isLive);
  const waiting = isLive ? newerPoints(window, latest) : pointsSince(window, seenStep, run.lastStep);
  const { stack, notes } = usePreparedStack({ run, findings, size, window });
  useShownEndsTold(stack, window, waiting);
  const zoom = useZoom(run, stack);
  const rescale = (metric: string): void => adjust((before) => withScale(before, metric, nextScale(laneScale(metric, before))));
  const first = stack?.lanes[0]?.spec.metric;
  const target = lane ?? first;
  useKeys(
    target === undefined
      ? []
      : [{ keys: "l", label: "Scale of the lane: linear, log, symlog", group: "Charts", run: () => rescale(target) }],
  );
  if (stack === null || stack.lanes.length === 0) return <NothingHere run={run} onZoomOut={zoom.canZoomOut ? zoom.out : null} />;
  return (
    <Stack gap={0}>
      {notes.map((note) => (
        <Notice key={note} mark="info">
          {note}
        </Notice>
      ))}
      {search.table === true ? (
        stack.lanes.map((shown) => <LaneTable key={shown.spec.metric} lane={shown} heightPx={shown.spec.heightPx * 2} />)
      ) : (
        <ChartStack
          stack={stack}
          size={size}
          label={`Training of ${run.name}`}
          onZoom={zoom.into}
          onZoomOut={zoom.out}
          onHold={setHeld}
          onLane={setLane}
          onScale={rescale}
          onYMode={(metric) => adjust((before) => withYMode(before, metric))}
        />
      )}
      <Inset foot>
        <Inline gap={3} wrap>
          <span data-part="drawn">
            {lineText({ badge: stack.badge, smoothSteps: search.smooth ?? null, spanSteps: stepsShown(window) })} {stack.badge.text}.
            Findings use every point.
          </span>
          {zoom.canZoomOut ? (
            <Button size="small" kind="quiet" onClick={zoom.out}>
              Zoom out
            </Button>
          ) : null}
          <Button
            size="small"
            kind="quiet"
            onClick={() => adjust((before) => (before.table === true ? without(before, "table") : { ...before, table: true }))}
          >
            {search.table === true ? "Show as charts" : "Show as tables"}
          </Button>
        </Inline>
      </Inset>
    </Stack>
  );
}

function NothingHere({ run, onZoomOut }: { readonly run: RunDetail; readonly onZoomOut: (() => void) | null }) {
  const { search } = useRunSearch();
  if (onZoomOut === null && search.metrics === undefined) return <FirstMetrics run={run} />;
  return (
    <EmptyState
      title="No samples in this range"
      action={
        onZoomOut === null ? undefined : (
          <Button size="small" onClick={onZoomOut}>
            Zoom out
          </Button>
        )
      }
    >
      The run has points elsewhere, or these metrics have none.
    </EmptyState>
  );
}

interface PreparedInput {
  readonly run: RunDetail;
  readonly findings: readonly Finding[];
  readonly size: StackSize;
  readonly window: SeriesWindow;
}

function usePreparedStack({ run, findings, size, window }: PreparedInput): {
  readonly stack: PreparedStack | null;
  readonly notes: readonly string[];
} {
  const { search } = useRunSearch();
  const { zone } = useZone();
  const nowMs = useNow();
  // While another axis is on its way the old answer stays, on its own range: the asked one is in other units.
  const fits = window.axis === shownAxis(search.axis, run);
  const from = fits ? (search.from ?? null) : window.from;
  const to = fits ? (search.to ?? null) : window.to;
  const { overlay, note } = useOverlay({
    run,
    compare: search.compare,
    metrics: search.metrics ?? USUAL_METRICS,
    axis: window.axis,
    range: { from: from ?? window.from, to: to ?? window.to },
    buckets: bucketsFor(size.plotPx),
  });
  const fleet = useFleetLanes({
    run,
    metrics: search.fleet ?? NO_METRICS,
    axis: window.axis,
    range: { from: from ?? window.from, to: to ?? window.to },
    buckets: bucketsFor(size.plotPx),
  });
  // The clock decides only which dates bear a year; lanes need not be prepared anew each second for it.
  const dayMs = Math.floor(nowMs / 86_400_000) * 86_400_000;
  const stack = useMemo(() => {
    const view = search.attempt === undefined ? window : attemptAlone(window, search.attempt);
    return prepareStack({
      window: view,
      overlay,
      others: fleet.lines,
      lanes: laneSpecs(view, search, size.roomPx, fleetSpecs(search.fleet ?? NO_METRICS, fleet.lines)),
      range: { from, to },
      widthPx: size.plotPx,
      words: { axis: window.axis, zone, nowMs: dayMs },
      smoothing: search.smooth === undefined ? null : search.smooth * xPerStep(window),
      findings,
      attempts: run.attempts,
      checkpoints: run.checkpoints,
      notes: run.notes,
    });
  }, [
    window,
    overlay,
    fleet.lines,
    search,
    from,
    to,
    size.plotPx,
    size.roomPx,
    zone,
    dayMs,
    findings,
    run.attempts,
    run.checkpoints,
    run.notes,
  ]);
  return { stack, notes: note === null ? fleet.notes : [note, ...fleet.notes] };
}

const NO_METRICS: readonly string[] = [];

/** A lane for each metric of the fleet that can be drawn; why another cannot is said above the charts. */
function fleetSpecs(metrics: readonly string[], lines: readonly SeriesLine[]) {
  return metrics.flatMap((metric) => {
    const lane = fleetLaneMetric(metric);
    return lines.some((line) => line.metric === lane) ? [{ metric: lane, title: fieldOf(metric)?.title ?? metric }] : [];
  });
}

function stepsShown({ fromStep, toStep }: SeriesWindow): number | null {
  return fromStep === null || toStep === null ? null : toStep - fromStep;
}

/** How far a step reaches on the window's axis, on average. */
function xPerStep(window: SeriesWindow): number {
  const { axis, from, to, fromStep, toStep } = window;
  if (axis === "step" || from === null || to === null || fromStep === null || toStep === null || toStep <= fromStep) return 1;
  return (to - from) / (toStep - fromStep);
}

/** Tells the parts of the page above what is on show. */
function useShownEndsTold(stack: PreparedStack | null, window: SeriesWindow, waiting: number): void {
  const tell = useTellShownView();
  const from = stack?.from ?? null;
  const to = stack?.to ?? null;
  const { fromStep, toStep } = window;
  useEffect(() => {
    tell({ ends: { from, to }, steps: fromStep === null || toStep === null ? null : { from: fromStep, to: toStep }, waiting });
  }, [tell, from, to, fromStep, toStep, waiting]);
}
