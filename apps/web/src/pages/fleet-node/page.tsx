import { getRouteApi } from "@tanstack/react-router";
import type { FleetLinksView } from "@trainwatch/core";
import { Columns, EmptyState, Hatched, HiddenHeading, Inset, Page, Rule, Section, SkeletonBlock, SkeletonRows, Text } from "@trainwatch/ui";
import { useFleetEvents, useFleetLayout, useFleetLinks } from "../../data/fleet.ts";
import { dataOf } from "../../data/loaded.ts";
import { FleetEventList } from "../../fleet-parts/fleet-event-list.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { LeftOut } from "../../paging/left-out.tsx";
import { LinkTable } from "./link-table.tsx";
import { NodeCharts } from "./node-charts.tsx";
import { NodeLinks } from "./node-links.tsx";
import { NodeTitle } from "./node-title.tsx";

const route = getRouteApi("/fleet/node/$nodeId");

/** A node's NVLinks by traffic and errors, its GPUs beside each other, and what happened on it. */
export function FleetNodePage() {
  const { nodeId } = route.useParams();
  const { at } = route.useSearch();
  const links = useFleetLinks(nodeId, at ?? null);
  return (
    <Page label="Node">
      <title>{`Node ${nodeId} · Trainwatch`}</title>
      <LoadedView loaded={links} what="The node" skeleton={<NodeSkeleton />}>
        {(data) => <NodeView view={data} />}
      </LoadedView>
    </Page>
  );
}

const EVENTS = 50;

function NodeView({ view }: { readonly view: FleetLinksView }) {
  const { at } = route.useSearch();
  const layout = dataOf(useFleetLayout(at ?? null));
  const node = layout?.nodes.findIndex(({ id }) => id === view.node.id) ?? -1;
  const gpus =
    layout === null
      ? []
      : layout.gpu.id.flatMap((id, gpu) =>
          layout.gpu.node[gpu] === node && node >= 0 ? [{ id, index: layout.gpu.index[gpu] ?? null }] : [],
        );
  return (
    <>
      <NodeTitle view={view} gpus={layout === null ? null : gpus} />
      <Columns size="evidence" asideLabel="Links in numbers" aside={<LinkTable view={view} gpus={gpus} />}>
        {view.links.length === 0 ? (
          <Section plain title="NVLink" note="of single links: unknown">
            <Inset>
              <Hatched heightPx={96}>no source tells of single links</Hatched>
              <Text tone="label" size="label">
                dcgm-exporter sends them where its list has the DCP per-link fields; nvidia-smi nvlink -s and -e through an agent. Until
                then nothing can be said of them, and that is no sign of health.
              </Text>
            </Inset>
          </Section>
        ) : (
          <NodeLinks view={view} gpus={gpus} />
        )}
        <Rule />
        <NodeCharts nodeId={view.node.id} gpus={gpus} />
        <Rule />
        <NodeEvents nodeId={view.node.id} />
      </Columns>
    </>
  );
}

function NodeEvents({ nodeId }: { readonly nodeId: string }) {
  const events = useFleetEvents({ nodeId, fromMs: null, toMs: null, limit: EVENTS });
  return (
    <Section title="Events" note="of the node and all that sits in it, newest first">
      <LoadedView loaded={events} what="The events" skeleton={<SkeletonRows label="events" rows={4} heightPx={24} />}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title="No event has been told of it" />
          ) : (
            <>
              <FleetEventList events={page.items} label="Events of this node" withHost={false} />
              <LeftOut shown={page.items.length} total={page.total} noun="event" />
            </>
          )
        }
      </LoadedView>
    </Section>
  );
}

function NodeSkeleton() {
  return (
    <>
      <HiddenHeading>Node</HiddenHeading>
      <SkeletonBlock label="links" heightPx={300} />
      <SkeletonRows label="events" rows={4} heightPx={24} />
    </>
  );
}
