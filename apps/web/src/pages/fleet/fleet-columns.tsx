import { useNavigate } from "@tanstack/react-router";
import type { FleetMetricView } from "@trainwatch/core";
import { Columns, formatDateTime, Rule } from "@trainwatch/ui";
import {
  byUnusual,
  FleetLegend,
  FleetMap,
  fleetSummary,
  FleetTable,
  MapFrame,
  prepareGround,
  preparePicture,
  shownGrouping,
  type CellCursor,
  type MapRoom,
} from "@trainwatch/ui/charts/fleet";
import { useMemo } from "react";
import { useNow } from "../../clock/now.tsx";
import { useKeys } from "../../keys/keys.tsx";
import { useZone } from "../../zone/zone.tsx";
import { FleetCoverageStrip } from "./fleet-coverage-strip.tsx";
import { FleetRail } from "./fleet-rail.tsx";
import { FleetTime } from "./fleet-time.tsx";
import { toggled, withBad } from "./bad.ts";
import { without } from "./search.ts";
import { useFleetSearch } from "./use-fleet-search.ts";
import type { FleetView } from "./use-fleet-view.ts";
import type { Play } from "./use-play.ts";

export interface FleetColumnsProps {
  readonly view: FleetView;
  readonly metric: FleetMetricView;
  readonly play: Play;
  readonly cursor: CellCursor;
}

/** Two lines of what is blind. */
const BLIND_PX = 36;
/** Legend, slider, coverage strip with its head, and the status line: the whole page is seen at 1440 × 900 without a scroll. */
const BELOW_MAP_PX = 92 + 34 + BLIND_PX + 8 * 11 + 10 + 26;
const LEGEND_PX = 40;

/** The map with its time and its coverage, and beside them the selected GPU. */
export function FleetColumns({ view, metric, play, cursor }: FleetColumnsProps) {
  return (
    <Columns asideLabel="Selected GPU" aside={<FleetRail view={view} metric={metric} />} scroll>
      <MapFrame belowPx={BELOW_MAP_PX}>{(room) => <MapView view={view} metric={metric} cursor={cursor} room={room} />}</MapFrame>
      <Rule />
      <FleetTime view={view} metric={metric} play={play} />
      <Rule />
      <FleetCoverageStrip />
    </Columns>
  );
}

interface MapViewProps extends Pick<FleetColumnsProps, "view" | "metric" | "cursor"> {
  readonly room: MapRoom;
}

function MapView({ view, metric, cursor, room }: MapViewProps) {
  const { search, adjust } = useFleetSearch();
  const navigate = useNavigate();
  const { zone } = useZone();
  const nowMs = useNow();
  const { layout, frame, events, incidents, ends } = view;
  const grouping = shownGrouping(search.group, layout);
  const { widthPx, heightPx } = room;
  const ground = useMemo(
    () => prepareGround(layout, grouping, { widthPx, heightPx: heightPx - LEGEND_PX }),
    [layout, grouping, widthPx, heightPx],
  );
  const picture = useMemo(
    () => preparePicture({ ground, metric, frame, kind: search.scale ?? "absolute", events, incidents, ends: ends ?? undefined }),
    [ground, metric, frame, search.scale, events, incidents, ends],
  );
  const order = useMemo(() => byUnusual(picture), [picture]);
  const rows = useMemo(() => [...order, ...layout.gpu.id.map((_, gpu) => gpu).filter((gpu) => !order.includes(gpu))], [order, layout]);
  const selected = search.gpu === undefined ? -1 : layout.gpu.id.indexOf(search.gpu);
  const run = search.run === undefined ? -1 : layout.runs.findIndex(({ id }) => id === search.run);
  const select = (gpu: number | null): void => {
    const id = gpu === null ? undefined : layout.gpu.id[gpu];
    adjust((before) => (id === undefined ? without(before, "gpu") : { ...before, gpu: id }));
  };
  const open = (gpu: number): void => {
    const gpuId = layout.gpu.id[gpu];
    if (gpuId !== undefined)
      void navigate({ to: "/fleet/gpu/$gpuId", params: { gpuId }, search: search.at === undefined ? {} : { at: search.at } });
  };
  const chosen = useMemo(() => (search.bad ?? []).map((id) => layout.gpu.id.indexOf(id)).filter((gpu) => gpu >= 0), [search.bad, layout]);
  const choose = (gpu: number): void => {
    const id = layout.gpu.id[gpu];
    if (id !== undefined) adjust((before) => withBad(before, toggled(before.bad ?? [], id)));
  };
  const step = (by: 1 | -1) => (): void => {
    const at = order.indexOf(selected);
    select(order[Math.min(order.length - 1, Math.max(0, at < 0 ? (by === 1 ? 0 : order.length - 1) : at + by))] ?? null);
  };
  useKeys([
    { keys: "n", label: "Next GPU by how unlike its peers it is", group: "Lists", run: step(1) },
    { keys: "p", label: "Previous GPU by how unlike its peers it is", group: "Lists", run: step(-1) },
    ...(selected < 0
      ? []
      : [
          {
            keys: "b",
            label: "Choose the selected GPU as a bad one, or take it back",
            group: "Lists",
            run: () => choose(selected),
          } as const,
        ]),
    ...(selected < 0 ? [] : [{ keys: "Enter", label: "Open the selected GPU", group: "Lists", run: () => open(selected) } as const]),
    ...(selected < 0 ? [] : [{ keys: "Escape", label: "Let the selected GPU go", group: "Lists", run: () => select(null) } as const]),
  ]);
  const summary = fleetSummary({ layout, frame, metric, cells: picture.cells, at: formatDateTime(frame.atMs, zone, nowMs) });
  return (
    <>
      <FleetLegend picture={picture} run={layout.runs[run]?.name ?? null} />
      {search.table === true ? (
        <FleetTable
          picture={picture}
          order={rows}
          selected={selected < 0 ? null : selected}
          onSelect={select}
          heightPx={heightPx - LEGEND_PX}
        />
      ) : (
        <FleetMap
          picture={picture}
          cursor={cursor}
          run={run < 0 ? null : run}
          selected={selected < 0 ? null : selected}
          chosen={chosen}
          onSelect={select}
          onChoose={choose}
          onIncident={(incidentId) => void navigate({ to: "/incidents/$incidentId", params: { incidentId } })}
          onOpen={open}
          summary={summary}
        />
      )}
    </>
  );
}
