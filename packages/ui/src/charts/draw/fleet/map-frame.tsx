import { useCallback, useState, type ReactNode } from "react";
import type { MapRoom } from "../../prepare/fleet/index.ts";

export interface MapFrameProps {
  /** Pixels that must stay free under the map for what belongs to the same look: slider, coverage, status line. */
  readonly belowPx: number;
  readonly children: (room: MapRoom) => ReactNode;
}

const LEAST_PX = 180;
const GUTTER_PX = 16;
const PHONE_PX = 720;

/** Tells the map how wide it is and how high it may be so that the whole page is seen without a scroll. */
export function MapFrame({ belowPx, children }: MapFrameProps) {
  const [room, setRoom] = useState<MapRoom | null>(null);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const measure = (): void => {
        const topPx = element.getBoundingClientRect().top + window.scrollY;
        const next = {
          widthPx: Math.max(100, element.clientWidth - 2 * GUTTER_PX),
          heightPx: Math.max(LEAST_PX, Math.floor(window.innerHeight - topPx - (window.innerWidth < PHONE_PX ? 0 : belowPx))),
        };
        setRoom((before) => (before?.widthPx === next.widthPx && before.heightPx === next.heightPx ? before : next));
      };
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(element);
      window.addEventListener("resize", measure);
      return () => {
        observer.disconnect();
        window.removeEventListener("resize", measure);
      };
    },
    [belowPx],
  );
  return (
    <div ref={ref} className="min-w-0 overflow-x-auto px-4 py-1 max-desk:px-3">
      {room === null ? null : children(room)}
    </div>
  );
}
