import { getRouteApi } from "@tanstack/react-router";
import type { FleetLinksView } from "@trainwatch/core";
import { LinkGrid, LinkGridRow, Section, Text } from "@trainwatch/ui";
import { fleetQuantity, LinkBars } from "@trainwatch/ui/charts/fleet";
import { topTraffic } from "../../fleet-parts/link-words.ts";
import { Link } from "../../routing/link.tsx";
import { gpuWord, type NodeGpu } from "./node-gpu.ts";

const route = getRouteApi("/fleet/node/$nodeId");

/** A row of bars a GPU, all on one scale: a link that runs slow without errors shows beside its seven neighbours. */
export function NodeLinks({ view, gpus }: { readonly view: FleetLinksView; readonly gpus: readonly NodeGpu[] }) {
  const { at } = route.useSearch();
  const top = topTraffic(view.links);
  const full = fleetQuantity(top, { unit: "B/s", digits: 0 });
  const ids = [...new Set(view.links.map((link) => link.gpuId))];
  const order = gpus.map(({ id }) => id).filter((id) => ids.includes(id));
  return (
    <Section
      plain
      title="NVLink by GPU"
      note={`sent, a full bar is ${full.text} ${full.unit}; errors hang below`}
      trailing={<Text>hatched: not told</Text>}
    >
      <LinkGrid>
        {[...order, ...ids.filter((id) => !order.includes(id))].map((id) => (
          <LinkGridRow
            key={id}
            title={
              <Link to="/fleet/gpu/$gpuId" params={{ gpuId: id }} search={at === undefined ? {} : { at }} look="plain">
                {gpuWord(id, gpus)}
              </Link>
            }
          >
            <LinkBars links={view.links.filter((link) => link.gpuId === id)} label={`NVLink of ${gpuWord(id, gpus)}`} topPerS={top} />
          </LinkGridRow>
        ))}
      </LinkGrid>
    </Section>
  );
}
