import { READING_STATES } from "@trainwatch/core";
import { formatFixed, formatInteger, formatSigned, MISSING } from "../../../format/index.ts";
import { SeverityShape } from "../../../primitives/severity-shape.tsx";
import { fleetQuantity, gpuTitle, quantityText, STATE_WORDS, type FleetMark, type FleetPicture } from "../../prepare/fleet/index.ts";
import { useCellCursor, type CellCursor } from "./cell-cursor.ts";

export interface CellOverlayProps {
  readonly picture: FleetPicture;
  readonly cursor: CellCursor;
  readonly selected: number | null;
  /** GPUs that somebody has chosen as the bad ones. */
  readonly chosen?: readonly number[] | undefined;
}

/** All that moves with the pointer: a frame around a cell and a card beside it. */
export function CellOverlay({ picture, cursor, selected, chosen = [] }: CellOverlayProps) {
  const at = useCellCursor(cursor);
  return (
    <div className="pointer-events-none absolute inset-0 overflow-visible">
      {chosen.map((gpu) => (
        <CellFrame key={gpu} picture={picture} gpu={gpu} part="chosen" />
      ))}
      {selected === null ? null : <CellFrame picture={picture} gpu={selected} part="selected" />}
      {at === null ? null : <CellFrame picture={picture} gpu={at.gpu} part="cursor" />}
      {at === null ? null : <CellCard picture={picture} gpu={at.gpu} />}
      <span aria-live="polite" className="sr-only">
        {at?.by === "key"
          ? [gpuTitle(picture.ground.layout, at.gpu), ...cellFacts(picture, at.gpu).map((fact) => fact.join(" "))].join(", ")
          : ""}
      </span>
    </div>
  );
}

const FRAME_INK = { selected: "border-accent", cursor: "border-t1", chosen: "border-crit-ink" } as const;

function CellFrame({
  picture,
  gpu,
  part,
}: {
  readonly picture: FleetPicture;
  readonly gpu: number;
  readonly part: keyof typeof FRAME_INK;
}) {
  const { x, y, pitchX, pitchY } = picture.ground.places;
  const left = x[gpu] ?? Number.NaN;
  const top = y[gpu] ?? Number.NaN;
  if (Number.isNaN(left)) return null;
  return (
    <span
      data-part={`fleet-${part}`}
      className={`absolute border-[1.5px] shadow-[0_0_0_1.5px_var(--bg)] ${FRAME_INK[part]}`}
      style={{ left: left - 3, top: top - 3, width: pitchX + 5, height: pitchY + 5 }}
    />
  );
}

const CARD_PX = 240;
const CARD_HIGH_PX = 150;

function CellCard({ picture, gpu }: { readonly picture: FleetPicture; readonly gpu: number }) {
  const { places, layout } = picture.ground;
  const left = (places.x[gpu] ?? 0) + places.pitchX + 12;
  const top = (places.y[gpu] ?? 0) - 8;
  const side = left + CARD_PX > places.widthPx ? { right: places.widthPx - (places.x[gpu] ?? 0) + 12 } : { left };
  const level = top + CARD_HIGH_PX > places.heightPx && top > CARD_HIGH_PX ? { bottom: places.heightPx - top - 24 } : { top };
  const [value, ...facts] = cellFacts(picture, gpu);
  const mark = picture.marks.drawn.find((candidate) => candidate.gpu === gpu);
  return (
    <div
      data-part="fleet-card"
      className="absolute z-10 rounded-control border border-line-2 bg-raise px-3 py-2 text-note shadow-popover"
      style={{ width: CARD_PX, ...side, ...level }}
    >
      <p className="flex justify-between gap-3 font-semibold whitespace-nowrap">
        <span className="overflow-hidden font-mono text-[0.92em] text-ellipsis">{gpuTitle(layout, gpu)}</span>
        <span>{value?.[1]}</span>
      </p>
      <dl className="m-0 mt-1 grid grid-cols-[auto_1fr] gap-x-3">
        {facts.map(([name, text]) => (
          <CardFact key={name} name={name} text={text} />
        ))}
      </dl>
      {mark === undefined ? null : <CardMark mark={mark} />}
    </div>
  );
}

function CardFact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <dt className="text-t2">{name}</dt>
      <dd className="m-0 text-right whitespace-nowrap">{text}</dd>
    </>
  );
}

function CardMark({ mark }: { readonly mark: FleetMark }) {
  return (
    <p className={`mt-1 flex items-start gap-1.5 text-label ${mark.severity === "critical" ? "text-crit-ink" : "text-warn-ink"}`}>
      <span className="relative top-0.5">
        <SeverityShape mark={mark.severity} />
      </span>
      <span className="line-clamp-2">
        {mark.incidentId === null ? "" : `#${mark.incidentId} `}
        {mark.text}
        {mark.count > 1 ? `, ×${formatInteger(mark.count)}` : ""}
      </span>
    </p>
  );
}

/** Name and value of what is known of a cell; the reading itself first. */
export function cellFacts(picture: FleetPicture, gpu: number): readonly (readonly [name: string, text: string])[] {
  const { ground, frame, metric, deviations, groupMedians, fleetMedian } = picture;
  const { layout, places } = ground;
  const state = READING_STATES[frame.states[gpu] ?? 1] ?? "none";
  const say = (value: number | undefined): string => quantityText(fleetQuantity(value, metric, frame.isRate));
  const deviation = deviations[gpu] ?? Number.NaN;
  const group = places.group[gpu] ?? -1;
  const title = places.boxes[group]?.title ?? "";
  const node = layout.nodes[layout.gpu.node[gpu] ?? -1];
  const run = layout.runs[layout.gpu.run[gpu] ?? -1];
  const rank = layout.gpu.rank[gpu] ?? null;
  const stage = layout.gpu.stage[gpu] ?? null;
  const facts: (readonly [string, string])[] = [[metric.title, state === "ok" ? say(frame.values[gpu] ?? undefined) : STATE_WORDS[state]]];
  if (ground.groups.grouping !== "node")
    facts.push([`${ground.groups.grouping === "rack" ? "rack " : ""}${title}, median`, say(groupMedians[group])]);
  facts.push(["fleet, median", say(fleetMedian)]);
  if (!Number.isNaN(deviation)) facts.push(["against its peers", `${formatSigned(deviation, 1)} σ`]);
  if (ground.groups.grouping !== "rack" && typeof node?.rack === "string") facts.push(["rack", node.rack]);
  if (run !== undefined) facts.push(["run", run.name]);
  if (rank !== null)
    facts.push([stage === null ? "rank" : "rank, stage", `${formatInteger(rank)}${stage === null ? "" : ` · ${formatFixed(stage, 0)}`}`]);
  if (node?.cordoned !== null && node?.cordoned !== undefined)
    facts.push(["cordoned", node.cordoned.why === "" ? MISSING : node.cordoned.why]);
  return facts;
}
