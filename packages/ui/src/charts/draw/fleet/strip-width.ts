import { useCallback, useState } from "react";

/** Follows the width of an element; 0 until it is in the document. */
export function useStripWidth(): readonly [ref: (element: HTMLElement | null) => (() => void) | undefined, widthPx: number] {
  const [widthPx, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, widthPx];
}
