import type { ReleaseCell, ReleaseColumn, ReleaseRow } from "@trainwatch/core";
import { memo } from "react";
import { formatInteger } from "../../../format/index.ts";
import { SeverityShape } from "../../../primitives/severity-shape.tsx";
import { TONE_CLASS } from "../../../primitives/tone.ts";
import { cellWords, forestSpan, isJudged, orderPicture } from "../../prepare/release/index.ts";
import { ForestSvg } from "./forest-svg.tsx";
import { GRID_ROW_PX, type GridLayout } from "./grid-layout.ts";
import { OrderSvg } from "./order-svg.tsx";

export interface GridRowProps {
  readonly row: ReleaseRow;
  /** As short as it can be without being another row's. */
  readonly title: string;
  readonly columns: readonly ReleaseColumn[];
  readonly layout: GridLayout;
  readonly topPx: number;
  /** Position in the whole table, for readers. */
  readonly position: number;
  /** Candidates that are mounted, by column index: the baseline is column 0. */
  readonly firstColumn: number;
  readonly endColumn: number;
  readonly lit: number | null;
  readonly isSelected: boolean;
  /** Column of the selected cell, where this row is selected. */
  readonly selectedColumn: number | null;
  readonly idOf: (column: number) => string | undefined;
}

/** One row of the comparison. It is drawn anew only when something of its own changes: scrolling moves it as it is. */
export const GridRow = memo(function GridRow({
  row,
  title,
  columns,
  layout,
  topPx,
  position,
  firstColumn,
  endColumn,
  lit,
  isSelected,
  selectedColumn,
  idOf,
}: GridRowProps) {
  const span = forestSpan(row.cells.slice(1));
  const order = orderPicture(row.order, row.tieGroups, (column) => columns[column]?.letter ?? "?");
  const mounted = Array.from({ length: Math.max(0, endColumn - firstColumn) }, (_, index) => firstColumn + index);
  const held = isSelected ? "bg-accent-wash shadow-[inset_2px_0_var(--accent)]" : "bg-bg";
  return (
    <div
      role="row"
      aria-rowindex={position}
      aria-selected={isSelected}
      data-row={row.key}
      className={`absolute left-0 flex border-b border-line ${isSelected ? "bg-accent-wash" : ""}`}
      style={{ top: topPx, height: GRID_ROW_PX, width: layout.totalPx, contain: "layout style" }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        title={`${row.title}\n${row.task}, ${row.metric}${row.filter === null ? "" : `, ${row.filter}`}\n${row.settings}`}
        className={`sticky left-0 z-10 flex flex-none items-baseline overflow-hidden pt-[5px] pl-4 whitespace-nowrap max-desk:pl-3 ${held}`}
        style={{ width: layout.labelPx }}
      >
        <span className="overflow-hidden text-ellipsis">{title}</span>
        <span className="ml-1.5 flex-none pr-1 text-label text-t3">{rowFacts(row)}</span>
      </div>
      <BaselineCell row={row} column={columns[0]} layout={layout} isSelected={isSelected} />
      <span aria-hidden="true" className="flex-none" style={{ width: (firstColumn - 1) * layout.columnPx }} />
      {mounted.map((index) => {
        const cell = row.cells[index];
        const column = columns[index];
        if (cell === undefined || column === undefined) return null;
        return (
          <CandidateCell
            key={column.scorecardId}
            id={idOf(index)}
            row={row}
            column={column}
            index={index}
            cell={cell}
            span={span}
            widthPx={layout.columnPx}
            isLit={index === lit}
            isSelected={index === selectedColumn}
          />
        );
      })}
      <span aria-hidden="true" className="flex-none" style={{ width: (columns.length - endColumn) * layout.columnPx }} />
      <div
        role="gridcell"
        aria-colindex={columns.length + 2}
        title={order.text}
        className="flex flex-none items-center pl-1"
        style={{ width: layout.orderPx }}
      >
        <span className="sr-only">{order.text}</span>
        <OrderSvg picture={order} lit={lit} />
      </div>
    </div>
  );
});

/** "n 1,319": of the baseline; the way it is better where its head does not say it. */
function rowFacts(row: ReleaseRow): string {
  const n = row.cells[0]?.n ?? row.cells.find((cell) => cell.n !== null)?.n ?? null;
  return n === null ? "" : `n ${formatInteger(n)}`;
}

interface BaselineCellProps {
  readonly row: ReleaseRow;
  readonly column: ReleaseColumn | undefined;
  readonly layout: GridLayout;
  readonly isSelected: boolean;
}

function BaselineCell({ row, column, layout, isSelected }: BaselineCellProps) {
  const [cell] = row.cells;
  if (cell === undefined || column === undefined) return null;
  const words = cellWords(row, column, cell);
  return (
    <div
      role="gridcell"
      aria-colindex={2}
      title={words.sentence}
      className={`flex flex-none items-baseline justify-end pt-[5px] pr-1 whitespace-nowrap ${layout.holdsBaseline ? `sticky z-10 ${isSelected ? "bg-accent-wash" : "bg-bg"}` : ""}`}
      style={{ width: layout.baselinePx, ...(layout.holdsBaseline ? { left: layout.labelPx } : {}) }}
    >
      {isJudged(cell.verdict) ? (
        <>
          {words.value}
          {words.valueHalf === null ? null : <span className="pl-1 text-t3">±{words.valueHalf}</span>}
          <span className="w-[26px] overflow-hidden pl-[3px] text-left text-label text-ellipsis text-t3">
            {SHORT_UNITS[row.unit] ?? row.unit}
          </span>
        </>
      ) : (
        <Without words={words.verdict} />
      )}
    </div>
  );
}

/** Units that have no room in the baseline's column; the cell's title writes them out. */
const SHORT_UNITS: Readonly<Record<string, string>> = { tokens: "tok" };

function Without({ words }: { readonly words: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 self-center text-t3">
      <SeverityShape mark="unknown" />
      <span className="overflow-hidden text-ellipsis whitespace-nowrap">{words}</span>
    </span>
  );
}

/** Letters that a difference and half its interval have room for; beyond it the mark draws the interval and the title tells it. */
const DELTA_LETTERS = 10;

function fits(delta: string, half: string): boolean {
  return delta.length + half.length <= DELTA_LETTERS;
}

interface CandidateCellProps {
  readonly id: string | undefined;
  readonly row: ReleaseRow;
  readonly column: ReleaseColumn;
  readonly index: number;
  readonly cell: ReleaseCell;
  readonly span: number;
  readonly widthPx: number;
  readonly isLit: boolean;
  readonly isSelected: boolean;
}

function CandidateCell({ id, row, column, index, cell, span, widthPx, isLit, isSelected }: CandidateCellProps) {
  const words = cellWords(row, column, cell);
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={index + 2}
      title={words.sentence}
      data-column={index}
      data-verdict={cell.verdict}
      className={`flex flex-none cursor-pointer items-center gap-1 pl-2 whitespace-nowrap ${isLit ? "bg-accent-wash" : ""} ${isSelected ? "outline-2 -outline-offset-2 outline-accent" : "hover:bg-raise"}`}
      style={{ width: widthPx }}
    >
      <span className="w-10 flex-none text-right">{words.value}</span>
      {words.delta === null ? (
        <Without words={words.verdict} />
      ) : (
        <>
          <ForestSvg cell={cell} span={span} />
          <span className="w-[76px] flex-none pr-1 text-right">
            <span className={cell.verdict === "tie" ? "text-t3" : ""}>{words.delta}</span>
            {words.deltaHalf === null || !fits(words.delta, words.deltaHalf) ? null : (
              <span className="pl-1 text-t3">±{words.deltaHalf}</span>
            )}
          </span>
          <span className={`flex items-center gap-1 ${TONE_CLASS[words.tone]} ${cell.verdict === "tie" ? "" : "font-medium"}`}>
            {words.verdict}
            {cell.overridden ? <SeverityShape mark="warning" size={9} label="comparison allowed" /> : null}
          </span>
        </>
      )}
    </div>
  );
}
