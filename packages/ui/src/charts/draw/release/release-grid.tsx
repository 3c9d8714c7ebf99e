import type { ReleaseColumn } from "@trainwatch/core";
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { nearSpan, orderPicture, shortTitles, type GridItem, type Span } from "../../prepare/release/index.ts";
import { GridHead } from "./grid-head.tsx";
import { GRID_HEAD_PX, GRID_ROW_PX, gridLayout, type GridLayout } from "./grid-layout.ts";
import { GridRow } from "./grid-row.tsx";

export interface GridPlace {
  readonly rowKey: string;
  /** By column; the baseline is 0 and cannot be selected. */
  readonly column: number;
}

export interface ReleaseGridProps {
  readonly label: string;
  readonly columns: readonly ReleaseColumn[];
  readonly items: readonly GridItem[];
  /** Column whose cells are washed: the proposed or chosen one. */
  readonly lit: number | null;
  readonly selected: GridPlace | null;
  readonly onSelect: (place: GridPlace) => void;
  readonly onOpen: (place: GridPlace) => void;
  readonly onHead: (column: number) => void;
  readonly note: string;
  readonly nameOf: (column: ReleaseColumn) => ReactNode;
  /** All rows and columns at once, as tall as they are: for paper. */
  readonly whole: boolean;
}

interface Near {
  readonly rows: Span;
  readonly columns: Span;
}
const SPARE_ROWS = 14;
const ROW_STEP = 4;
const FIRST_VIEW_PX = 640;

/** Rows and columns of a comparison, of which only those near the view are mounted: thousands scroll as tens do. */
export function ReleaseGrid(props: ReleaseGridProps) {
  const { label, columns, items, lit, selected, whole } = props;
  const scroller = useRef<HTMLDivElement | null>(null);
  const [widthPx, setWidthPx] = useState(0);
  const titles = useMemo(() => shortTitles(items.flatMap((item) => (item.kind === "row" ? [item.row] : []))), [items]);
  const orderPx = useMemo(() => widestOrder(items, columns), [items, columns]);
  const layout = useMemo(() => gridLayout(widthPx, columns.length - 1, orderPx), [widthPx, columns.length, orderPx]);
  const [near, setNear] = useState<Near>({
    rows: nearSpan(items.length, GRID_ROW_PX, 0, FIRST_VIEW_PX, SPARE_ROWS),
    columns: { first: 0, end: 0 },
  });
  const look = (): void => {
    const element = scroller.current;
    if (element !== null) setNear((before) => sameOr(before, nearOf(element, items.length, columns.length - 1, layout)));
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    setWidthPx(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // What is near follows from the layout and the rows too, not from scrolling alone.
  useLayoutEffect(look, [layout, items.length, columns.length]);
  useKeptInView(scroller, items, selected, layout);
  const id = useId();
  const idOf = useMemo(() => (column: number) => `${id}-${column}`, [id]);
  const rows = whole ? { first: 0, end: items.length } : near.rows;
  const mounted = whole ? { first: 0, end: columns.length - 1 } : near.columns;
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={items.length + 1}
      aria-colcount={columns.length + 2}
      tabIndex={0}
      {...(selected === null ? {} : { "aria-activedescendant": idOf(selected.column) })}
      onScroll={look}
      onClick={(event) => press(event, props)}
      onKeyDown={(event) => move(event, props)}
      className={`relative flex-none text-note ${whole ? "" : "max-h-[max(360px,calc(100vh-290px))] overflow-auto overscroll-x-contain"} [overflow-anchor:none]`}
    >
      <div role="presentation" className="relative" style={{ height: GRID_HEAD_PX + items.length * GRID_ROW_PX, width: layout.totalPx }}>
        <GridHead columns={columns} layout={layout} lit={lit} note={props.note} nameOf={props.nameOf} />
        {lit === null || lit === 0 ? null : <LitColumn lit={lit} layout={layout} rows={items.length} />}
        {items.slice(rows.first, rows.end).map((item, offset) => {
          const index = rows.first + offset;
          const topPx = GRID_HEAD_PX + index * GRID_ROW_PX;
          if (item.kind === "head")
            return <DimensionHead key={item.dimension} title={item.title} topPx={topPx} position={index + 2} layout={layout} />;
          const isSelected = selected?.rowKey === item.row.key;
          return (
            <GridRow
              key={item.row.key}
              row={item.row}
              title={titles.get(item.row.key) ?? item.row.title}
              columns={columns}
              layout={layout}
              topPx={topPx}
              position={index + 2}
              firstColumn={mounted.first + 1}
              endColumn={mounted.end + 1}
              lit={lit}
              isSelected={isSelected}
              selectedColumn={isSelected ? selected.column : null}
              idOf={isSelected ? idOf : noId}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Only the selected row's cells are named: the grid points at one of them. */
function noId(): string | undefined {
  return undefined;
}

function LitColumn({ lit, layout, rows }: { readonly lit: number; readonly layout: GridLayout; readonly rows: number }) {
  return (
    <span
      aria-hidden="true"
      className="absolute bg-accent-wash"
      style={{
        top: GRID_HEAD_PX,
        height: rows * GRID_ROW_PX,
        left: layout.labelPx + layout.baselinePx + (lit - 1) * layout.columnPx,
        width: layout.columnPx,
      }}
    />
  );
}

interface DimensionHeadProps {
  readonly title: string;
  readonly topPx: number;
  readonly position: number;
  readonly layout: GridLayout;
}

function DimensionHead({ title, topPx, position, layout }: DimensionHeadProps) {
  return (
    <div
      role="row"
      aria-rowindex={position}
      className="absolute left-0 flex"
      style={{ top: topPx, height: GRID_ROW_PX, width: layout.totalPx }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className="sticky left-0 self-end pb-[3px] pl-4 text-label font-semibold whitespace-nowrap max-desk:pl-3"
      >
        {title}
      </div>
    </div>
  );
}

function nearOf(element: HTMLElement, rows: number, candidates: number, layout: GridLayout): Near {
  const top = element.scrollTop - GRID_HEAD_PX;
  const before = layout.labelPx + layout.baselinePx;
  const left = element.scrollLeft - (layout.holdsBaseline ? 0 : layout.baselinePx);
  return {
    rows: nearSpan(rows, GRID_ROW_PX, top, top + element.clientHeight, SPARE_ROWS, ROW_STEP),
    columns: nearSpan(
      candidates,
      layout.columnPx,
      Math.max(0, left),
      Math.max(0, left) + Math.max(0, element.clientWidth - before) + layout.baselinePx,
      1,
    ),
  };
}

function sameOr(before: Near, now: Near): Near {
  const same = (a: Span, b: Span): boolean => a.first === b.first && a.end === b.end;
  return same(before.rows, now.rows) && same(before.columns, now.columns) ? before : now;
}

function widestOrder(items: readonly GridItem[], columns: readonly ReleaseColumn[]): number {
  let widest = 0;
  for (const item of items) {
    if (item.kind === "row")
      widest = Math.max(widest, orderPicture(item.row.order, item.row.tieGroups, (column) => columns[column]?.letter ?? "").widthPx);
  }
  return widest;
}

/** One listener for all cells: which one was pressed is written on it. */
function press(event: MouseEvent<HTMLElement>, { onOpen, onHead }: ReleaseGridProps): void {
  if (!(event.target instanceof Element) || event.target.closest("a[href]") !== null) return;
  const head = event.target.closest<HTMLElement>("[data-head]");
  if (head !== null) return onHead(Number(head.dataset["head"]));
  const rowKey = event.target.closest<HTMLElement>("[data-row]")?.dataset["row"];
  const cell = event.target.closest<HTMLElement>("[data-column]");
  if (rowKey !== undefined && cell !== null) onOpen({ rowKey, column: Number(cell.dataset["column"]) });
}

function move(event: KeyboardEvent<HTMLElement>, { items, columns, selected, lit, onSelect, onOpen }: ReleaseGridProps): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = selected ?? null;
  if (event.key === "Enter") {
    if (place === null) return;
    onOpen(place);
  } else {
    const next = neighbourPlace({ key: event.key, items, candidates: columns.length - 1, from: place, firstColumn: lit ?? 1 });
    if (next === null) return;
    onSelect(next);
  }
  event.preventDefault();
  event.stopPropagation();
}

interface Move {
  readonly key: string;
  readonly items: readonly GridItem[];
  readonly candidates: number;
  readonly from: GridPlace | null;
  readonly firstColumn: number;
}

/** Where an arrow leads; null where the key is none. */
function neighbourPlace({ key, items, candidates, from, firstColumn }: Move): GridPlace | null {
  const rows = items.flatMap((item) => (item.kind === "row" ? [item.row.key] : []));
  const at = from === null ? -1 : rows.indexOf(from.rowKey);
  const column = from?.column ?? Math.max(1, firstColumn);
  const target = {
    ArrowDown: { row: at + 1, column },
    ArrowUp: { row: at === -1 ? rows.length - 1 : at - 1, column },
    ArrowLeft: { row: Math.max(0, at), column: column - 1 },
    ArrowRight: { row: Math.max(0, at), column: column + 1 },
    Home: { row: 0, column },
    End: { row: rows.length - 1, column },
  }[key];
  if (target === undefined) return null;
  const rowKey = rows[Math.max(0, Math.min(rows.length - 1, target.row))];
  return rowKey === undefined ? null : { rowKey, column: Math.max(1, Math.min(candidates, target.column)) };
}

/** A selection that moves out of the view, by keys or by a link, takes the view with it. */
function useKeptInView(
  scroller: { readonly current: HTMLElement | null },
  items: readonly GridItem[],
  selected: GridPlace | null,
  layout: GridLayout,
): void {
  const index = selected === null ? -1 : items.findIndex((item) => item.kind === "row" && item.row.key === selected.rowKey);
  const column = selected?.column ?? 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || index === -1) return;
    const top = index * GRID_ROW_PX;
    const viewPx = element.clientHeight - GRID_HEAD_PX;
    if (top < element.scrollTop) element.scrollTo({ top });
    else if (top + GRID_ROW_PX > element.scrollTop + viewPx) element.scrollTo({ top: top + GRID_ROW_PX - viewPx });
    const left = (column - 1) * layout.columnPx;
    const acrossPx = element.clientWidth - layout.labelPx - (layout.holdsBaseline ? layout.baselinePx : 0);
    const from = layout.holdsBaseline ? left : left + layout.baselinePx;
    if (from < element.scrollLeft) element.scrollTo({ left: from });
    else if (from + layout.columnPx > element.scrollLeft + acrossPx) element.scrollTo({ left: from + layout.columnPx - acrossPx });
  }, [scroller, index, column, layout]);
}
