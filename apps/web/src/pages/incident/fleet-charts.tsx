import { type FleetEventPage, type IncidentDetail } from "@trainwatch/core";
import { Button, EmptyState, formatClock, formatCount, Inset, Rule, Section, SkeletonRows, Text } from "@trainwatch/ui";
import { getRouteApi } from "@tanstack/react-router";
import { Fragment, useMemo } from "react";
import { useNow } from "../../clock/now.tsx";
import { useFleetEvents, useFleetGpu } from "../../data/fleet.ts";
import { dataOf } from "../../data/loaded.ts";
import { FleetEventList } from "../../fleet-parts/fleet-event-list.tsx";
import { MetricFan } from "../../fleet-parts/metric-fan.tsx";
import { useKeys } from "../../keys/keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { ButtonLink } from "../../routing/link.tsx";
import { useZone } from "../../zone/zone.tsx";
import { accusedSeries, firstAccused, fleetWindow } from "./fleet-window.ts";

const route = getRouteApi("/incidents/$incidentId");

/** What is worth seeing beside a fault of a GPU, as far as it is sent. */
const COMPANIONS = ["DCGM_FI_DEV_GPU_TEMP_CELSIUS", "DCGM_FI_DEV_BOARD_POWER_WATTS", "DCGM_FI_DEV_SM_CLOCK"] as const;
const CHARTS = 3;
const FIRST_PX = 168;
const OTHER_PX = 104;
const BUCKETS = 512;
const EVENTS = 12;

/** A fault of the fleet on wall time: the accused thing's readings among those of its node, and what its node said. */
export function FleetCharts({ incident }: { readonly incident: IncidentDetail }) {
  const nowMs = useNow();
  const { zone } = useZone();
  const { from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const isZoomed = from !== undefined && to !== undefined;
  const zoomOut = (): void => void navigate({ search: ({ from: _from, to: _to, ...rest }) => rest });
  useKeys(isZoomed ? [{ keys: "t z", label: "Zoom out", group: "Charts", run: zoomOut }] : []);
  const suspect = useMemo(() => firstAccused(incident.findings), [incident.findings]);
  const accused = useMemo(() => accusedSeries(incident.findings, CHARTS), [incident.findings]);
  const whole = fleetWindow(incident, lastEnd(incident), nowMs);
  const gpu = dataOf(useFleetGpu(suspect?.gpuId ?? null, null));
  if (whole === null || suspect === null)
    return (
      <EmptyState title="No chart of it">{whole === null ? "Nobody knows when it began." : "No finding names a GPU or a node."}</EmptyState>
    );
  const window = isZoomed && to > from ? { fromMs: from, toMs: to } : whole;
  const sent = new Set(gpu?.readings.map(({ metric }) => metric) ?? []);
  const companions =
    suspect.gpuId === null ? [] : COMPANIONS.filter((metric) => sent.has(metric) && accused.every((each) => each.metric !== metric));
  const shown = [...accused, ...companions.map((metric) => ({ ...suspect, metric, entityId: suspect.gpuId ?? "" }))].slice(0, CHARTS);
  const marks = [
    ...(incident.onsetTimeMs === null
      ? []
      : [{ atMs: incident.onsetTimeMs, text: `onset ${formatClock(incident.onsetTimeMs, zone)}`, kind: "onset" as const }]),
    ...(incident.detectedTimeMs === null
      ? []
      : [{ atMs: incident.detectedTimeMs, text: `detected ${formatClock(incident.detectedTimeMs, zone)}`, kind: "detected" as const }]),
  ];
  return (
    <>
      {shown.map(({ metric, entityId, gpuId, nodeId }, index) => (
        <Fragment key={`${metric} ${entityId}`}>
          {index === 0 ? null : <Rule />}
          <MetricFan
            question={{ metric, ...window, buckets: BUCKETS, ...(nodeId === null ? { entityIds: [gpuId ?? entityId] } : { nodeId }) }}
            lit={entityId.includes("/link/") ? entityId : (gpuId ?? entityId)}
            title={seriesWord}
            heightPx={index === 0 ? FIRST_PX : OTHER_PX}
            onZoom={(fromMs, toMs) => void navigate({ search: (before) => ({ ...before, from: Math.floor(fromMs), to: Math.ceil(toMs) }) })}
            marks={marks}
            accused
          />
        </Fragment>
      ))}
      {shown.length === 0 ? <EmptyState title="No field of it is sent">What is known of it are events, below.</EmptyState> : null}
      <Inset>
        <Text size="label" tone="label">
          The lit line is the accused one, grey ones are its node's others.{" "}
        </Text>
        {isZoomed ? (
          <Button size="small" kind="quiet" onClick={zoomOut}>
            Zoom out
          </Button>
        ) : null}
        <ButtonLink
          to="/fleet"
          search={{ at: Math.round(incident.onsetTimeMs ?? window.toMs), ...(suspect.gpuId === null ? {} : { gpu: suspect.gpuId }) }}
          size="small"
          kind="quiet"
        >
          On the fleet map
        </ButtonLink>
      </Inset>
      {suspect.nodeId === null ? null : (
        <>
          <Rule />
          <NodeEvents nodeId={suspect.nodeId} host={suspect.host} window={whole} />
        </>
      )}
    </>
  );
}

/** What the node said around the time; a burst is one line, whatever its count. */
function NodeEvents({
  nodeId,
  host,
  window,
}: {
  readonly nodeId: string;
  readonly host: string | null;
  readonly window: { readonly fromMs: number; readonly toMs: number };
}) {
  const events = useFleetEvents({ nodeId, ...window, limit: EVENTS });
  return (
    <LoadedView loaded={events} what="The events" skeleton={<SkeletonRows label="events" rows={4} heightPx={24} />}>
      {(page) => <EventsOf page={page} host={host} />}
    </LoadedView>
  );
}

function EventsOf({ page, host }: { readonly page: FleetEventPage; readonly host: string | null }) {
  const note =
    page.total > page.items.length
      ? `the newest ${page.items.length} of ${formatCount(page.total, "event")}`
      : formatCount(page.total, "event");
  return (
    <Section plain title={`Events of ${host ?? "its node"}`} note={note}>
      {page.items.length === 0 ? (
        <Inset>
          <Text tone="label">Its node said nothing around that time.</Text>
        </Inset>
      ) : (
        <FleetEventList events={page.items} label="Events" withHost={false} />
      )}
    </Section>
  );
}

function seriesWord(entityId: string): string {
  const [head = entityId, ...rest] = entityId.split("/");
  return [head.startsWith("GPU-") ? head.slice(0, 8) : head.slice(0, 10), ...rest].join(" ");
}

/** When the last finding was over, as far as they tell. */
function lastEnd({ findings }: IncidentDetail): number | null {
  const ends = findings.flatMap(({ endTimeMs }) => (endTimeMs === null ? [] : [endTimeMs]));
  return ends.length === 0 ? null : Math.max(...ends);
}
