import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { formatInteger, MISSING } from "../../format/index.ts";
import { laneText, tableRows, type Lane } from "../prepare/index.ts";

export interface LaneTableProps {
  readonly lane: Lane;
  readonly heightPx: number;
}

const ROW_PX = 24;
const COLUMNS = "grid grid-cols-[64px_1.4fr_repeat(4,1fr)_.7fr] gap-x-3 px-4 max-desk:px-3";

/** The same lane in numbers: every bucket it draws. Rows far from view are not mounted. */
export function LaneTable({ lane, heightPx }: LaneTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = tableRows(lane);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 12 });
  return (
    <div role="table" aria-label={`${lane.title} in numbers`} aria-rowcount={rows.length + 1} className="text-note">
      <div role="row" className={`${COLUMNS} border-b border-line py-1 text-label text-t3`}>
        {["Attempt", "Steps", "Points", "Mean", "Lowest", "Highest", "Not finite"].map((head, index) => <span key={head} role="columnheader" className={index > 1 ? "text-right" : ""}>{head}</span>)}
      </div>
      <div ref={scroller} role="rowgroup" tabIndex={0} aria-label={`Rows of ${lane.title}`} className="overflow-auto" style={{ height: heightPx }}>
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const steps = row.stepFirst === row.stepLast ? formatInteger(row.stepFirst) : `${formatInteger(row.stepFirst)} – ${formatInteger(row.stepLast)}`;
            return (
              <div key={row.key} role="row" aria-rowindex={item.index + 2} className={`${COLUMNS} absolute inset-x-0 top-0 items-center border-b border-line whitespace-nowrap ${row.superseded ? "text-t3" : ""}`} style={{ height: ROW_PX, transform: `translateY(${item.start}px)` }}>
                <span role="cell">{row.attempt}</span>
                <span role="cell">{steps}</span>
                <span role="cell" className="text-right">{formatInteger(row.count)}</span>
                <span role="cell" className="text-right">{laneText(lane, row.mean)}</span>
                <span role="cell" className="text-right" title={row.minStep === null ? undefined : `step ${formatInteger(row.minStep)}`}>{laneText(lane, row.min)}</span>
                <span role="cell" className="text-right" title={row.maxStep === null ? undefined : `step ${formatInteger(row.maxStep)}`}>{laneText(lane, row.max)}</span>
                <span role="cell" className="text-right">{row.nonFinite === 0 ? MISSING : formatInteger(row.nonFinite)}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
