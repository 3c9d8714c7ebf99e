import { getRouteApi } from "@tanstack/react-router";
import type { Overview } from "@trainwatch/core";
import { Columns, EmptyState, HiddenHeading, Page, SkeletonReadouts, SkeletonRows } from "@trainwatch/ui";
import { dataOf } from "../../data/loaded.ts";
import { useOverview, useStatus } from "../../data/system.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { DataHealth } from "./data-health.tsx";
import { FleetStrip } from "./fleet-strip.tsx";
import { OpenIncidents } from "./open-incidents.tsx";
import { OverviewReadouts } from "./overview-readouts.tsx";
import { OverviewRuns } from "./overview-runs.tsx";
import { RecentNews } from "./recent-news.tsx";

const route = getRouteApi("/");

/** What needs me now. */
export function OverviewPage() {
  const overview = useOverview();
  const status = dataOf(useStatus());
  // Without an active run the overview may be bare although old runs are there.
  const nothingCame = status !== null && status.newestRunSampleAtMs === null;
  return (
    <Page label="Overview">
      <title>Overview · Trainwatch</title>
      <HiddenHeading>Overview</HiddenHeading>
      <LoadedView loaded={overview} what="The overview" skeleton={<OverviewSkeleton />}>
        {(data) => (data.runs.length === 0 && data.openTotals.total === 0 && nothingCame ? <NoRuns /> : <Filled overview={data} />)}
      </LoadedView>
    </Page>
  );
}

function Filled({ overview }: { readonly overview: Overview }) {
  const { incident } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <DataHealth />
      <OverviewReadouts overview={overview} />
      <OpenIncidents
        incidents={overview.incidents}
        total={overview.openTotals.total}
        selected={incident}
        onSelect={(id) => void navigate({ search: (search) => ({ ...search, incident: id }), replace: true })}
      />
      <Columns size="wide" asideLabel="Recent" aside={<RecentNews recent={overview.recent} />}>
        <OverviewRuns runs={overview.runs} />
      </Columns>
      <FleetStrip />
    </>
  );
}

function NoRuns() {
  return (
    <EmptyState title="No run has sent anything yet" command="npx trainwatch import path/to/train.log">
      Read a log of any known format into a run, or push samples to <code>/trpc/ingest.push</code>. To look around first:{" "}
      <code>npm run demo</code>.
    </EmptyState>
  );
}

function OverviewSkeleton() {
  return (
    <>
      <SkeletonReadouts label="readouts" count={5} />
      <SkeletonRows label="open incidents" rows={4} heightPx={52} />
      <SkeletonRows label="runs" rows={6} heightPx={35} />
    </>
  );
}
