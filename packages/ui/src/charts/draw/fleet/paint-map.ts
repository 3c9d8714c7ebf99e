import { READING_STATES, type Severity } from "@trainwatch/core";
import {
  mixed,
  NO_STEP,
  outlineOf,
  SCALE_STEPS,
  viridis,
  type FleetMark,
  type FleetPicture,
  type FleetScaleKind,
  type MapPlaces,
} from "../../prepare/fleet/index.ts";
import { channels, type Inks } from "./inks.ts";

export interface PaintInput {
  readonly picture: FleetPicture;
  /** Index into the layout's runs whose GPUs are outlined; null for none. */
  readonly run: number | null;
  readonly inks: Inks;
}

/** Paints the whole map; called when readings, layout, theme or size change, never while the pointer moves. */
export function paintMap(context: CanvasRenderingContext2D, { picture, run, inks }: PaintInput): void {
  const { places } = picture.ground;
  context.clearRect(0, 0, places.widthPx, places.heightPx);
  paintLabels(context, places, inks);
  paintCells(context, picture, inks);
  paintCordons(context, picture, inks);
  if (run !== null) paintOutline(context, picture, run, inks);
  paintMarks(context, picture, inks);
}

/** Colours of the scale, one a step. */
export function scaleColours(kind: FleetScaleKind, inks: Inks): readonly string[] {
  const stops = [inks["d-2"], inks["d-1"], inks.d0, inks.d1, inks.d2].map(channels);
  return Array.from({ length: SCALE_STEPS }, (_, step) => {
    const share = step / (SCALE_STEPS - 1);
    return kind === "peers" ? mixed(stops, share) : viridis(share);
  });
}

function paintCells(context: CanvasRenderingContext2D, { ground: { places }, cells }: FleetPicture, inks: Inks): void {
  const { x, y } = places;
  const width = places.pitchX - seam(places.pitchX);
  const height = places.pitchY - seam(places.pitchY);
  const colours = scaleColours(cells.scale.kind, inks);
  // One colour after the other: a canvas parses a colour each time it is set, which at 16,384 cells costs more than the painting.
  for (const [step, gpus] of cellsByStep(cells.step)) {
    context.fillStyle = colours[step] ?? inks.unk;
    for (const gpu of gpus) context.fillRect(x[gpu] ?? Number.NaN, y[gpu] ?? Number.NaN, width, height);
  }
  const hatch = hatchOf(context, inks);
  cells.step.forEach((step, gpu) => {
    if (step !== NO_STEP) return;
    const at = { x: x[gpu] ?? Number.NaN, y: y[gpu] ?? Number.NaN, width, height };
    if (!Number.isNaN(at.x)) paintState(context, READING_STATES[cells.state[gpu] ?? 1] ?? "none", at, { hatch, inks });
  });
}

/** Narrow cells are parted by less than a pixel, else the seams would be half of the map. */
export function seam(pitch: number): number {
  return pitch >= 5 ? 1 : 0.5;
}

function cellsByStep(steps: Uint8Array): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  steps.forEach((step, gpu) => {
    if (step === NO_STEP) return;
    const gpus = found.get(step);
    if (gpus === undefined) found.set(step, [gpu]);
    else gpus.push(gpu);
  });
  return found;
}

interface CellBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface StatePaint {
  readonly hatch: CanvasPattern | string;
  readonly inks: Inks;
}

/** No value: hatched where there is no data, hollow where it is old, struck through where what came is no reading, white where it is NaN. */
export function paintState(
  context: CanvasRenderingContext2D,
  state: (typeof READING_STATES)[number],
  { x, y, width, height }: CellBox,
  { hatch, inks }: StatePaint,
): void {
  switch (state) {
    case "ok":
      // Read, yet not comparable: too few GPUs of its model.
      context.fillStyle = inks.press;
      context.fillRect(x, y, width, height);
      return;
    case "none":
      context.fillStyle = hatch;
      // Over the seams, so that a rack without data is one hatched field.
      context.fillRect(x, y, width + 1, height + 1);
      return;
    case "stale":
      context.strokeStyle = inks.unk;
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, y + 0.5, Math.max(0.5, width - 1), Math.max(0.5, height - 1));
      return;
    case "invalid":
      context.fillStyle = inks.press;
      context.fillRect(x, y, width, height);
      context.strokeStyle = inks.t2;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + width, y + height);
      context.stroke();
      return;
    case "non-finite":
      context.fillStyle = inks.t1;
      context.fillRect(x, y, width, height);
  }
}

const HATCH_PX = 4;

/** Lines at 135°, a pixel in four; of one piece over all cells because it is laid over the map and not over each cell. */
export function hatchOf(context: CanvasRenderingContext2D, inks: Inks): CanvasPattern | string {
  const tile = document.createElement("canvas");
  const scale = 2;
  tile.width = HATCH_PX * scale;
  tile.height = HATCH_PX * scale;
  const brush = tile.getContext("2d");
  if (brush === null) return inks.hatch;
  brush.scale(scale, scale);
  brush.fillStyle = inks.bg;
  brush.fillRect(0, 0, HATCH_PX, HATCH_PX);
  brush.strokeStyle = inks.unk;
  brush.lineWidth = 1;
  brush.beginPath();
  for (const start of [-HATCH_PX, 0, HATCH_PX]) {
    brush.moveTo(start, HATCH_PX);
    brush.lineTo(start + HATCH_PX, 0);
  }
  brush.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern ?? inks.hatch;
}

function paintLabels(context: CanvasRenderingContext2D, places: MapPlaces, inks: Inks): void {
  context.textBaseline = "middle";
  for (const { text, x, y, anchor, tone } of places.labels) {
    context.font = `${tone === "title" ? "600 12px" : "11px"} ${inks.sans}`;
    context.fillStyle = tone === "title" ? inks.t1 : inks.t3;
    context.textAlign = anchor === "middle" ? "center" : anchor;
    context.fillText(text, x, y);
  }
}

/** A white corner on the first cell of a node that takes no work. */
function paintCordons(context: CanvasRenderingContext2D, { ground: { layout, places } }: FleetPicture, inks: Inks): void {
  const done = new Set<number>();
  const reach = Math.min(places.pitchX * 1.3, 10);
  const drop = Math.min(places.pitchY + 1, 7);
  layout.gpu.node.forEach((node, gpu) => {
    if (done.has(node) || layout.nodes[node]?.cordoned === null || layout.nodes[node] === undefined) return;
    const x = places.x[gpu] ?? Number.NaN;
    const y = places.y[gpu] ?? Number.NaN;
    if (Number.isNaN(x)) return;
    done.add(node);
    corner(context, x, y - 0.5, reach, drop);
    context.lineWidth = 2;
    context.strokeStyle = inks.bg;
    context.stroke();
    context.fillStyle = inks.t1;
    context.fill();
  });
}

export function corner(context: CanvasRenderingContext2D, x: number, y: number, reach: number, drop: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + reach, y);
  context.lineTo(x, y + drop);
  context.closePath();
}

function paintOutline(context: CanvasRenderingContext2D, { ground: { layout, places } }: FleetPicture, run: number, inks: Inks): void {
  context.strokeStyle = inks.t2;
  context.lineWidth = 1;
  context.beginPath();
  for (const { x1, y1, x2, y2 } of outlineOf(places, (gpu) => layout.gpu.run[gpu] === run)) {
    context.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
    context.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
  }
  context.stroke();
}

const SHAPE_PX = 5;
/** From so many marks on they get smaller, or they would be all there is to see. */
const MANY_MARKS = 60;

function paintMarks(context: CanvasRenderingContext2D, picture: FleetPicture, inks: Inks): void {
  const size = markSize(picture);
  // The worst on top.
  for (const mark of [...picture.marks.drawn].reverse()) {
    const at = markPlace(picture, mark);
    if (at !== null) shape(context, mark.severity, at.x, at.y, size, inks);
  }
}

function markSize({ marks }: FleetPicture): number {
  return marks.drawn.length > MANY_MARKS ? 3 : SHAPE_PX;
}

/** Middle of a mark's shape; null where its cell has no place. */
function markPlace(picture: FleetPicture, { gpu }: FleetMark): { readonly x: number; readonly y: number } | null {
  const { places } = picture.ground;
  const x = places.x[gpu] ?? Number.NaN;
  const y = places.y[gpu] ?? Number.NaN;
  if (Number.isNaN(x)) return null;
  // Beside the cell where cells are smaller than the shape: a mark must not hide what it points at.
  const beside = places.pitchX < 14 ? -markSize(picture) - 3 : places.pitchX / 2;
  return { x: x + beside, y: y + places.pitchY / 2 };
}

/** How far from the middle of a shape a press still means it. */
const REACH_PX = 7;

/** The mark whose shape lies at a place of the map, the worst of several; null where there is none. */
export function markAt(picture: FleetPicture, x: number, y: number): FleetMark | null {
  const found = picture.marks.drawn.find((mark) => {
    const at = markPlace(picture, mark);
    return at !== null && Math.hypot(at.x - x, at.y - y) <= REACH_PX;
  });
  return found ?? null;
}

/** The shape of a severity with the page's colour around it, so that it holds on every cell. */
export function shape(context: CanvasRenderingContext2D, severity: Severity, x: number, y: number, size: number, inks: Inks): void {
  const fill = { critical: inks.crit, warning: inks.warn, info: inks.info }[severity];
  const edge = { critical: inks["crit-ink"], warning: inks["warn-ink"], info: inks["info-ink"] }[severity];
  context.beginPath();
  if (severity === "critical") {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y);
    context.lineTo(x, y + size);
    context.lineTo(x - size, y);
  } else if (severity === "warning") {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y + size * 0.8);
    context.lineTo(x - size, y + size * 0.8);
  } else {
    context.arc(x, y, size * 0.9, 0, 2 * Math.PI);
  }
  context.closePath();
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = inks.bg;
  context.stroke();
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = edge;
  context.stroke();
}
