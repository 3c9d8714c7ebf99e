import { getRouteApi } from "@tanstack/react-router";
import type { Passport, PostTrainingView, SeriesWindow, TrendView } from "@trainwatch/core";
import { Button, EmptyState, Inline, Inset, SkeletonBlock, Text } from "@trainwatch/ui";
import { ChartStack, LaneTable, prepareStack, useStackSize, type StackSize } from "@trainwatch/ui/charts";
import { useMemo } from "react";
import { whiskerWords } from "../../checkpoint-parts/whisker-words.ts";
import { useNow } from "../../clock/now.tsx";
import { dataOf } from "../../data/loaded.ts";
import { usePostTraining } from "../../data/post-training.ts";
import { useTrends } from "../../data/scorecards.ts";
import { bucketsFor, useSeriesWindow } from "../../data/series.ts";
import { useKeys } from "../../keys/keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Link } from "../../routing/link.tsx";
import { useZone } from "../../zone/zone.tsx";
import { passportLanes, passportMetrics } from "./passport-lanes.ts";

const route = getRouteApi("/checkpoints/$checkpointId");
const LABEL_PX = 176;
/** Three lanes and the axis. */
export const CHARTS_PX = 328;

/** Proxy, held-out score and KL on one axis, this checkpoint's step through all of them. */
export function PassportCharts({ passport }: { readonly passport: Passport }) {
  const [ref, size] = useStackSize(LABEL_PX);
  const { runId } = passport.run;
  const view = usePostTraining({ runId });
  const trends = useTrends(runId);
  const waits = view.status === "loading" || trends.status === "loading";
  return (
    <div ref={ref}>
      {size === null || waits ? (
        <SkeletonBlock label="charts" heightPx={CHARTS_PX} />
      ) : (
        <LoadedView loaded={view} what="The evaluations of the run" skeleton={<SkeletonBlock label="charts" heightPx={CHARTS_PX} />}>
          {(data) => <Charts passport={passport} view={data} trends={dataOf(trends) ?? NO_TRENDS} size={size} />}
        </LoadedView>
      )}
    </div>
  );
}

const NO_TRENDS: readonly TrendView[] = [];

/** What was rolled back says nothing of these weights, unless they are of it. */
function onTheWay(window: SeriesWindow, attempt: string): SeriesWindow {
  const counts = (line: SeriesWindow["lines"][number]): boolean => !line.superseded || line.attempt === attempt;
  return { ...window, lines: window.lines.filter(counts), spreads: window.spreads.filter(counts) };
}

interface ChartsProps {
  readonly passport: Passport;
  readonly view: PostTrainingView;
  readonly trends: readonly TrendView[];
  readonly size: StackSize;
}

function Charts(props: ChartsProps) {
  const { passport, view, size } = props;
  const { from, to } = route.useSearch();
  const metrics = useMemo(() => passportMetrics(view), [view]);
  const loaded = useSeriesWindow({
    runId: passport.run.runId,
    metrics,
    axis: "step",
    from: from ?? null,
    to: to ?? null,
    buckets: bucketsFor(size.plotPx),
  });
  return (
    <LoadedView loaded={loaded} what="The charts" skeleton={<SkeletonBlock label="charts" heightPx={CHARTS_PX} />}>
      {(window) => <Stack {...props} window={window} />}
    </LoadedView>
  );
}

function Stack({ passport, view, trends, size, window }: ChartsProps & { readonly window: SeriesWindow }) {
  const { zone } = useZone();
  const nowMs = useNow();
  const navigate = route.useNavigate();
  const { from, to, table } = route.useSearch();
  const isZoomed = from !== undefined || to !== undefined;
  const zoomOut = (): void => void navigate({ search: ({ from: _from, to: _to, ...rest }) => rest });
  useKeys(isZoomed ? [{ keys: "t z", label: "Zoom out", group: "Charts", run: zoomOut }] : []);
  // On the step axis the clock only decides which dates bear a year.
  const dayMs = Math.floor(nowMs / 86_400_000) * 86_400_000;
  const { step, attempt } = passport.checkpoint;
  const stack = useMemo(() => {
    const shown = onTheWay(window, attempt);
    const { specs, lines, reach } = passportLanes({ view, trends, window: shown, hereStep: step });
    return prepareStack({
      window: shown,
      overlay: null,
      others: lines,
      lanes: specs,
      range: { from: from ?? Math.min(reach.from, step), to: to ?? Math.max(reach.to, step) },
      widthPx: size.plotPx,
      words: { axis: "step", zone, nowMs: dayMs },
      smoothing: null,
      findings: [],
      attempts: [],
      checkpoints: [],
      notes: [],
      hereStep: step,
    });
  }, [view, trends, window, step, from, to, size.plotPx, zone, dayMs, attempt]);
  if (stack === null) return <EmptyState title="No samples in this range" />;
  return (
    <>
      {table === true ? (
        stack.lanes.map((lane) => <LaneTable key={lane.spec.metric} lane={lane} heightPx={lane.spec.heightPx * 2} />)
      ) : (
        <ChartStack
          stack={stack}
          size={size}
          label={`Training of ${passport.run.name} around this checkpoint`}
          onZoom={(zoomFrom, zoomTo) =>
            void navigate({ search: (search) => ({ ...search, from: Math.floor(zoomFrom), to: Math.ceil(zoomTo) }) })
          }
          onZoomOut={zoomOut}
        />
      )}
      <Inset foot>
        <Inline gap={3} wrap>
          <Text size="label" tone="label">
            {`${whiskerWords(stack.lanes.flatMap(({ spec }) => spec.estimate?.points ?? []))} ${stack.badge.text}`.trim()}
          </Text>
          {isZoomed ? (
            <Button size="small" kind="quiet" onClick={zoomOut}>
              Zoom out
            </Button>
          ) : null}
          <Button
            size="small"
            kind="quiet"
            onClick={() =>
              void navigate({ search: ({ table: before, ...rest }) => (before === true ? rest : { ...rest, table: true }), replace: true })
            }
          >
            {table === true ? "Show as charts" : "Show as tables"}
          </Button>
          <Link to="/runs/$runId" params={{ runId: passport.run.runId }} search={view.isPostTraining ? { tab: "post-training" } : {}}>
            Open in the run
          </Link>
        </Inline>
      </Inset>
    </>
  );
}
