import type { FleetIncidentMark, FleetLayout } from "@trainwatch/core";
import { useEffect, useMemo, useRef, useState, type PointerEvent } from "react";
import { formatInteger } from "../../../format/index.ts";
import { LEAST_SLOT_PX, placeStrip, prepareNodeStrip, stripNodeTitle, stripSummary, type StripGroup } from "../../prepare/fleet/index.ts";
import { textWidthPx } from "../../prepare/labels.ts";
import { useInks } from "./inks.ts";
import { paintStrip } from "./paint-strip.ts";
import { useStripWidth } from "./strip-width.ts";

export interface NodeStripProps {
  readonly layout: FleetLayout;
  /** Incidents that stand; null where they are not known. */
  readonly incidents: readonly FleetIncidentMark[] | null;
}

const HEIGHT_PX = 64;
/** Narrow pages have more rows, so that a cell is still one. */
const NARROW = { widthPx: 600, heightPx: 104 } as const;
/** A slot and the gap beside it. */
const SLOT_PX = LEAST_SLOT_PX + 8;

/** A cell a node, grouped by run: what is healthy and in use is unlit, so that what is not is seen at a glance. */
export function NodeStripChart({ layout, incidents }: NodeStripProps) {
  const [ref, widthPx] = useStripWidth();
  return (
    <div ref={ref} data-part="node-strip">
      {widthPx === 0 ? null : <Strip layout={layout} incidents={incidents} widthPx={widthPx} />}
    </div>
  );
}

function Strip({ layout, incidents, widthPx }: NodeStripProps & { readonly widthPx: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const inks = useInks();
  const [under, setUnder] = useState<string | undefined>(undefined);
  // One slot stays for the nodes without a run.
  const mostRuns = Math.max(1, Math.floor(widthPx / SLOT_PX) - 1);
  const strip = useMemo(() => prepareNodeStrip({ layout, incidents, mostRuns }), [layout, incidents, mostRuns]);
  const places = useMemo(
    () =>
      placeStrip(
        strip.groups.map(({ nodes }) => nodes.length),
        { widthPx, heightPx: widthPx < NARROW.widthPx ? NARROW.heightPx : HEIGHT_PX },
      ),
    [strip, widthPx],
  );
  useEffect(() => {
    const context = canvas.current?.getContext("2d") ?? null;
    if (canvas.current === null || context === null) return;
    const density = Math.min(3, Math.max(1, window.devicePixelRatio));
    canvas.current.width = Math.round(places.widthPx * density);
    canvas.current.height = Math.round(places.heightPx * density);
    context.setTransform(density, 0, 0, density, 0, 0);
    paintStrip(context, { strip, places, layout, inks });
  }, [strip, places, layout, inks]);
  const point = (event: PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const found = places.at(event.clientX - box.left, event.clientY - box.top);
    const node = found === null ? undefined : strip.groups[found.group]?.nodes[found.place];
    setUnder(found === null || node === undefined ? undefined : stripNodeTitle(strip, layout, found.group, node));
  };
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={stripSummary(strip, layout)}
        title={under}
        onPointerMove={point}
        className="block"
        style={{ width: places.widthPx, height: places.heightPx }}
      />
      <div aria-hidden="true" className="relative mt-1 h-4 text-label text-t3">
        {strip.groups.map((group, index) => {
          const slot = places.slots[index];
          return slot === undefined ? null : (
            <span
              key={group.title}
              title={`${group.title}, ${formatInteger(group.nodes.length)} nodes`}
              className="absolute overflow-hidden text-ellipsis whitespace-nowrap"
              style={{ left: slot.x, maxWidth: slot.slotPx + 4 }}
            >
              {labelOf(group, slot.slotPx)}
            </span>
          );
        })}
      </div>
    </>
  );
}

function labelOf({ label, nodes }: StripGroup, widthPx: number): string {
  const whole = `${label} · ${formatInteger(nodes.length)} ${nodes.length === 1 ? "node" : "nodes"}`;
  if (textWidthPx(whole) <= widthPx) return whole;
  const short = `${label} · ${formatInteger(nodes.length)}`;
  return textWidthPx(short) <= widthPx ? short : label;
}
