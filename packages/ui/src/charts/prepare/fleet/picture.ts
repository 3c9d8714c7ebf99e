import type { FleetEventView, FleetFrame, FleetIncidentMark, FleetLayout, FleetMetricView } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import { peerDeviations, prepareCells, stateCode, type FleetCells, type FleetScaleKind } from "./cells.ts";
import { groupFleet, type FleetGrouping, type FleetGroups } from "./groups.ts";
import { placeFleet, type MapPlaces, type MapRoom } from "./map-places.ts";
import { markFleet, type FleetMarks } from "./marks.ts";

/** Who stands where on the map: changes with the layout and the window, not with the readings. */
export interface FleetGround {
  readonly layout: FleetLayout;
  readonly groups: FleetGroups;
  readonly places: MapPlaces;
}

/** All that the map shows at one time. */
export interface FleetPicture {
  readonly ground: FleetGround;
  readonly metric: FleetMetricView;
  readonly frame: FleetFrame;
  readonly cells: FleetCells;
  /** Robust deviation from the GPUs of its model; NaN where there are too few. */
  readonly deviations: Float64Array;
  /** Median reading of each group of the map, in the order of its boxes; NaN where it has none. */
  readonly groupMedians: Float64Array;
  /** Median reading of the whole fleet; NaN where it has none. */
  readonly fleetMedian: number;
  readonly marks: FleetMarks;
}

export function prepareGround(layout: FleetLayout, grouping: FleetGrouping, room: MapRoom): FleetGround {
  const groups = groupFleet(layout, grouping);
  return { layout, groups, places: placeFleet(groups, layout.gpu.id.length, room) };
}

export interface PictureInput {
  readonly ground: FleetGround;
  readonly metric: FleetMetricView;
  readonly frame: FleetFrame;
  readonly kind: FleetScaleKind;
  readonly events: readonly FleetEventView[];
  readonly incidents: readonly FleetIncidentMark[];
  readonly ends?: readonly [number, number] | undefined;
}

export function preparePicture({ ground, metric, frame, kind, events, incidents, ends }: PictureInput): FleetPicture {
  const { layout, places } = ground;
  const ok = stateCode("ok");
  const values = Float64Array.from({ length: layout.gpu.id.length }, (_, gpu) =>
    frame.states[gpu] === ok ? (frame.values[gpu] ?? Number.NaN) : Number.NaN,
  );
  const ofGroup: number[][] = places.boxes.map(() => []);
  const known: number[] = [];
  values.forEach((value, gpu) => {
    if (Number.isNaN(value)) return;
    known.push(value);
    ofGroup[places.group[gpu] ?? -1]?.push(value);
  });
  return {
    ground,
    metric,
    frame,
    cells: prepareCells({ layout, frame, metric, kind, ends }),
    deviations: peerDeviations(values, layout, metric.digits),
    groupMedians: Float64Array.from(ofGroup, (own) => (own.length === 0 ? Number.NaN : median(own))),
    fleetMedian: known.length === 0 ? Number.NaN : median(known),
    marks: markFleet({ layout, events, incidents, atMs: frame.atMs }),
  };
}

/** GPUs from the most to the least unlike its peers; where nothing can be compared, by value. What has no reading is left out. */
export function byUnusual({ deviations, cells }: FleetPicture): readonly number[] {
  const weight = (gpu: number): number => {
    const deviation = Math.abs(deviations[gpu] ?? Number.NaN);
    return Number.isNaN(deviation) ? (cells.shown[gpu] ?? Number.NaN) : deviation;
  };
  return Array.from(deviations, (_, gpu) => gpu)
    .filter((gpu) => !Number.isNaN(weight(gpu)))
    .sort((a, b) => weight(b) - weight(a));
}
