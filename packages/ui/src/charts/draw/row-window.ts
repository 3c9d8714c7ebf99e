import { useState, type UIEvent } from "react";

export interface RowWindow {
  readonly first: number;
  /** One past the last row to mount. */
  readonly end: number;
  readonly abovePx: number;
  readonly belowPx: number;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
}

const SPARE_ROWS = 12;

/** Which of many rows of one height are near the view: only they are mounted. */
export function useRowWindow(rows: number, rowPx: number, viewPx: number): RowWindow {
  const [scrolled, setScrolled] = useState(0);
  const first = Math.max(0, Math.min(rows, Math.floor(scrolled / rowPx)) - SPARE_ROWS);
  const end = Math.min(rows, Math.ceil((scrolled + viewPx) / rowPx) + SPARE_ROWS);
  return {
    first,
    end,
    abovePx: first * rowPx,
    belowPx: (rows - end) * rowPx,
    onScroll: (event) => setScrolled(event.currentTarget.scrollTop),
  };
}
