import { useCallback, useState } from "react";

export interface StackSize {
  readonly labelPx: number;
  readonly plotPx: number;
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
  const [widthPx, setWidthPx] = useState<number | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = (): void => setWidthPx(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  if (widthPx === null || widthPx === 0) return [ref, null];
  const compact = window.innerWidth < COMPACT_BELOW_PX;
  const label = compact ? COMPACT_LABEL_PX : labelPx;
  return [ref, { labelPx: label, plotPx: Math.max(64, widthPx - label - RIGHT_PX), compact }];
}
