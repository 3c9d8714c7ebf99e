import { formatCount, formatInteger, MISSING } from "../../format/index.ts";
import { laneText, tableRows, type Lane, type TableRow } from "../prepare/index.ts";
import { useRowWindow } from "./row-window.ts";

export interface LaneTableProps {
  readonly lane: Lane;
  readonly heightPx: number;
}

const ROW_PX = 24;
const EDGES = "px-2 first:pl-4 last:pr-4 max-desk:first:pl-3 max-desk:last:pr-3";
const HEADS = ["Attempt", "Steps", "Points", "Mean", "Lowest", "Highest", "Not finite"] as const;

/** The same lane in numbers: every bucket it draws. Rows far from view are not mounted. */
export function LaneTable({ lane, heightPx }: LaneTableProps) {
  const rows = tableRows(lane);
  const view = useRowWindow(rows.length, ROW_PX, heightPx);
  return (
    <section
      aria-label={`${lane.title} in numbers`}
      // A region that scrolls must be reachable by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-auto border-b border-line"
      style={{ height: heightPx }}
      onScroll={view.onScroll}
    >
      <table aria-rowcount={rows.length + 1} className="w-full border-collapse text-note whitespace-nowrap">
        <caption className="sticky left-0 px-4 py-1.5 text-left font-semibold max-desk:px-3">{lane.title}</caption>
        <thead className="sticky top-0 bg-bg">
          <tr>
            {HEADS.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={`border-b border-line py-1 text-label font-normal text-t3 ${index > 1 ? "text-right" : "text-left"} ${EDGES}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Filler heightPx={view.abovePx} />
          {rows.slice(view.first, view.end).map((row, index) => (
            <Bucket key={row.key} row={row} lane={lane} position={view.first + index + 2} />
          ))}
          <Filler heightPx={view.belowPx} />
        </tbody>
      </table>
    </section>
  );
}

/** Stands for the rows that are not mounted, so that the scroll bar tells the truth. */
function Filler({ heightPx }: { readonly heightPx: number }) {
  return heightPx === 0 ? null : (
    <tr aria-hidden="true">
      <td colSpan={HEADS.length} style={{ height: heightPx }}>
        &nbsp;
      </td>
    </tr>
  );
}

function Bucket({ row, lane, position }: { readonly row: TableRow; readonly lane: Lane; readonly position: number }) {
  const steps =
    row.stepFirst === row.stepLast ? formatInteger(row.stepFirst) : `${formatInteger(row.stepFirst)} – ${formatInteger(row.stepLast)}`;
  const number = `text-right ${EDGES}`;
  return (
    <tr aria-rowindex={position} className={`border-b border-line ${row.superseded ? "text-t3" : ""}`} style={{ height: ROW_PX }}>
      <td className={EDGES}>
        {row.attempt}
        {row.single === null ? "" : `, ${row.single}`}
        {row.spread === null ? "" : `, spread of ${formatCount(row.spread, "rank")}`}
        {row.superseded ? ", rolled back" : ""}
      </td>
      <td className={EDGES}>{steps}</td>
      <td className={number}>{formatInteger(row.count)}</td>
      <td className={number}>{laneText(lane, row.mean)}</td>
      <td className={number} title={row.minStep === null ? undefined : `step ${formatInteger(row.minStep)}`}>
        {laneText(lane, row.min)}
      </td>
      <td className={number} title={row.maxStep === null ? undefined : `step ${formatInteger(row.maxStep)}`}>
        {laneText(lane, row.max)}
      </td>
      <td className={number}>{row.nonFinite === 0 ? MISSING : formatInteger(row.nonFinite)}</td>
    </tr>
  );
}
