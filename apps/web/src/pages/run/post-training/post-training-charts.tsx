import type { PostTrainingView, RunDetail, SeriesWindow } from "@trainwatch/core";
import { Button, EmptyState, Inline, Inset, SkeletonBlock } from "@trainwatch/ui";
import { ChartStack, LaneTable, nextScale, prepareStack, type PreparedStack, type StackSize } from "@trainwatch/ui/charts";
import { useEffect, useMemo, useState } from "react";
import { useNow } from "../../../clock/now.tsx";
import { bucketsFor, useSeriesWindow } from "../../../data/series.ts";
import { useKeys } from "../../../keys/keys.tsx";
import { LoadedView } from "../../../loaded-view/loaded-view.tsx";
import { useZone } from "../../../zone/zone.tsx";
import { whiskerWords } from "../../../checkpoint-parts/whisker-words.ts";
import { attemptAlone } from "../attempt-alone.ts";
import { shownAxis } from "../axis-choice.ts";
import { useHeld } from "../held.ts";
import { laneScale, withScale, withYMode } from "../lane-specs.ts";
import { newerPoints } from "../new-points.ts";
import { without } from "../search.ts";
import { useTellShownView } from "../shown-view.tsx";
import { STACK_PX } from "../stack-measures.ts";
import { useRunSearch } from "../use-run-search.ts";
import { postTrainingLanes, postTrainingMetrics } from "./post-training-lanes.ts";
import { useStepZoom } from "./step-zoom.ts";

export interface PostTrainingChartsProps {
  readonly run: RunDetail;
  readonly view: PostTrainingView;
  /** One launch alone; left out it is the effective view. */
  readonly attempt: string | undefined;
  readonly size: StackSize;
}

/** Always over steps: evaluations have a step, and seldom a time. */
export function PostTrainingCharts(props: PostTrainingChartsProps) {
  const { run, view, attempt, size } = props;
  const range = useStepRange(run);
  const metrics = useMemo(() => postTrainingMetrics(view), [view]);
  const loaded = useSeriesWindow({
    runId: run.id,
    metrics,
    axis: "step",
    ...range,
    buckets: bucketsFor(size.plotPx),
    ...(attempt === undefined ? {} : { attempts: [attempt] }),
  });
  return (
    <LoadedView loaded={loaded} what="The charts" skeleton={<SkeletonBlock label="charts" heightPx={Math.max(STACK_PX, size.roomPx)} />}>
      {(window) => <Lanes {...props} latest={window} />}
    </LoadedView>
  );
}

/** Steps of the URL; a range on another axis is none of this view's. */
function useStepRange(run: RunDetail): { readonly from: number | null; readonly to: number | null } {
  const { search } = useRunSearch();
  const isStep = shownAxis(search.axis, run) === "step";
  return { from: isStep ? (search.from ?? null) : null, to: isStep ? (search.to ?? null) : null };
}

function Lanes(props: PostTrainingChartsProps & { readonly latest: SeriesWindow }) {
  const { run, size, latest } = props;
  const { search, adjust } = useRunSearch();
  const range = useStepRange(run);
  const [held, setHeld] = useState(false);
  const [lane, setLane] = useState<string | null>(null);
  const question = JSON.stringify([range, latest.from === null, props.attempt]);
  const window = useHeld(question, latest, held && range.to === null);
  const stack = useStack({ ...props, window });
  useShownStepsTold(run, stack, range.to === null ? newerPoints(window, latest) : 0);
  const zoom = useStepZoom(run);
  const rescale = (metric: string): void => adjust((before) => withScale(before, metric, nextScale(laneScale(metric, before))));
  const target = lane ?? stack?.lanes[0]?.spec.metric;
  useKeys(
    target === undefined
      ? []
      : [{ keys: "l", label: "Scale of the lane: linear, log, symlog", group: "Charts", run: () => rescale(target) }],
  );
  if (stack === null) return <EmptyState title="No samples in this range" />;
  return (
    <>
      {search.table === true ? (
        stack.lanes.map((shown) => <LaneTable key={shown.spec.metric} lane={shown} heightPx={shown.spec.heightPx * 2} />)
      ) : (
        <ChartStack
          stack={stack}
          size={size}
          label={`Post-training of ${run.name}`}
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
          <span data-part="drawn">{`Line is the mean of each bin, band its min to max. ${whiskerWords(props.view.heldOut?.points ?? [])} ${stack.badge.text}.`}</span>
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
    </>
  );
}

function useStack(input: PostTrainingChartsProps & { readonly window: SeriesWindow }): PreparedStack | null {
  const { run, view, attempt, size, window } = input;
  const { search } = useRunSearch();
  const { zone } = useZone();
  const nowMs = useNow();
  const { from, to } = useStepRange(run);
  // On the step axis the clock only decides which dates bear a year.
  const dayMs = Math.floor(nowMs / 86_400_000) * 86_400_000;
  return useMemo(() => {
    const shown = attempt === undefined ? window : attemptAlone(window, attempt);
    const { specs, lines } = postTrainingLanes({ view, window: shown, search, roomPx: size.roomPx });
    const ends = lines.flatMap(({ stepFirst, stepLast }) => [stepFirst[0], stepLast.at(-1)]).filter((step) => step !== undefined);
    return prepareStack({
      window: shown,
      overlay: null,
      others: lines,
      lanes: specs,
      range: { from: from ?? least(window.from, ends), to: to ?? most(window.to, ends) },
      widthPx: size.plotPx,
      words: { axis: "step", zone, nowMs: dayMs },
      smoothing: search.smooth ?? null,
      findings: view.findings,
      attempts: run.attempts,
      checkpoints: run.checkpoints,
      notes: [],
    });
  }, [window, view, search, from, to, attempt, size.plotPx, size.roomPx, zone, dayMs, run.attempts, run.checkpoints]);
}

/** Evaluations may reach beyond the samples that are kept: a scorecard of step 0, of a step past the log's end. */
function least(end: number | null, steps: readonly number[]): number | null {
  const all = end === null ? steps : [end, ...steps];
  return all.length === 0 ? null : Math.min(...all);
}
function most(end: number | null, steps: readonly number[]): number | null {
  const all = end === null ? steps : [end, ...steps];
  return all.length === 0 ? null : Math.max(...all);
}

/** Tells the parts of the page above what is on show; with the URL on another axis they keep to that. */
function useShownStepsTold(run: RunDetail, stack: PreparedStack | null, waiting: number): void {
  const tell = useTellShownView();
  const { search } = useRunSearch();
  const isStep = shownAxis(search.axis, run) === "step";
  const from = stack?.from ?? null;
  const to = stack?.to ?? null;
  useEffect(() => {
    tell({
      ends: isStep ? { from, to } : { from: null, to: null },
      steps: from === null || to === null ? null : { from, to },
      waiting,
    });
  }, [tell, isStep, from, to, waiting]);
}
