import type { FleetTimeline } from "@trainwatch/core";
import { formatCount, formatDateTime, zoneName, type Zone } from "../../../format/index.ts";
import { axisShort, textWidthPx, xTicks, type AxisWords } from "../../prepare/index.ts";
import { useStripWidth } from "./strip-width.ts";

export interface TimeStripProps {
  readonly timeline: FleetTimeline;
  /** The time on show, epoch ms. */
  readonly atMs: number;
  /** The map follows the newest readings. */
  readonly isLive: boolean;
  /** Steps of the slider, ms. */
  readonly stepMs: number;
  readonly zone: Zone;
  readonly nowMs: number;
  readonly isPlaying: boolean;
  readonly onAt: (atMs: number) => void;
  readonly onPlay: () => void;
}

const LEFT_PX = 44;
const RIGHT_PX = 24;
const HEIGHT_PX = 58;
const BASE_PX = 36;
const BAR_PX = 24;

/** Events along the window, the time on show as a flag that can be drawn along, and play. */
export function TimeStrip(props: TimeStripProps) {
  const [ref, widthPx] = useStripWidth();
  const { timeline, atMs, zone, nowMs, stepMs } = props;
  const plotPx = Math.max(40, widthPx - LEFT_PX - RIGHT_PX);
  const words: AxisWords = { axis: "time", zone, nowMs };
  const span = Math.max(1, timeline.toMs - timeline.fromMs);
  const x = (ms: number): number => LEFT_PX + Math.min(1, Math.max(0, (ms - timeline.fromMs) / span)) * plotPx;
  return (
    <div ref={ref} data-part="time-strip" className="relative" style={{ height: HEIGHT_PX }}>
      <button
        type="button"
        aria-label={props.isPlaying ? "Stop playing" : "Play the window"}
        aria-pressed={props.isPlaying}
        onClick={props.onPlay}
        className="absolute top-[23px] left-2 grid size-6 place-items-center rounded-full border border-line-2 hover:bg-raise"
      >
        <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          {props.isPlaying ? (
            <path d="M1 1h3v8H1zM6 1h3v8H6z" fill="var(--t1)" />
          ) : (
            <path d="M1.500 .5 9 5 1.500 9.500z" fill="var(--t1)" />
          )}
        </svg>
      </button>
      {widthPx === 0 ? null : (
        <svg width={widthPx} height={HEIGHT_PX} className="overflow-visible" aria-hidden="true">
          <Bars timeline={timeline} x={x} />
          <line x1={LEFT_PX} x2={LEFT_PX + plotPx} y1={BASE_PX + 0.5} y2={BASE_PX + 0.5} stroke="var(--line-2)" />
          {xTicks(timeline.fromMs, timeline.toMs, Math.floor(plotPx / 110), words).map((tick) => (
            <text
              key={tick.at}
              x={x(tick.at)}
              y="52"
              fill="var(--t3)"
              textAnchor={x(tick.at) < LEFT_PX + textWidthPx(tick.text) / 2 ? "start" : "middle"}
            >
              {x(tick.at) > LEFT_PX + plotPx - 92 ? "" : tick.text}
            </text>
          ))}
          <text x={LEFT_PX + plotPx} y="52" fill="var(--t3)" textAnchor="end">
            {props.isLive ? "now " : ""}
            {axisShort(timeline.toMs, words)} {zoneName(zone, timeline.toMs)}
          </text>
          <line x1={x(atMs)} x2={x(atMs)} y1="10" y2={BASE_PX + 5} stroke="var(--accent)" strokeWidth="2" />
          <path d={`M${x(atMs) - 5.5} 4h11v7l-5.500 5l-5.500 -5z`} fill="var(--accent)" />
        </svg>
      )}
      <input
        type="range"
        aria-label="Time shown"
        aria-valuetext={formatDateTime(atMs, zone, nowMs)}
        min={timeline.fromMs}
        max={timeline.toMs}
        step={stepMs}
        value={Math.min(timeline.toMs, Math.max(timeline.fromMs, atMs))}
        onChange={(event) => props.onAt(event.target.valueAsNumber)}
        className="absolute top-0 h-11 cursor-ew-resize opacity-0 focus-visible:opacity-30"
        style={{ left: LEFT_PX - 8, width: plotPx + 16 }}
      />
    </div>
  );
}

function Bars({ timeline, x }: { readonly timeline: FleetTimeline; readonly x: (ms: number) => number }) {
  const { critical, warning, info, fromMs, toMs } = timeline;
  const width = (toMs - fromMs) / Math.max(1, info.length);
  const totals = info.map((count, index) => count + (warning[index] ?? 0) + (critical[index] ?? 0));
  const highest = Math.max(1, ...totals);
  return totals.map((total, index) => {
    if (total === 0) return null;
    const left = x(fromMs + index * width);
    const barPx = Math.max(1, x(fromMs + (index + 1) * width) - left - 1);
    // A flood of ten thousand must not make the one before it vanish.
    const high = 2 + (BAR_PX - 2) * (Math.log1p(total) / Math.log1p(highest));
    const worst = (critical[index] ?? 0) > 0 ? "critical" : (warning[index] ?? 0) > 0 ? "warning" : "info";
    return (
      <g key={left}>
        <title>{`${formatCount(total, "event")}: ${critical[index] ?? 0} critical, ${warning[index] ?? 0} warning, ${info[index] ?? 0} info`}</title>
        <rect x={left} y={BASE_PX - high} width={barPx} height={high} fill={worst === "info" ? "var(--line-2)" : "var(--ink-2)"} />
        {worst === "info" ? null : (
          <path
            d={worst === "critical" ? diamond(left + barPx / 2, BASE_PX + 4) : triangle(left + barPx / 2, BASE_PX + 4)}
            fill={worst === "critical" ? "var(--crit)" : "var(--warn)"}
          />
        )}
      </g>
    );
  });
}

function diamond(x: number, y: number): string {
  return `M${x} ${y - 3.5}l3.500 3.500l-3.500 3.500l-3.500 -3.500z`;
}

function triangle(x: number, y: number): string {
  return `M${x} ${y - 3}l3.500 6h-7z`;
}
