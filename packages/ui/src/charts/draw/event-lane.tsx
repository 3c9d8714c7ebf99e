import { memo } from "react";
import { placeLabels, type EventMark, type EventRow, type PreparedStack } from "../prepare/index.ts";
import { formatInteger } from "../../format/index.ts";
import { crisp, xPixel } from "./geometry.ts";
import { ChartText } from "./shapes.tsx";

export interface EventLaneProps {
  readonly stack: PreparedStack;
  readonly labelPx: number;
  readonly plotPx: number;
  readonly compact: boolean;
}

const ROW_PX = 20;
const TOP_PX = 14;

export function eventLaneHeight(rows: number): number {
  return rows === 0 ? 0 : TOP_PX * 2 + (rows - 1) * ROW_PX;
}

/** What happened along the axis: checkpoints, restarts and branches, decisions and notes, a row each. */
export const EventLane = memo(function EventLane({ stack, labelPx, plotPx, compact }: EventLaneProps) {
  if (stack.events.length === 0) return null;
  const height = eventLaneHeight(stack.events.length);
  return (
    <section
      aria-label="Events"
      data-lane="events"
      className="relative grid border-b border-line"
      style={{ height, gridTemplateColumns: `${labelPx}px minmax(0, 1fr)` }}
    >
      <div className="relative pt-[5px] pl-4 max-desk:pl-3">
        <h3 className="text-note font-semibold text-t1 max-desk:text-label">{compact ? "" : "Events"}</h3>
        {stack.events.map((row, index) => (
          <span
            key={row.title}
            className="absolute right-1.5 -translate-y-1/2 text-[10.5px]/[12px] text-t3"
            style={{ top: TOP_PX + index * ROW_PX }}
            title={rowTitle(row)}
          >
            {compact ? row.title.split(",")[0] : row.title}
          </span>
        ))}
      </div>
      <svg width={plotPx} height={height - 1} className="overflow-visible" role="img" aria-label={eventWords(stack.events)}>
        {stack.ticks.map((tick) => (
          <line
            key={tick.at}
            x1={crisp(xPixel(stack, tick.at))}
            x2={crisp(xPixel(stack, tick.at))}
            y1="0"
            y2={height}
            stroke="var(--grid)"
          />
        ))}
        {stack.events.map((row, index) => (
          <Row key={row.title} row={row} y={TOP_PX + index * ROW_PX} stack={stack} plotPx={plotPx} />
        ))}
      </svg>
    </section>
  );
});

/** Events named one by one to those who do not see them. */
const NAMED = 24;

function eventWords(rows: readonly EventRow[]): string {
  return rows
    .map(
      (row) =>
        `${row.title}: ${row.marks
          .slice(0, NAMED)
          .map((mark) => mark.text)
          .join("; ")}${row.total > NAMED ? ` and ${formatInteger(row.total - NAMED)} more` : ""}`,
    )
    .join(". ");
}

function rowTitle(row: EventRow): string {
  return row.marks.length === row.total
    ? `${formatInteger(row.total)} in this range`
    : `${formatInteger(row.marks.length)} of ${formatInteger(row.total)} drawn: the others stand too close`;
}

function Row({
  row,
  y,
  stack,
  plotPx,
}: {
  readonly row: EventRow;
  readonly y: number;
  readonly stack: PreparedStack;
  readonly plotPx: number;
}) {
  const spoken = row.marks.filter((mark) => mark.spoken);
  const labels = placeLabels(
    spoken.map((mark) => ({ xPx: xPixel(stack, mark.x), text: mark.text, weight: mark.x })),
    { widthPx: plotPx, rows: 1, prefer: "start", offsetPx: 8, obstaclesPx: row.marks.map((mark) => xPixel(stack, mark.x)) },
  );
  return (
    <g>
      <line x1="0" x2={plotPx} y1={crisp(y)} y2={crisp(y)} stroke="var(--grid)" />
      {row.marks.map((mark) => (
        <g key={`${mark.x}-${mark.text}`} data-event={mark.shape} pointerEvents="all">
          <title>{mark.text}</title>
          <Mark
            mark={mark}
            x={xPixel(stack, mark.x)}
            y={y}
            fromX={mark.fromX === null ? null : xPixel(stack, Math.max(mark.fromX, stack.from))}
          />
        </g>
      ))}
      {labels.map((label) => (
        <ChartText key={label.index} x={label.xPx} y={y + 4} anchor={label.anchor}>
          {spoken[label.index]?.text ?? ""}
        </ChartText>
      ))}
    </g>
  );
}

function Mark({ mark, x, y, fromX }: { readonly mark: EventMark; readonly x: number; readonly y: number; readonly fromX: number | null }) {
  const square = (fill: string, stroke: string) => (
    <rect x={Math.round(x) - 2.5} y={y - 2.5} width="6" height="6" fill={fill} stroke={stroke} />
  );
  switch (mark.shape) {
    case "verified":
      return square("var(--ink)", "var(--ink)");
    case "unchecked":
      return square("var(--bg)", "var(--ink)");
    case "suspect":
      return square("var(--crit)", "var(--crit-ink)");
    case "incomplete":
      return <path d={`M${x - 3} ${y - 3}l6 6m0-6l-6 6`} stroke="var(--warn-ink)" strokeWidth="1.5" fill="none" />;
    case "branch":
      return (
        <g fill="var(--ink-2)" stroke="var(--ink-2)">
          {fromX === null ? null : <path d={`M${x} ${y + 0.5}H${fromX + 4}`} fill="none" />}
          {fromX === null ? null : <path d={`M${fromX} ${y + 0.5}l6-4v8z`} stroke="none" />}
          <rect x={Math.round(x) - 3} y={y - 2.5} width="6" height="6" stroke="none" />
        </g>
      );
    case "restart":
      return <rect x={Math.round(x)} y={y - 4} width="1.5" height="9" fill="var(--ink)" />;
    case "decision":
      return <circle cx={x} cy={y + 0.5} r="3" fill="none" stroke="var(--accent)" strokeWidth="1.5" />;
    case "note":
      return <circle cx={x} cy={y + 0.5} r="3" fill="var(--ink-2)" />;
  }
}
