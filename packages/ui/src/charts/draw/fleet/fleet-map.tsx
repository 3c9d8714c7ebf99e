import { useEffect, useId, useMemo, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from "react";
import type { FleetPicture } from "../../prepare/fleet/index.ts";
import type { CellCursor } from "./cell-cursor.ts";
import { CellOverlay } from "./cell-overlay.tsx";
import { useInks } from "./inks.ts";
import { markAt, paintMap } from "./paint-map.ts";

export interface FleetMapProps {
  readonly picture: FleetPicture;
  readonly cursor: CellCursor;
  /** Index into the layout's runs whose GPUs are outlined. */
  readonly run: number | null;
  /** The GPU whose facts stand beside the map. */
  readonly selected: number | null;
  /** Null: nothing is selected any more. */
  readonly onSelect: (gpu: number | null) => void;
  /** GPUs that somebody has chosen as the bad ones, and a press with Shift that adds or takes away one. */
  readonly chosen?: readonly number[] | undefined;
  readonly onChoose?: ((gpu: number) => void) | undefined;
  /** A press on the shape of an incident. */
  readonly onIncident?: ((incidentId: number) => void) | undefined;
  /** The selected GPU's own page. */
  readonly onOpen: (gpu: number) => void;
  /** What the map says in words. */
  readonly summary: string;
}

/** A cell a GPU. The map is painted when its data changes; the pointer moves a frame and a card over it. */
export function FleetMap({ picture, cursor, run, selected, chosen, onSelect, onChoose, onIncident, onOpen, summary }: FleetMapProps) {
  const { layout, places } = picture.ground;
  const summaryId = useId();
  const keys = useMapKeys({ picture, cursor, selected, onSelect, onOpen });
  const under = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return places.at(event.clientX - box.left, event.clientY - box.top);
  };
  const incidentUnder = (event: MouseEvent<HTMLElement>): number | null => {
    const box = event.currentTarget.getBoundingClientRect();
    return markAt(picture, event.clientX - box.left, event.clientY - box.top)?.incidentId ?? null;
  };
  return (
    <figure className="m-0 min-w-0" aria-label={`Map of ${layout.gpu.id.length} GPUs`}>
      <figcaption id={summaryId} className="sr-only">
        {summary}
      </figcaption>
      {/* An application is worked by keys and pointer of its own. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        data-part="fleet-map"
        role="application"
        aria-label="Fleet map: arrow keys move from GPU to GPU, Enter selects, Escape lets go"
        aria-describedby={summaryId}
        // It takes the arrow keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="relative cursor-crosshair outline-offset-2"
        style={{ width: places.widthPx, height: places.heightPx }}
        onKeyDown={keys}
        onPointerMove={(event) => {
          const gpu = under(event);
          if (gpu < 0) cursor.clear();
          else cursor.set(gpu, "pointer");
        }}
        onPointerLeave={() => cursor.clear()}
        onClick={(event) => {
          const incidentId = incidentUnder(event);
          const at = cursor.state();
          if (incidentId !== null && onIncident !== undefined && !event.shiftKey) onIncident(incidentId);
          else if (at !== null && event.shiftKey && onChoose !== undefined) onChoose(at.gpu);
          else if (at !== null) onSelect(at.gpu);
        }}
        onDoubleClick={() => {
          const at = cursor.state();
          if (at !== null) onOpen(at.gpu);
        }}
        onBlur={() => cursor.clear()}
      >
        <MapCanvas picture={picture} run={run} />
        <CellOverlay picture={picture} cursor={cursor} selected={selected} chosen={chosen} />
      </div>
    </figure>
  );
}

function MapCanvas({ picture, run }: Pick<FleetMapProps, "picture" | "run">) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const inks = useInks();
  const { widthPx, heightPx } = picture.ground.places;
  useEffect(() => {
    const context = canvas.current?.getContext("2d") ?? null;
    if (canvas.current === null || context === null) return;
    const density = Math.min(3, Math.max(1, window.devicePixelRatio));
    canvas.current.width = Math.round(widthPx * density);
    canvas.current.height = Math.round(heightPx * density);
    context.setTransform(density, 0, 0, density, 0, 0);
    paintMap(context, { picture, run, inks });
  }, [picture, run, inks, widthPx, heightPx]);
  return <canvas ref={canvas} data-part="fleet-cells" aria-hidden="true" className="block" style={{ width: widthPx, height: heightPx }} />;
}

const ARROWS: Readonly<Record<string, readonly [dx: -1 | 0 | 1, dy: -1 | 0 | 1]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function useMapKeys({ picture, cursor, selected, onSelect, onOpen }: Omit<FleetMapProps, "run" | "summary">) {
  const { places } = picture.ground;
  const first = useMemo(() => places.x.findIndex((x) => !Number.isNaN(x)), [places]);
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = cursor.state()?.gpu ?? null;
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) {
      const from = at ?? selected;
      const to = from === null ? first : places.next(from, arrow[0], arrow[1]);
      if (to >= 0) cursor.set(to, "key");
    } else if (event.key === "Enter" && at !== null) {
      if (at === selected) onOpen(at);
      else onSelect(at);
    } else if (event.key === "Escape" && (at !== null || selected !== null)) {
      if (at === null) onSelect(null);
      cursor.clear();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}
