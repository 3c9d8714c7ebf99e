import type { FleetMetricView } from "@trainwatch/core";
import { HiddenHeading, Page, SkeletonBlock } from "@trainwatch/ui";
import { createCellCursor } from "@trainwatch/ui/charts/fleet";
import { useState } from "react";
import { useNow } from "../../clock/now.tsx";
import { useFleetMetrics } from "../../data/fleet.ts";
import { dataOf } from "../../data/loaded.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { FleetColumns } from "./fleet-columns.tsx";
import { FleetTitle } from "./fleet-title.tsx";
import { FleetNotices } from "./fleet-notices.tsx";
import { shownMetric } from "./metric-choice.ts";
import { NoFleet, NoMetric } from "./no-fleet.tsx";
import { useFleetSearch } from "./use-fleet-search.ts";
import { useFleetView } from "./use-fleet-view.ts";
import { usePlay } from "./use-play.ts";

/** The fleet at a glance: which cell or rack is lit, at which time, and what is known of the selected GPU. */
export function FleetPage() {
  const metrics = useFleetMetrics();
  return (
    <Page label="Fleet">
      <title>Fleet · Trainwatch</title>
      <LoadedView loaded={metrics} what="The fleet" skeleton={<FleetSkeleton />}>
        {(data) => <Fleet metrics={data} />}
      </LoadedView>
    </Page>
  );
}

function Fleet({ metrics }: { readonly metrics: readonly FleetMetricView[] }) {
  const { search } = useFleetSearch();
  const nowMs = useNow();
  const play = usePlay();
  const [cursor] = useState(createCellCursor);
  const metric = shownMetric(search.metric, metrics);
  const { layout, frame, events, incidents, view } = useFleetView({ metric, atMs: search.at ?? null, nowMs, play: play.shown });
  const known = view?.layout ?? dataOf(layout);
  return (
    <>
      {known === null ? (
        <HiddenHeading>Fleet</HiddenHeading>
      ) : (
        <FleetTitle layout={known} metrics={metrics} metric={metric} cursor={cursor} />
      )}
      <LoadedView loaded={layout} what="The layout of the fleet" skeleton={<MapSkeleton />}>
        {() =>
          known === null || known.gpu.id.length === 0 ? (
            <NoFleet past={search.at !== undefined} />
          ) : metric === null ? (
            <NoMetric />
          ) : (
            <>
              <FleetNotices layout={known} play={play} />
              <LoadedView loaded={incidents} what="The list of accused nodes" skeleton={null}>
                {() => null}
              </LoadedView>
              <LoadedView loaded={events} what="What happened to the fleet" skeleton={null}>
                {() => null}
              </LoadedView>
              <LoadedView loaded={frame} what="The map" skeleton={<MapSkeleton />}>
                {() => (view === null ? <MapSkeleton /> : <FleetColumns view={view} metric={metric} play={play} cursor={cursor} />)}
              </LoadedView>
            </>
          )
        }
      </LoadedView>
    </>
  );
}

/** About what the map takes: what stands below must not jump when it comes. */
const MAP_PX = 520;

function MapSkeleton() {
  return <SkeletonBlock label="the map" heightPx={MAP_PX} />;
}

function FleetSkeleton() {
  return (
    <>
      <HiddenHeading>Fleet</HiddenHeading>
      <MapSkeleton />
    </>
  );
}
