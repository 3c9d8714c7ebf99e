import type { FleetGpuView, FleetMetricView } from "@trainwatch/core";
import {
  ActionRow,
  Button,
  EmptyState,
  formatInteger,
  Inset,
  KeyHint,
  Rule,
  SeverityShape,
  SkeletonRows,
  Stack,
  Text,
  Inline,
} from "@trainwatch/ui";
import { gpuTitle } from "@trainwatch/ui/charts/fleet";
import { useFleetGpu, useFleetLinks } from "../../data/fleet.ts";
import { CordonButton } from "../../fleet-parts/cordon-dialog.tsx";
import { GpuHistory } from "../../fleet-parts/gpu-history.tsx";
import { GpuLinks } from "../../fleet-parts/gpu-links.tsx";
import { GpuReadings } from "../../fleet-parts/gpu-readings.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { ButtonLink, Link } from "../../routing/link.tsx";
import { DiffersPanel } from "./differs-panel.tsx";
import { toggled, withBad } from "./bad.ts";
import { useFleetSearch } from "./use-fleet-search.ts";
import type { FleetView } from "./use-fleet-view.ts";

const READINGS = 10;
const HISTORY = 6;

/** What is known of the selected GPU at the time shown. */
export function FleetRail({ view, metric }: { readonly view: FleetView; readonly metric: FleetMetricView }) {
  const { search } = useFleetSearch();
  if (search.bad === undefined) return <Selection view={view} metric={metric} />;
  return (
    <>
      <DiffersPanel view={view} bad={search.bad} />
      {search.gpu === undefined ? null : (
        <>
          <Rule />
          <Selection view={view} metric={metric} />
        </>
      )}
    </>
  );
}

function Selection({ view, metric }: { readonly view: FleetView; readonly metric: FleetMetricView }) {
  const { search } = useFleetSearch();
  const gpu = useFleetGpu(search.gpu ?? null, search.at ?? null);
  if (search.gpu === undefined) return <NothingSelected metric={metric} />;
  return (
    <LoadedView loaded={gpu} what="The GPU" skeleton={<SkeletonRows label="the GPU" rows={14} heightPx={24} />}>
      {(data) => <SelectedGpu gpu={data} view={view} />}
    </LoadedView>
  );
}

function NothingSelected({ metric }: { readonly metric: FleetMetricView }) {
  return (
    <EmptyState title="No GPU is selected">
      <Stack>
        <span>A press on a cell shows its readings, links and history here.</span>
        <span>
          <KeyHint keys="n" /> goes to the GPU whose {metric.title.toLowerCase()} is least like that of its peers, <KeyHint keys="/" />{" "}
          finds one by UUID, host or rank.
        </span>
        <span>
          <KeyHint keys="b" />, or a press with Shift, chooses cells as the bad ones: what differs about them is then shown here.
        </span>
      </Stack>
    </EmptyState>
  );
}

function SelectedGpu({ gpu, view }: { readonly gpu: FleetGpuView; readonly view: FleetView }) {
  const { search, adjust } = useFleetSearch();
  const { layout } = view;
  const row = layout.gpu.id.indexOf(gpu.id);
  const links = useFleetLinks(gpu.node.id, search.at ?? null);
  const run = layout.runs[layout.gpu.run[row] ?? -1];
  const rank = layout.gpu.rank[row] ?? null;
  const stage = layout.gpu.stage[row] ?? null;
  const worst = gpu.incidents[0];
  const at = search.at === undefined ? {} : { at: search.at };
  return (
    <>
      <Inset>
        <Stack gap={0}>
          <Inline justify="between">
            <Text as="h2" size="lane" weight="bold" mono>
              {row < 0 ? gpu.node.host : gpuTitle(layout, row)}
            </Text>
            {worst === undefined ? null : (
              <Link to="/incidents/$incidentId" params={{ incidentId: worst.id }} look="plain">
                <SeverityShape mark={worst.severity} label={worst.severity} />
                {` #${worst.id}`}
              </Link>
            )}
          </Inline>
          <Text mono tone="text" title={gpu.id}>
            {gpu.id}
          </Text>
          <Text tone="text">
            {[
              ...(gpu.node.rack === null ? [] : [`rack ${gpu.node.rack}`]),
              ...(rank === null ? [] : [`rank ${formatInteger(rank)}`]),
              ...(stage === null ? [] : [`stage ${stage}`]),
              ...(gpu.model === null ? [] : [gpu.model]),
            ].join(", ")}
          </Text>
          {run === undefined ? null : (
            <Link to="/runs/$runId" params={{ runId: run.id }}>
              {run.name}
            </Link>
          )}
          {gpu.node.cordoned === null ? null : <Text tone="warning">{`Node cordoned: ${gpu.node.cordoned.why}`}</Text>}
        </Stack>
      </Inset>
      <Rule />
      <GpuReadings gpu={gpu} limit={READINGS} />
      <Rule />
      <LoadedView loaded={links} what="The links" skeleton={<SkeletonRows label="links" rows={3} heightPx={24} />}>
        {(data) => <GpuLinks gpuId={gpu.id} view={data} />}
      </LoadedView>
      <Rule />
      <GpuHistory gpu={gpu} limit={HISTORY} />
      <ActionRow>
        <CordonButton node={gpu.node} />
        <Button size="small" kind="quiet" onClick={() => adjust((before) => withBad(before, toggled(before.bad ?? [], gpu.id)))}>
          {search.bad?.includes(gpu.id) === true ? "Not a bad one" : "What differs"}
        </Button>
        <ButtonLink to="/fleet/gpu/$gpuId" params={{ gpuId: gpu.id }} search={at} size="small" kind="quiet">
          History
        </ButtonLink>
        <ButtonLink to="/fleet/node/$nodeId" params={{ nodeId: gpu.node.id }} search={at} size="small" kind="quiet">
          Node
        </ButtonLink>
      </ActionRow>
    </>
  );
}
