import { useEffect, useMemo, useRef } from "react";
import { formatCount, formatFixed, formatInteger } from "../../../format/index.ts";
import { SeverityShape } from "../../../primitives/severity-shape.tsx";
import { fleetQuantity, quantityText, STATE_WORDS, stateCode, type FleetPicture } from "../../prepare/fleet/index.ts";
import { useInks, type Inks } from "./inks.ts";
import { corner, hatchOf, paintState, scaleColours } from "./paint-map.ts";

export interface FleetLegendProps {
  readonly picture: FleetPicture;
  /** Name of the outlined run. */
  readonly run: string | null;
}

const BAR_PX = 210;

/** The scale with the distribution above it, then what else the map draws, with how many of each. What does not occur has no entry. */
export function FleetLegend({ picture, run }: FleetLegendProps) {
  const inks = useInks();
  const { cells, marks, ground } = picture;
  const cordoned = ground.layout.nodes.filter((node) => node.cordoned !== null).length;
  const count = (state: Parameters<typeof stateCode>[0]): number => cells.counts[stateCode(state)] ?? 0;
  const notComparable =
    cells.scale.kind === "peers"
      ? cells.shown.reduce((sum, shown, gpu) => sum + Number(cells.state[gpu] === 0 && Number.isNaN(shown)), 0)
      : 0;
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-1 text-note text-t2">
      <ScaleBar picture={picture} inks={inks} />
      {run === null ? null : <Entry swatch={<Outline />}>in {run}</Entry>}
      {(["none", "stale", "invalid", "non-finite"] as const).map((state) =>
        count(state) === 0 ? null : (
          <Entry key={state} swatch={<StateSwatch state={state} inks={inks} />}>
            {STATE_WORDS[state]}, {formatCount(count(state), "GPU")}
          </Entry>
        ),
      )}
      {notComparable === 0 ? null : (
        <Entry swatch={<StateSwatch state="ok" inks={inks} />}>too few peers, {formatCount(notComparable, "GPU")}</Entry>
      )}
      {cordoned === 0 ? null : <Entry swatch={<CordonSwatch inks={inks} />}>cordoned, {formatCount(cordoned, "node")}</Entry>}
      {(["critical", "warning"] as const).map((severity) =>
        marks.bySeverity[severity] === 0 ? null : (
          <Entry key={severity} swatch={<SeverityShape mark={severity} />}>
            {severity} {formatInteger(marks.bySeverity[severity])}
          </Entry>
        ),
      )}
      {marks.total > marks.drawn.length ? (
        <span className="pb-0.5 text-label text-t3">
          {formatInteger(marks.drawn.length)} of {formatInteger(marks.total)} marked
        </span>
      ) : null}
    </div>
  );
}

function Entry({ swatch, children }: { readonly swatch: React.ReactNode; readonly children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 pb-0.5 whitespace-nowrap">
      {swatch}
      <span>{children}</span>
    </span>
  );
}

function Outline() {
  return <span aria-hidden="true" className="inline-block h-[9px] w-[10px] border border-t1" />;
}

function Swatch({ paint }: { readonly paint: (context: CanvasRenderingContext2D) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d") ?? null;
    if (context === null) return;
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, 12, 10);
    paint(context);
  }, [paint]);
  return <canvas ref={canvas} width={24} height={20} aria-hidden="true" className="block h-[10px] w-[12px]" />;
}

const BOX = { x: 0, y: 0, width: 11, height: 9 } as const;

function StateSwatch({ state, inks }: { readonly state: Parameters<typeof paintState>[1]; readonly inks: Inks }) {
  const paint = useMemo(
    () => (context: CanvasRenderingContext2D) => paintState(context, state, BOX, { hatch: hatchOf(context, inks), inks }),
    [state, inks],
  );
  return <Swatch paint={paint} />;
}

function CordonSwatch({ inks }: { readonly inks: Inks }) {
  const paint = useMemo(
    () => (context: CanvasRenderingContext2D) => {
      context.fillStyle = scaleColours("absolute", inks)[0] ?? inks.press;
      context.fillRect(0, 0, BOX.width, BOX.height);
      corner(context, 0, 0, 7, 6);
      context.fillStyle = inks.t1;
      context.fill();
    },
    [inks],
  );
  return <Swatch paint={paint} />;
}

function ScaleBar({ picture, inks }: { readonly picture: FleetPicture; readonly inks: Inks }) {
  const { cells, metric, frame } = picture;
  const { scale, distribution, beyond } = cells;
  const colours = scaleColours(scale.kind, inks);
  const bin = BAR_PX / distribution.length;
  const highest = Math.max(1, ...distribution);
  const x = (value: number): number => ((value - scale.low) / (scale.high - scale.low)) * BAR_PX;
  const unit = quantityText(fleetQuantity(0, metric, frame.isRate)).replace(/^[\d.]+ ?/, "");
  const say = (value: number): string => (scale.kind === "peers" ? formatFixed(value, 0) : tickText(value, metric.digits));
  const last = scale.ticks.at(-1);
  return (
    <svg width={BAR_PX + 24} height="34" className="overflow-visible" role="img" aria-label={scaleWords(picture)}>
      {distribution.map((count, index) => (
        // Log heights: one hot GPU among sixteen thousand must be seen beside the rest.
        <rect
          key={`d${index * bin}`}
          x={index * bin}
          y={11 - barHeight(count, highest)}
          width={bin - 1}
          height={barHeight(count, highest)}
          fill="var(--line-2)"
        />
      ))}
      {distribution.map((_, index) => (
        <rect
          key={`c${index * bin}`}
          x={index * bin}
          y="12"
          width={bin + 0.25}
          height="6"
          fill={colours[Math.floor(((index + 0.5) / distribution.length) * colours.length)]}
        />
      ))}
      {scale.ticks.map((tick) => (
        <text
          key={tick}
          x={x(tick)}
          y="30"
          fill="var(--t3)"
          textAnchor={tick === scale.low ? "start" : tick === scale.high ? "end" : "middle"}
        >
          {tick === scale.low && beyond.low > 0 ? "≤ " : tick === scale.high && beyond.high > 0 ? "≥ " : ""}
          {say(tick)}
        </text>
      ))}
      <text x={last !== undefined && x(last) > BAR_PX - 24 ? BAR_PX + 5 : (last === undefined ? 0 : x(last)) + 16} y="30" fill="var(--t3)">
        {scale.kind === "peers" ? "σ of its peers" : unit}
      </text>
    </svg>
  );
}

const BAR_HIGH_PX = 10;

function barHeight(count: number, highest: number): number {
  return count === 0 ? 0 : 1.5 + (BAR_HIGH_PX - 1.5) * (Math.log1p(count) / Math.log1p(highest));
}

function tickText(value: number, digits: number): string {
  if (Math.abs(value) >= 1e6) return quantityText(fleetQuantity(value, { unit: "", digits: 0 }));
  return formatFixed(value, Number.isInteger(value) ? 0 : Math.max(1, digits));
}

function scaleWords({ cells: { scale, beyond }, metric }: FleetPicture): string {
  if (scale.kind === "peers") return "Colours: deviation from the GPUs of the same model, from 6 below to 6 above";
  const from = scale.from === "catalogue" ? "the metric's own scale" : "the lowest and highest value shown";
  const out = beyond.low + beyond.high;
  return `Colours: ${metric.title} from ${scale.low} to ${scale.high} ${metric.unit}, ${from}${out === 0 ? "" : `; ${formatInteger(out)} beyond its ends`}`;
}
