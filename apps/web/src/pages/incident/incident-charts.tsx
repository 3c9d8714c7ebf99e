import { getRouteApi } from "@tanstack/react-router";
import type { Finding, IncidentDetail, SeriesWindow } from "@trainwatch/core";
import { Button, EmptyState, Inline, Inset, SkeletonBlock, Text } from "@trainwatch/ui";
import { ChartStack, LaneTable, prepareStack, useStackSize, type StackSize } from "@trainwatch/ui/charts";
import { useMemo } from "react";
import { useNow } from "../../clock/now.tsx";
import { dataOf } from "../../data/loaded.ts";
import { useRun } from "../../data/runs.ts";
import { bucketsFor, useSeriesWindow } from "../../data/series.ts";
import { useKeys } from "../../keys/keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Link } from "../../routing/link.tsx";
import { useZone } from "../../zone/zone.tsx";
import { FleetCharts } from "./fleet-charts.tsx";
import { drawnFindings, laneMetrics, laneSpecs } from "./lane-specs.ts";
import { useShownRange } from "./shown-range.ts";
import { useRankLines } from "./use-rank-lines.ts";
import { useSuspectLane } from "./use-suspect-lane.ts";

const route = getRouteApi("/incidents/$incidentId");
const LABEL_PX = 172;
/** About what five lanes take: the page below must not jump when they come. */
const SKELETON_PX = 300;

interface ChartsProps {
  readonly incident: IncidentDetail;
  readonly lead: Finding | null;
}

/** The fault on one axis with what stands around it: onset, detection and the interval through all lanes. */
export function IncidentCharts({ incident, lead }: ChartsProps) {
  const [ref, size] = useStackSize(LABEL_PX);
  return (
    <div ref={ref}>
      {incident.runId === null ? (
        <FleetCharts incident={incident} />
      ) : size === null ? (
        <SkeletonBlock label="charts" heightPx={SKELETON_PX} />
      ) : (
        <Charts runId={incident.runId} incident={incident} lead={lead} size={size} />
      )}
    </div>
  );
}

function Charts({ runId, incident, lead, size }: ChartsProps & { readonly runId: number; readonly size: StackSize }) {
  const range = useShownRange(incident);
  const metrics = useMemo(() => laneMetrics(incident.findings, lead), [incident.findings, lead]);
  const loaded = useSeriesWindow({ runId, metrics, axis: "step", ...range, buckets: bucketsFor(size.plotPx) });
  return (
    <LoadedView loaded={loaded} what="The charts" skeleton={<SkeletonBlock label="charts" heightPx={SKELETON_PX} />}>
      {(window) => <Stack runId={runId} incident={incident} metrics={metrics} window={window} size={size} />}
    </LoadedView>
  );
}

interface StackProps {
  readonly runId: number;
  readonly incident: IncidentDetail;
  readonly metrics: readonly string[];
  readonly window: SeriesWindow;
  readonly size: StackSize;
}

function Stack({ runId, incident, metrics, window, size }: StackProps) {
  const { zone } = useZone();
  const nowMs = useNow();
  const run = dataOf(useRun(runId));
  const shown = useShownRange(incident);
  const navigate = route.useNavigate();
  const { from, to, table } = route.useSearch();
  const isZoomed = from !== undefined || to !== undefined;
  const zoomOut = (): void => void navigate({ search: ({ from: _from, to: _to, ...rest }) => rest });
  useKeys(isZoomed ? [{ keys: "t z", label: "Zoom out", group: "Charts", run: zoomOut }] : []);
  // Without a time on the axis the clock only matters to the minute, and the stack need not be decided anew each second.
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
  const suspect = useSuspectLane(incident, run, shown, bucketsFor(size.plotPx));
  const singles = useRankLines(incident, runId, metrics, shown, bucketsFor(size.plotPx));
  const findings = useMemo(() => drawnFindings(incident.findings), [incident.findings]);
  const stack = useMemo(
    () =>
      prepareStack({
        window,
        overlay: null,
        others: suspect.lines,
        singles,
        lanes: [...laneSpecs(metrics, new Set(window.lines.map((line) => line.metric)), incident.findings), ...suspect.specs],
        range: { from: shown.from, to: shown.to },
        widthPx: size.plotPx,
        words: { axis: "step", zone, nowMs: minuteMs },
        smoothing: null,
        findings,
        attempts: run?.attempts ?? [],
        checkpoints: incident.checkpoints,
        notes: run?.notes ?? [],
      }),
    [window, metrics, incident, findings, suspect, singles, shown.from, shown.to, size.plotPx, zone, minuteMs, run],
  );
  if (stack === null)
    return (
      <EmptyState
        title="No samples in this range"
        action={
          isZoomed ? (
            <Button size="small" onClick={zoomOut}>
              Zoom out
            </Button>
          ) : undefined
        }
      />
    );
  return (
    <>
      {table === true ? (
        stack.lanes.map((lane) => <LaneTable key={lane.spec.metric} lane={lane} heightPx={lane.spec.heightPx * 2} />)
      ) : (
        <ChartStack
          stack={stack}
          size={size}
          label={`Signals of ${incident.runName} around the onset`}
          onZoom={(zoomFrom, zoomTo) =>
            void navigate({ search: (search) => ({ ...search, from: Math.floor(zoomFrom), to: Math.ceil(zoomTo) }) })
          }
          onZoomOut={zoomOut}
        />
      )}
      <Inset>
        <Inline gap={3}>
          <Text size="label" tone="label">
            {stack.badge.text}
            {suspect.note === null ? "" : `. ${suspect.note}`}
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
          <Link
            to="/runs/$runId"
            params={{ runId }}
            search={{ axis: "step", ...(shown.from === null ? {} : { from: shown.from }), ...(shown.to === null ? {} : { to: shown.to }) }}
          >
            Open in the run
          </Link>
        </Inline>
      </Inset>
    </>
  );
}
