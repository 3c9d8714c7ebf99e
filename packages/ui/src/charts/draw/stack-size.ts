import { useCallback, useState } from "react";

export interface StackSize {
  readonly labelPx: number;
  readonly plotPx: number;
  /** Height from its top to what stands below its column at the foot of the window: what a stack may fill without a scroll. 0 where compact. */
  readonly roomPx: number;
  /** Under 720 px: narrow labels, fewer words. */
  readonly compact: boolean;
}

const COMPACT_BELOW_PX = 720;
/** Right of the plot, so that a mark on its last step is whole. */
const RIGHT_PX = 17;
const COMPACT_LABEL_PX = 92;

/**
 * Measures the element that will hold a stack and follows its size. `null` until it is in the document. The label column is
 * `labelPx` wide on a desk.
 */
export function useStackSize(
  labelPx: number,
): readonly [ref: (element: HTMLElement | null) => (() => void) | undefined, size: StackSize | null] {
  const [box, setBox] = useState<Box | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = (): void => {
      const next = { widthPx: element.clientWidth, roomPx: roomBelow(element) };
      setBox((before) => (before?.widthPx === next.widthPx && before.roomPx === next.roomPx ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, []);
  if (box === null || box.widthPx === 0) return [ref, null];
  const { widthPx, roomPx } = box;
  const compact = window.innerWidth < COMPACT_BELOW_PX;
  const label = compact ? COMPACT_LABEL_PX : labelPx;
  return [ref, { labelPx: label, plotPx: Math.max(64, widthPx - label - RIGHT_PX), roomPx: compact ? 0 : roomPx, compact }];
}

interface Box {
  readonly widthPx: number;
  readonly roomPx: number;
}

/** Reads no height of the element or its column: a stack that fills its room must not make room for itself. */
function roomBelow(element: HTMLElement): number {
  const column = element.parentElement ?? element;
  const belowPx = document.documentElement.scrollHeight - (column.getBoundingClientRect().bottom + window.scrollY);
  const topPx = element.getBoundingClientRect().top + window.scrollY;
  return Math.max(0, Math.floor(window.innerHeight - topPx - Math.max(0, belowPx)));
}
