import { READING_STATES } from "@trainwatch/core";
import { formatInteger, formatSigned, MISSING } from "../../../format/index.ts";
import { SeverityShape } from "../../../primitives/severity-shape.tsx";
import { fleetQuantity, gpuTitle, quantityText, STATE_WORDS, type FleetPicture } from "../../prepare/fleet/index.ts";
import { useRowWindow } from "../row-window.ts";

export interface FleetTableProps {
  readonly picture: FleetPicture;
  /** Indexes into the layout's GPUs, in the order of the rows. */
  readonly order: readonly number[];
  readonly selected: number | null;
  readonly onSelect: (gpu: number) => void;
  readonly heightPx: number;
}

const ROW_PX = 26;
const EDGES = "px-2 first:pl-4 last:pr-4 max-desk:first:pl-3 max-desk:last:pr-3";

/** The map in numbers: a row a GPU. Rows far from view are not mounted. */
export function FleetTable({ picture, order, selected, onSelect, heightPx }: FleetTableProps) {
  const view = useRowWindow(order.length, ROW_PX, heightPx);
  const heads = ["GPU", "UUID", "Rack", "Run", "Rank", "Stage", picture.metric.title, "Against its peers", "Events"];
  return (
    <section
      aria-label="GPUs in numbers"
      className="overflow-auto"
      style={{ height: heightPx }}
      onScroll={view.onScroll}
      // A region that scrolls must be reachable by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table aria-label="GPUs" aria-rowcount={order.length + 1} className="w-full border-collapse text-note whitespace-nowrap">
        <thead className="sticky top-0 z-10 bg-bg">
          <tr>
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={`border-b border-line py-1 text-label font-normal text-t3 ${index >= 4 && index < 8 ? "text-right" : "text-left"} ${EDGES}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Filler heightPx={view.abovePx} columns={heads.length} />
          {order.slice(view.first, view.end).map((gpu, index) => (
            <GpuRow
              key={gpu}
              picture={picture}
              gpu={gpu}
              position={view.first + index + 2}
              isSelected={gpu === selected}
              onSelect={onSelect}
            />
          ))}
          <Filler heightPx={view.belowPx} columns={heads.length} />
        </tbody>
      </table>
    </section>
  );
}

function Filler({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  return heightPx === 0 ? null : (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: heightPx }}>
        &nbsp;
      </td>
    </tr>
  );
}

interface GpuRowProps {
  readonly picture: FleetPicture;
  readonly gpu: number;
  readonly position: number;
  readonly isSelected: boolean;
  readonly onSelect: (gpu: number) => void;
}

function GpuRow({ picture, gpu, position, isSelected, onSelect }: GpuRowProps) {
  const { layout } = picture.ground;
  const { frame, metric, deviations, marks } = picture;
  const node = layout.nodes[layout.gpu.node[gpu] ?? -1];
  const run = layout.runs[layout.gpu.run[gpu] ?? -1];
  const state = READING_STATES[frame.states[gpu] ?? 1] ?? "none";
  const deviation = deviations[gpu] ?? Number.NaN;
  const mark = marks.drawn.find((candidate) => candidate.gpu === gpu);
  const number = `text-right ${EDGES}`;
  return (
    <tr
      aria-rowindex={position}
      className={`border-b border-line ${isSelected ? "bg-accent-wash" : "hover:bg-raise"} ${state === "ok" ? "" : "text-t3"}`}
      style={{ height: ROW_PX }}
    >
      <td className={EDGES}>
        <button type="button" aria-pressed={isSelected} className="font-mono text-[0.92em] hover:underline" onClick={() => onSelect(gpu)}>
          {gpuTitle(layout, gpu)}
        </button>
      </td>
      <td className={`font-mono text-[0.92em] text-t2 ${EDGES}`}>{layout.gpu.id[gpu]}</td>
      <td className={EDGES}>{node?.rack ?? MISSING}</td>
      <td className={EDGES}>{run?.name ?? MISSING}</td>
      <td className={number}>{formatInteger(layout.gpu.rank[gpu])}</td>
      <td className={number}>{formatInteger(layout.gpu.stage[gpu])}</td>
      <td className={`font-semibold ${number}`}>
        {state === "ok" ? quantityText(fleetQuantity(frame.values[gpu], metric, frame.isRate)) : STATE_WORDS[state]}
      </td>
      <td className={number}>{Number.isNaN(deviation) ? MISSING : `${formatSigned(deviation, 1)} σ`}</td>
      <td className={EDGES}>
        {node?.cordoned === null ? null : <span className="mr-2">cordoned</span>}
        {mark === undefined ? null : (
          <span className="inline-flex items-center gap-1.5" title={mark.text}>
            <SeverityShape mark={mark.severity} label={mark.severity} />
            {formatInteger(mark.count)}
          </span>
        )}
      </td>
    </tr>
  );
}
