/** Widths of the comparison's columns, in pixels. */
export interface GridLayout {
  readonly labelPx: number;
  readonly baselinePx: number;
  readonly columnPx: number;
  readonly orderPx: number;
  readonly totalPx: number;
  /** The baseline stays in view beside the labels: only where there is room for it. */
  readonly holdsBaseline: boolean;
}

export const GRID_ROW_PX = 26;
export const GRID_HEAD_PX = 66;
const LABEL_PX = 200;
const NARROW_LABEL_PX = 132;
const BASELINE_PX = 100;
const COLUMN_PX = 236;
const LEAST_ORDER_PX = 84;
/** Under this the label column gives way first. */
const NARROW_PX = 720;

/** Columns share what the labels and the order leave; where that is too little, they keep their width and scroll. */
export function gridLayout(widthPx: number, candidates: number, orderPx: number): GridLayout {
  const isNarrow = widthPx < NARROW_PX;
  const labelPx = isNarrow ? NARROW_LABEL_PX : LABEL_PX;
  const order = Math.max(LEAST_ORDER_PX, orderPx + 12);
  const left = widthPx - labelPx - BASELINE_PX - order;
  const columnPx = Math.max(COLUMN_PX, Math.floor(left / Math.max(1, candidates)));
  return {
    labelPx,
    baselinePx: BASELINE_PX,
    columnPx,
    orderPx: order,
    totalPx: labelPx + BASELINE_PX + columnPx * candidates + order,
    holdsBaseline: !isNarrow,
  };
}
