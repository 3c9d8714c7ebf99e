import type { FleetLayout } from "@trainwatch/core";
import { textWidthPx } from "../../prepare/labels.ts";
import type { NodeStrip, StripPlaces, StripState } from "../../prepare/fleet/index.ts";
import type { Inks } from "./inks.ts";
import { hatchOf, seam, shape } from "./paint-map.ts";

export interface StripPaint {
  readonly strip: NodeStrip;
  readonly places: StripPlaces;
  readonly layout: FleetLayout;
  readonly inks: Inks;
}

const SHAPE_PX = 5;
/** More shapes than these would hide the cells under them. */
const MOST_MARKS = 200;
/** So many of the worst have their host beside them. */
const NAMED = 3;

/** Paints the strip; called when the fleet, the theme or the width changes. */
export function paintStrip(context: CanvasRenderingContext2D, { strip, places, layout, inks }: StripPaint): void {
  context.clearRect(0, 0, places.widthPx, places.heightPx);
  const middles = paintCells(context, { strip, places, layout, inks });
  paintMarks(context, { strip, places, layout, inks }, middles);
}

type Middle = readonly [x: number, y: number];

function paintCells(context: CanvasRenderingContext2D, { strip, places, inks }: StripPaint): ReadonlyMap<number, Middle> {
  const { pitchX, pitchY, rows, slots } = places;
  const [width, height] = [Math.max(0.5, pitchX - seam(pitchX)), Math.max(0.5, pitchY - seam(pitchY))];
  const hatch = hatchOf(context, inks);
  const middles = new Map<number, Middle>();
  strip.groups.forEach(({ nodes }, group) => {
    const left = slots[group]?.x ?? 0;
    nodes.forEach((node, place) => {
      const x = left + Math.floor(place / rows) * pitchX;
      const y = (place % rows) * pitchY;
      paintCell(context, strip.states[node] ?? "no-data", { x, y, width, height }, { hatch, inks });
      middles.set(node, [x + width / 2, y + height / 2]);
    });
  });
  return middles;
}

interface CellBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is healthy and at work is unlit; spare is hollow, silence hatched. */
function paintCell(
  context: CanvasRenderingContext2D,
  state: StripState,
  { x, y, width, height }: CellBox,
  { hatch, inks }: { readonly hatch: CanvasPattern | string; readonly inks: Inks },
): void {
  if (state === "spare") {
    context.strokeStyle = inks["line-2"];
    context.lineWidth = Math.min(1, height / 3);
    const inset = context.lineWidth / 2;
    context.strokeRect(x + inset, y + inset, Math.max(0.25, width - 2 * inset), Math.max(0.25, height - 2 * inset));
    return;
  }
  context.fillStyle = { "in-use": inks.press, cordoned: inks.t2, "no-data": hatch }[state];
  // Over the seams, so that a rack without data is one hatched field.
  const over = state === "no-data" ? 1 : 0;
  context.fillRect(x, y, width + over, height + over);
}

/** The worst on top, and the very worst with their hosts. */
function paintMarks(
  context: CanvasRenderingContext2D,
  { strip, places, layout, inks }: StripPaint,
  middles: ReadonlyMap<number, Middle>,
): void {
  const drawn = (strip.marks ?? []).slice(0, MOST_MARKS);
  const inside = ([x, y]: Middle): Middle => [
    Math.min(places.widthPx - SHAPE_PX - 2, Math.max(SHAPE_PX + 2, x)),
    Math.min(places.heightPx - SHAPE_PX - 2, Math.max(SHAPE_PX + 2, y)),
  ];
  for (const { node, severity } of drawn.toReversed()) {
    const middle = middles.get(node);
    if (middle === undefined) continue;
    const [x, y] = inside(middle);
    shape(context, severity, x, y, SHAPE_PX, inks);
  }
  const taken: Middle[] = [];
  for (const { node, severity } of drawn.slice(0, NAMED)) {
    const middle = middles.get(node);
    if (middle === undefined || severity === "info") continue;
    const [x, y] = inside(middle);
    const host = layout.nodes[node]?.host ?? "";
    const width = textWidthPx(host) + 6;
    const left = x + 12 + width > places.widthPx ? x - 12 - width : x + 12;
    const isFree = left >= 0 && taken.every(([otherX, otherY]) => Math.abs(otherY - y) > 15 || Math.abs(otherX - left) > width + 12);
    if (!isFree) continue;
    taken.push([left, y]);
    paintHost(context, host, { x: left, y, width }, inks);
  }
}

function paintHost(
  context: CanvasRenderingContext2D,
  host: string,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
  inks: Inks,
): void {
  context.fillStyle = inks.bg;
  context.fillRect(x, y - 8, width, 16);
  context.font = `11px ${inks.sans}`;
  context.textAlign = "start";
  context.textBaseline = "middle";
  context.fillStyle = inks.t1;
  context.fillText(host, x + 3, y + 0.5);
}
