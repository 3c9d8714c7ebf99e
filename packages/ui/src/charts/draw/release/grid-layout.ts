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
const LABEL_PX = 210;
const NARROW_LABEL_PX = 132;
const BASELINE_PX = 112;
const COLUMN_PX = 230;
/** With columns this wide nothing in them is cut: what is left over goes to the labels, whose names are. */
const ROOMY_COLUMN_PX = 280;
const MOST_LABEL_PX = 350;
const LEAST_ORDER_PX = 84;
/** Under this the label column gives way first. */
const NARROW_PX = 720;

/** Columns share what the labels and the order leave; where that is too little, they keep their width and scroll, and where it is plenty the labels grow first. */
export function gridLayout(widthPx: number, candidates: number, orderPx: number): GridLayout {
  const isNarrow = widthPx < NARROW_PX;
  const order = Math.max(LEAST_ORDER_PX, orderPx + 12);
  const spare = widthPx - LABEL_PX - BASELINE_PX - order - ROOMY_COLUMN_PX * candidates;
  const labelPx = isNarrow ? NARROW_LABEL_PX : Math.min(MOST_LABEL_PX, LABEL_PX + Math.max(0, spare));
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
