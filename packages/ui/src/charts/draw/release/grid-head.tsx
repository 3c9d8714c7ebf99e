import type { ReleaseColumn } from "@trainwatch/core";
import type { ReactNode } from "react";
import { formatCount, formatInteger } from "../../../format/index.ts";
import { GRID_HEAD_PX, type GridLayout } from "./grid-layout.ts";

export interface GridHeadProps {
  readonly columns: readonly ReleaseColumn[];
  readonly layout: GridLayout;
  readonly lit: number | null;
  /** Over the labels: which tests, which correction. */
  readonly note: string;
  /** A column's name as a way to its own page; the letter stands before it. */
  readonly nameOf: (column: ReleaseColumn) => ReactNode;
}

/** Stays in view: which column is which, what is known of it, and how it did. */
export function GridHead({ columns, layout, lit, note, nameOf }: GridHeadProps) {
  const [baseline, ...candidates] = columns;
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-20 flex border-b border-line-2 bg-bg"
      style={{ height: GRID_HEAD_PX, width: layout.totalPx }}
    >
      <div
        role="columnheader"
        aria-colindex={1}
        className="sticky left-0 z-20 flex flex-none flex-col justify-end overflow-hidden bg-bg pb-1.5 pl-4 text-label text-t3 max-desk:pl-3"
        style={{ width: layout.labelPx }}
      >
        <span className="sr-only">Row. </span>
        <span title={note} className="line-clamp-3 max-desk:line-clamp-5 max-desk:text-[10px]/[12px]">
          {note}
        </span>
      </div>
      {baseline === undefined ? null : (
        <div
          role="columnheader"
          aria-colindex={2}
          className={`flex flex-none flex-col justify-end overflow-hidden pr-2 pb-1.5 text-right whitespace-nowrap ${layout.holdsBaseline ? "sticky z-20 bg-bg" : ""}`}
          style={{ width: layout.baselinePx, ...(layout.holdsBaseline ? { left: layout.labelPx } : {}) }}
        >
          <span className="overflow-hidden text-ellipsis" title={columnName(baseline)}>
            <b className="text-[14px]/[20px] font-semibold">{baseline.letter}</b> <span className="text-t2">{nameOf(baseline)}</span>
          </span>
          <span className="overflow-hidden text-label text-ellipsis text-t3" title={columnOrigin(baseline)}>
            {columnOrigin(baseline)}
          </span>
          <span className="text-label text-t3">baseline</span>
        </div>
      )}
      {candidates.map((column, index) => (
        <CandidateHead
          key={column.scorecardId}
          column={column}
          index={index + 1}
          layout={layout}
          isLit={index + 1 === lit}
          name={nameOf(column)}
        />
      ))}
      <div
        role="columnheader"
        aria-colindex={columns.length + 2}
        className="flex flex-none flex-col justify-end pb-1.5 pl-2 text-label text-t3"
        style={{ width: layout.orderPx }}
      >
        <span>Order; bars</span>
        <span>join ties</span>
      </div>
    </div>
  );
}

interface CandidateHeadProps {
  readonly column: ReleaseColumn;
  readonly index: number;
  readonly layout: GridLayout;
  readonly isLit: boolean;
  readonly name: ReactNode;
}

function CandidateHead({ column, index, layout, isLit, name }: CandidateHeadProps) {
  const [warning] = column.warnings;
  const counts = columnCounts(column);
  return (
    <div
      role="columnheader"
      aria-colindex={index + 2}
      data-head={index}
      className={`flex flex-none cursor-pointer flex-col justify-end overflow-hidden px-2.5 pb-1.5 whitespace-nowrap ${isLit ? "bg-accent-wash shadow-[inset_0_2px_var(--accent)]" : "hover:bg-raise"}`}
      style={{ width: layout.columnPx }}
    >
      <span className="overflow-hidden text-ellipsis" title={columnName(column)}>
        <b className="text-[14px]/[20px] font-semibold">{column.letter}</b> <span className="text-t2">{name}</span>
      </span>
      <span
        className={`overflow-hidden text-label text-ellipsis ${warning === undefined ? "text-t3" : "text-warn-ink"}`}
        title={warning === undefined ? columnOrigin(column) : column.warnings.join("\n")}
      >
        {warning === undefined
          ? columnOrigin(column)
          : `${warning}${column.warnings.length > 1 ? ` and ${column.warnings.length - 1} more` : ""}`}
      </span>
      <span className="overflow-hidden text-label text-ellipsis text-t3" title={counts}>
        {headCounts(column)}
      </span>
    </div>
  );
}

/** "step 1,800", else the model's name. */
export function columnName(column: ReleaseColumn): string {
  return column.step === null ? column.model : `step ${formatInteger(column.step)}`;
}

/** Where a column's weights are from and what is known of them: "lab/rl-70b a9, verified". */
function columnOrigin(column: ReleaseColumn): string {
  const state = column.checkpointState === null ? "" : `, ${column.checkpointState}`;
  if (column.run !== null) return `${column.run.name}${state}`;
  return column.step === null ? `a model by name${state}` : `${column.model}${state}`;
}

/** "10 better, 2 worse, 4 ties, 1 unjudged": what a column's head has room for; which kind of unjudged its title tells. */
function headCounts({ counts }: Pick<ReleaseColumn, "counts">): string {
  const unjudged = counts["not-comparable"] + counts.missing + counts["not-run"];
  const judged = `${formatInteger(counts.better)} better, ${formatInteger(counts.worse)} worse, ${formatCount(counts.tie, "tie")}`;
  return unjudged === 0 ? judged : `${judged}, ${formatInteger(unjudged)} unjudged`;
}

/** "10 better, 2 worse, 4 ties, 1 not comparable". */
export function columnCounts({ counts }: Pick<ReleaseColumn, "counts">): string {
  const without = counts.missing + counts["not-run"];
  return [
    `${formatInteger(counts.better)} better`,
    `${formatInteger(counts.worse)} worse`,
    formatCount(counts.tie, "tie"),
    ...(counts["not-comparable"] > 0 ? [`${formatInteger(counts["not-comparable"])} not comparable`] : []),
    ...(without > 0 ? [`${formatInteger(without)} without a result`] : []),
  ].join(", ");
}
