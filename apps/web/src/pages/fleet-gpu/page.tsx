import { getRouteApi } from "@tanstack/react-router";
import type { FleetGpuView } from "@trainwatch/core";
import { Columns, EmptyState, HiddenHeading, Inline, Inset, Page, Rule, Section, SkeletonBlock, SkeletonRows, Text } from "@trainwatch/ui";
import { useFleetGpu, useFleetLayout } from "../../data/fleet.ts";
import { dataOf } from "../../data/loaded.ts";
import { GpuHistory } from "../../fleet-parts/gpu-history.tsx";
import { GpuReadings } from "../../fleet-parts/gpu-readings.tsx";
import { FleetEventList } from "../../fleet-parts/fleet-event-list.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { ButtonLink } from "../../routing/link.tsx";
import { GpuCharts } from "./gpu-charts.tsx";
import { GpuTitle } from "./gpu-title.tsx";

const route = getRouteApi("/fleet/gpu/$gpuId");

/** One GPU over jobs and reboots: what it reads, what happened to it, where it sat, and whom it sits beside. */
export function FleetGpuPage() {
  const { gpuId } = route.useParams();
  const { at } = route.useSearch();
  const gpu = useFleetGpu(gpuId, at ?? null);
  return (
    <Page label="GPU">
      <title>{`${gpuId} · Trainwatch`}</title>
      <LoadedView loaded={gpu} what="The GPU" skeleton={<GpuSkeleton />}>
        {(data) => <GpuView gpu={data} />}
      </LoadedView>
    </Page>
  );
}

function GpuView({ gpu }: { readonly gpu: FleetGpuView }) {
  const { at } = route.useSearch();
  const layout = dataOf(useFleetLayout(at ?? null));
  const row = layout?.gpu.id.indexOf(gpu.id) ?? -1;
  const run = layout?.runs[layout.gpu.run[row] ?? -1] ?? null;
  return (
    <>
      <GpuTitle gpu={gpu} run={run} rank={layout?.gpu.rank[row] ?? null} stage={layout?.gpu.stage[row] ?? null} />
      <Columns
        size="rail"
        asideLabel="Readings and history"
        aside={
          <>
            <GpuReadings gpu={gpu} limit={null} />
            <Rule />
            <GpuHistory gpu={gpu} limit={null} />
          </>
        }
      >
        <GpuCharts gpu={gpu} runId={run?.id ?? null} />
        <Rule />
        <Neighbours gpu={gpu} />
        <Rule />
        <Section
          title="Events"
          note={
            gpu.eventsTotal > gpu.events.length
              ? `newest ${gpu.events.length} of ${gpu.eventsTotal}`
              : "of this GPU and its links, newest first"
          }
        >
          {gpu.events.length === 0 ? (
            <EmptyState title="No event has been told of it">
              Kernel logs, fabric manager and XID gauges bring events. What is not read there is not seen: coverage says where.
            </EmptyState>
          ) : (
            <FleetEventList events={gpu.events} label="Events of this GPU" withHost={false} />
          )}
        </Section>
      </Columns>
    </>
  );
}

/** The other GPUs of its node. */
function Neighbours({ gpu }: { readonly gpu: FleetGpuView }) {
  const { at } = route.useSearch();
  return (
    <Section plain title="Beside it" note={gpu.node.host}>
      <Inset>
        {gpu.neighbours.length === 0 ? (
          <Text tone="label">It is the only GPU that is known on this node.</Text>
        ) : (
          <Inline wrap>
            {gpu.neighbours.map((neighbour) => (
              <ButtonLink
                key={neighbour.id}
                to="/fleet/gpu/$gpuId"
                params={{ gpuId: neighbour.id }}
                search={at === undefined ? {} : { at }}
                size="small"
                title={neighbour.id}
              >
                {neighbour.index === null ? neighbour.id.slice(0, 12) : `GPU ${neighbour.index}`}
              </ButtonLink>
            ))}
          </Inline>
        )}
      </Inset>
    </Section>
  );
}

function GpuSkeleton() {
  return (
    <>
      <HiddenHeading>GPU</HiddenHeading>
      <SkeletonBlock label="charts" heightPx={420} />
      <SkeletonRows label="events" rows={4} heightPx={24} />
    </>
  );
}
