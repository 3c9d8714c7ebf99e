import { useRef, useState, type PointerEvent } from "react";

/** A range being dragged out, in pixels of the plot. */
export interface Drag {
  readonly fromPx: number;
  readonly toPx: number;
}

interface ZoomDragInput {
  readonly plotPx: number;
  /** Pixel of the pointer within the plot; null outside it. */
  readonly plotPixel: (event: PointerEvent) => number | null;
  readonly onRange: (fromPx: number, toPx: number) => void;
}

export interface ZoomDrag {
  readonly drag: Drag | null;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  /** True while a range is being dragged out: the cross-hair rests. */
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => boolean;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly cancel: () => void;
}

/** Less than this is a click. */
const DRAG_PX = 5;

export function useZoomDrag({ plotPx, plotPixel, onRange }: ZoomDragInput): ZoomDrag {
  const start = useRef<number | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const cancel = (): void => {
    start.current = null;
    setDrag(null);
  };
  return {
    drag,
    onPointerDown(event) {
      if (event.button !== 0) return;
      start.current = plotPixel(event);
    },
    onPointerMove(event) {
      if (start.current === null) return false;
      const left = event.currentTarget.getBoundingClientRect().left;
      const inside = plotPixel(event);
      const toPx = inside ?? (event.clientX < left + 200 ? 0 : plotPx);
      if (drag === null && Math.abs(toPx - start.current) < DRAG_PX) return false;
      if (drag === null) event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ fromPx: Math.min(start.current, toPx), toPx: Math.max(start.current, toPx) });
      return true;
    },
    onPointerUp() {
      if (drag !== null && drag.toPx - drag.fromPx >= DRAG_PX) onRange(drag.fromPx, drag.toPx);
      cancel();
    },
    cancel,
  };
}
