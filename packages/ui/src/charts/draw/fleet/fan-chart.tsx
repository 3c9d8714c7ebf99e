import { useEffect, useMemo, useRef, useState } from "react";
import UPlot from "uplot";
import { formatClock, formatCount, formatDateTime, type Zone } from "../../../format/index.ts";
import { xTicks } from "../../prepare/index.ts";
import {
  drawnMeans,
  fanSummary,
  fleetQuantity,
  quantityText,
  snapFan,
  spreadLabels,
  type Fan,
  type FanSample,
  type MetricWords,
} from "../../prepare/fleet/index.ts";
import { useInks, type Inks } from "./inks.ts";
import { useStripWidth } from "./strip-width.ts";

export interface FanChartProps {
  readonly fan: Fan;
  readonly name: string;
  readonly words: MetricWords;
  readonly fromMs: number;
  readonly toMs: number;
  readonly zone: Zone;
  readonly nowMs: number;
  readonly heightPx?: number | undefined;
  /** A range was dragged out: ask for it anew. */
  readonly onZoom?: ((fromMs: number, toMs: number) => void) | undefined;
  /** Marks of another axis under the time axis: the run's steps. */
  readonly second?:
    | { readonly title: string; readonly ticks: readonly { readonly atMs: number; readonly text: string }[] }
    | null
    | undefined;
  /** The line that matters is accused: it takes the ink of a critical fault. */
  readonly accused?: boolean | undefined;
  /** When a fault began, and when it was known: lines through the plot. */
  readonly marks?: readonly FanTimeMark[] | undefined;
}

export interface FanTimeMark {
  readonly atMs: number;
  readonly text: string;
  readonly kind: "onset" | "detected";
}

const AXIS_PX = 60;
const LABEL_PX = 58;
/** Up to so many lines have a colour and a name of their own. */
export const NAMED_LINES = 8;
const FOOT_PX = 22;
/** Up to so many buckets with something in them each is a dot: a line of two points would else be nothing. */
const DOTTED = 48;

/** Many lines of one metric. The pointer finds the nearest stored reading, never a mean. */
export function FanChart(props: FanChartProps) {
  const { fan, name, words, heightPx = 168 } = props;
  const [ref, widthPx] = useStripWidth();
  const say = (value: number): string => quantityText(fleetQuantity(value, words));
  return (
    <figure ref={ref} data-part="fan" className="relative m-0" aria-label={name}>
      <figcaption className="sr-only">{fanSummary(fan, name, say)}</figcaption>
      {fan.range === null ? (
        <div className="hatched grid place-items-center" style={{ height: heightPx }}>
          <span className="bg-bg px-1.5 text-label text-t2">no reading in this window</span>
        </div>
      ) : widthPx === 0 ? (
        <div style={{ height: heightPx }} />
      ) : (
        <Lines {...props} widthPx={widthPx} heightPx={heightPx} say={say} />
      )}
    </figure>
  );
}

interface LinesProps extends FanChartProps {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly say: (value: number) => string;
}

interface Hover {
  readonly sample: FanSample;
  readonly x: number;
  readonly y: number;
}

interface EndLabel {
  readonly line: number;
  readonly y: number;
}

function Lines(props: LinesProps) {
  const { fan, widthPx, heightPx, fromMs, toMs, zone, nowMs, say, accused = false } = props;
  const holder = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const inks = useInks();
  const [hover, setHover] = useState<Hover | null>(null);
  const [ends, setEnds] = useState<readonly EndLabel[]>([]);
  const colours = useMemo(() => lineColours(fan, inks, accused), [fan, inks, accused]);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (holder.current === null || fan.range === null) return undefined;
    const dayMs = Math.floor(nowMs / 86_400_000) * 86_400_000;
    const plot = new UPlot(
      options({
        fan,
        inks,
        colours,
        widthPx,
        heightPx,
        fromMs,
        toMs,
        zone,
        dayMs,
        say,
        onZoom: (from, to) => latest.current.onZoom?.(from, to),
        onHover: setHover,
      }),
      dataOf(fan),
      holder.current,
    );
    setEnds(endLabels(plot, fan, heightPx));
    return () => {
      setHover(null);
      plot.destroy();
    };
    // The clock only decides which dates bear a year.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [fan, inks, colours, widthPx, heightPx, fromMs, toMs, zone]);
  return (
    <>
      <div ref={holder} aria-hidden="true" />
      {ends.map(({ line, y }) => (
        <span
          key={line}
          className="pointer-events-none absolute inline-flex -translate-y-1/2 items-center gap-1 text-[10.5px]/[12px] whitespace-nowrap text-t2"
          style={{ left: widthPx - LABEL_PX + 4, top: y }}
        >
          <span aria-hidden="true" className="inline-block h-0.5 w-1.5" style={{ background: colours[line] }} />
          {fan.lines[line]?.title}
        </span>
      ))}
      <TimeMarks
        marks={(props.marks ?? []).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)}
        {...{ fromMs, toMs, widthPx, heightPx }}
      />
      {hover === null ? null : <FanHover hover={hover} fan={fan} widthPx={widthPx} zone={zone} nowMs={nowMs} say={say} />}
      {props.second === null || props.second === undefined ? null : <SecondAxis {...props} second={props.second} widthPx={widthPx} />}
    </>
  );
}

function FanHover({
  hover,
  fan,
  widthPx,
  zone,
  nowMs,
  say,
}: {
  readonly hover: Hover;
  readonly fan: Fan;
  readonly widthPx: number;
  readonly zone: Zone;
  readonly nowMs: number;
  readonly say: (value: number) => string;
}) {
  const { sample, x, y } = hover;
  const place = x > widthPx / 2 ? { right: widthPx - x + 10 } : { left: x + 10 };
  return (
    <>
      <span
        className="pointer-events-none absolute size-[7px] -translate-1/2 rounded-full border border-bg bg-t1"
        style={{ left: x, top: y }}
      />
      <div
        data-part="fan-tooltip"
        className="pointer-events-none absolute z-10 rounded-control border border-line-2 bg-raise px-2.5 py-1.5 text-label whitespace-nowrap shadow-popover"
        style={{ top: Math.max(0, y - 30), ...place }}
      >
        <p>
          <b className="font-semibold">{fan.lines[sample.line]?.title}</b> {say(sample.value)}
        </p>
        <p className="text-t2" title={formatDateTime(sample.atMs, zone, nowMs)}>
          {formatClock(sample.atMs, zone)}
          {sample.of === "only" ? "" : `, ${sample.of} of ${formatCount(sample.count, "reading")}`}
        </p>
      </div>
    </>
  );
}

/** Onset solid, detection dashed; their words stand left of the line, or right of it where there is no room. */
function TimeMarks({
  marks,
  fromMs,
  toMs,
  widthPx,
  heightPx,
}: {
  readonly marks: readonly FanTimeMark[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
}) {
  const plotPx = widthPx - AXIS_PX - LABEL_PX;
  return marks.map(({ atMs, text, kind }, index) => {
    const left = AXIS_PX + ((atMs - fromMs) / (toMs - fromMs)) * plotPx;
    const isLeft = left > widthPx / 2;
    const look = kind === "onset" ? "border-l border-crit-ink" : "border-l border-dashed border-t2";
    return (
      <span
        key={`${kind}-${atMs}`}
        data-part={`fan-${kind}`}
        className={`pointer-events-none absolute top-0 ${look}`}
        style={{ left, height: heightPx - FOOT_PX }}
      >
        <span
          className={`absolute bg-bg px-1 text-label whitespace-nowrap ${kind === "onset" ? "text-crit-ink" : "text-t2"} ${isLeft ? "right-0.5" : "left-0.5"}`}
          style={{ top: index * 14 }}
        >
          {text}
        </span>
      </span>
    );
  });
}

/** Another axis of the same stretch, under the first one. */
function SecondAxis({ second, widthPx, fromMs, toMs }: LinesProps & { readonly second: NonNullable<FanChartProps["second"]> }) {
  const plotPx = widthPx - AXIS_PX - LABEL_PX;
  return (
    <svg
      width={widthPx}
      height={FOOT_PX}
      className="overflow-visible"
      role="img"
      aria-label={`${second.title}: ${second.ticks.map(({ text }) => text).join(", ")}`}
    >
      <text x={AXIS_PX - 8} y="14" textAnchor="end" fill="var(--t3)">
        {second.title}
      </text>
      {second.ticks.map(({ atMs, text }) => (
        <g key={text}>
          <line
            x1={AXIS_PX + ((atMs - fromMs) / (toMs - fromMs)) * plotPx}
            x2={AXIS_PX + ((atMs - fromMs) / (toMs - fromMs)) * plotPx}
            y1="0"
            y2="4"
            stroke="var(--ink-2)"
          />
          <text x={AXIS_PX + ((atMs - fromMs) / (toMs - fromMs)) * plotPx} y="16" textAnchor="middle" fill="var(--t2)">
            {text}
          </text>
        </g>
      ))}
    </svg>
  );
}

function lineColours(fan: Fan, inks: Inks, accused: boolean): readonly string[] {
  const lit = fan.lines.some((line) => line.isLit);
  const named = !lit && fan.lines.length <= NAMED_LINES;
  return fan.lines.map((line, index) => {
    if (lit) return line.isLit ? (accused ? inks["crit-ink"] : inks.ink) : inks.band;
    return named && fan.lines.length > 1 ? seriesColour(index) : fan.lines.length === 1 ? inks.ink : inks["ink-2"];
  });
}

function seriesColour(index: number): string {
  const probe = document.createElement("span");
  document.body.append(probe);
  probe.style.color = `var(--s${index + 1})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Means of the buckets, and for the line that matters its lowest and highest readings too: they are the band behind it. */
function dataOf(fan: Fan): UPlot.AlignedData {
  const lit = fan.lines.filter((line) => line.isLit);
  return [
    fan.xMs.map((ms) => ms / 1000),
    ...fan.lines.map(({ series }) => [...drawnMeans(series)]),
    ...lit.flatMap(({ series }) => [[...drawnMeans({ mean: series.max })], [...drawnMeans({ mean: series.min })]]),
  ];
}

interface OptionsInput {
  readonly fan: Fan;
  readonly inks: Inks;
  readonly colours: readonly string[];
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly zone: Zone;
  readonly dayMs: number;
  readonly say: (value: number) => string;
  readonly onZoom: (fromMs: number, toMs: number) => void;
  readonly onHover: (hover: Hover | null) => void;
}

function options(input: OptionsInput): UPlot.Options {
  const { fan, inks, colours, widthPx, heightPx, fromMs, toMs, zone, dayMs } = input;
  const lit = fan.lines.flatMap((line, index) => (line.isLit ? [index] : []));
  const { low, high } = fan.range ?? { low: 0, high: 1 };
  const pad = (high - low) * 0.06 || Math.abs(high) * 0.02 || 1;
  const font = `11px ${inks.sans}`;
  const ticks = xTicks(fromMs, toMs, Math.floor((widthPx - AXIS_PX - LABEL_PX) / 110), { axis: "time", zone, nowMs: dayMs });
  const textAt = new Map(ticks.map((tick) => [tick.at / 1000, tick.text]));
  return {
    width: widthPx,
    height: heightPx,
    padding: [6, LABEL_PX, 0, 0],
    legend: { show: false },
    cursor: { points: { show: false }, drag: { x: true, y: false, setScale: false }, y: false },
    scales: { x: { time: false, range: () => [fromMs / 1000, toMs / 1000] }, y: { range: () => [low - pad, high + pad] } },
    axes: [
      {
        stroke: inks.t3,
        font,
        size: FOOT_PX,
        gap: 2,
        grid: { stroke: inks.grid, width: 1 },
        ticks: { show: false },
        splits: () => [...textAt.keys()],
        values: (_, splits) => splits.map((at) => textAt.get(at) ?? ""),
      },
      {
        stroke: inks.t3,
        font,
        size: AXIS_PX,
        gap: 6,
        grid: { stroke: inks.grid, width: 1 },
        ticks: { show: false },
        values: (_, splits) => splits.map((value) => input.say(value)),
        space: 36,
      },
    ],
    series: [
      {},
      ...fan.lines.map((line, index): UPlot.Series => ({
        stroke: colours[index] ?? inks.ink,
        width: line.isLit ? 1.5 : 1,
        points: { show: line.series.count.filter((count) => count > 0).length <= DOTTED, size: 4, fill: colours[index] ?? inks.ink },
        spanGaps: false,
      })),
      ...lit.flatMap((): UPlot.Series[] => [
        { stroke: "transparent", points: { show: false } },
        { stroke: "transparent", points: { show: false } },
      ]),
    ],
    bands: lit.map((_, at) => ({ series: [1 + fan.lines.length + 2 * at, 2 + fan.lines.length + 2 * at], fill: inks.band })),
    hooks: {
      setSelect: [
        (plot) => {
          if (plot.select.width < 5) return;
          input.onZoom(plot.posToVal(plot.select.left, "x") * 1000, plot.posToVal(plot.select.left + plot.select.width, "x") * 1000);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      setCursor: [(plot) => input.onHover(hoverAt(plot, fan))],
    },
  };
}

function hoverAt(plot: UPlot, fan: Fan): Hover | null {
  const { idx, top } = plot.cursor;
  if (idx === null || idx === undefined || top === undefined || top < 0) return null;
  const sample = snapFan(fan, idx, plot.posToVal(top, "y"));
  if (sample === null) return null;
  const { left, top: plotTop } = plotCorner(plot);
  return { sample, x: left + plot.valToPos(sample.atMs / 1000, "x"), y: plotTop + plot.valToPos(sample.value, "y") };
}

function plotCorner(plot: UPlot): { readonly left: number; readonly top: number } {
  return { left: plot.over.offsetLeft, top: plot.over.offsetTop };
}

function endLabels(plot: UPlot, fan: Fan, heightPx: number): readonly EndLabel[] {
  const lit = fan.lines.some((line) => line.isLit);
  const shown = fan.lines.flatMap((line, index) => {
    if (lit ? !line.isLit : fan.lines.length > NAMED_LINES) return [];
    const last = line.series.mean.findLast((value) => value !== null);
    return typeof last === "number" ? [{ line: index, at: plotCorner(plot).top + plot.valToPos(last, "y") }] : [];
  });
  const spread = spreadLabels(
    shown.map(({ at }) => at),
    12,
    heightPx - FOOT_PX,
  );
  return shown.map(({ line }, index) => ({ line, y: spread[index] ?? 0 }));
}
