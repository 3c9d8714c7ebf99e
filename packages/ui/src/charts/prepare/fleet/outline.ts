import type { MapPlaces } from "./map-places.ts";

/** A straight piece of an outline, in pixels of the map. */
export interface OutlineEdge {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/**
 * Edges around some GPUs. A group that belongs to them as a whole is enclosed together with its neighbours of which the same is true, in the
 * middle of the gaps; within the other groups the edge runs between the cells.
 */
export function outlineOf(places: MapPlaces, isIn: (gpu: number) => boolean): readonly OutlineEdge[] {
  const inside = new Int32Array(places.boxes.length);
  for (let gpu = 0; gpu < places.x.length; gpu++) {
    const group = places.group[gpu] ?? -1;
    if (group >= 0 && isIn(gpu)) inside[group] = (inside[group] ?? 0) + 1;
  }
  const whole = new Set<number>();
  places.boxes.forEach((box, group) => {
    if (box.cells > 0 && inside[group] === box.cells) whole.add(group);
  });
  return [...wholeEdges(places, whole), ...cellEdges(places, whole, isIn)];
}

/** Left of, right of, above and below a box the outline keeps this far away. */
const MARGIN_PX = 3;

function wholeEdges(places: MapPlaces, whole: ReadonlySet<number>): readonly OutlineEdge[] {
  const at = new Map<string, number>();
  places.boxes.forEach((box, group) => at.set(`${box.row}/${box.column}`, group));
  const edges: OutlineEdge[] = [];
  for (const group of whole) {
    const box = places.boxes[group];
    if (box === undefined) continue;
    const neighbour = (rows: number, columns: number): number | null => {
      const found = at.get(`${box.row + rows}/${box.column + columns}`);
      return found !== undefined && whole.has(found) ? found : null;
    };
    const right = neighbour(0, 1);
    const below = neighbour(1, 0);
    // To the neighbour's edge where it is enclosed too, so that the pieces meet.
    const x1 = box.x - MARGIN_PX;
    const y1 = box.y - MARGIN_PX;
    const x2 = right === null ? box.x + box.widthPx + MARGIN_PX : (places.boxes[right]?.x ?? 0) - MARGIN_PX;
    const y2 = below === null ? box.y + box.heightPx + MARGIN_PX : (places.boxes[below]?.y ?? 0) - MARGIN_PX;
    if (neighbour(-1, 0) === null) edges.push({ x1, y1, x2, y2: y1 });
    if (below === null) edges.push({ x1, y1: y2, x2, y2 });
    if (neighbour(0, -1) === null) edges.push({ x1, y1, x2: x1, y2 });
    if (right === null) edges.push({ x1: x2, y1, x2, y2 });
  }
  return edges;
}

function cellEdges(places: MapPlaces, whole: ReadonlySet<number>, isIn: (gpu: number) => boolean): readonly OutlineEdge[] {
  const { x, y, group, pitchX, pitchY } = places;
  const edges: OutlineEdge[] = [];
  for (let gpu = 0; gpu < x.length; gpu++) {
    const own = group[gpu] ?? -1;
    if (own < 0 || whole.has(own) || !isIn(gpu)) continue;
    const x1 = (x[gpu] ?? 0) - 1;
    const y1 = (y[gpu] ?? 0) - 1;
    const x2 = x1 + pitchX;
    const y2 = y1 + pitchY;
    const joins = (dx: number, dy: number): boolean => {
      const other = places.at(x1 + 1 + pitchX / 2 + dx * pitchX, y1 + 1 + pitchY / 2 + dy * pitchY);
      return other >= 0 && group[other] === own && isIn(other);
    };
    if (!joins(0, -1)) edges.push({ x1, y1, x2, y2: y1 });
    if (!joins(0, 1)) edges.push({ x1, y1: y2, x2, y2 });
    if (!joins(-1, 0)) edges.push({ x1, y1, x2: x1, y2 });
    if (!joins(1, 0)) edges.push({ x1: x2, y1, x2, y2 });
  }
  return edges;
}
