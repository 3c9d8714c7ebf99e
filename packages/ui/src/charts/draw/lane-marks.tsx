import { memo } from "react";
import { formatInteger, formatMetric } from "../../format/index.ts";
import { laneText, placeLabels, textWidthPx, type Lane, type LaneLine, type PreparedStack } from "../prepare/index.ts";
import { crisp, plotHeight, xPixel, yPixel } from "./geometry.ts";
import { bandPath } from "./band-path.ts";
import { isLineUnder, textBox } from "./line-under.ts";
import { byDepth, lineInk } from "./line-ink.ts";
import { ChartShape, ChartText } from "./shapes.tsx";

interface MarksProps {
  readonly lane: Lane;
  readonly stack: PreparedStack;
  readonly widthPx: number;
}

interface LaneMarksProps extends MarksProps {
  /** Little room: the value alone, without the words. */
  readonly compact: boolean;
  /** Place in the stack. The first lane names what runs through all of them: a rolled-back attempt, the second run. */
  readonly index: number;
}

/** Below the lines: grid, the wash of NaN, bands of what was rolled back under those of what counts. */
export const LaneGround = memo(function LaneGround({ lane, stack, widthPx }: MarksProps) {
  const height = plotHeight(lane);
  return (
    <svg width={widthPx} height={height} className="absolute inset-0 overflow-visible" aria-hidden="true">
      {stack.ticks.map((tick) => (
        <line key={tick.at} x1={crisp(xPixel(stack, tick.at))} x2={crisp(xPixel(stack, tick.at))} y1="0" y2={height} stroke="var(--grid)" />
      ))}
      {lane.ticks.map((tick) => (
        <line
          key={tick.at}
          x1="0"
          x2={widthPx}
          y1={crisp(yPixel(lane, tick.at))}
          y2={crisp(yPixel(lane, tick.at))}
          stroke={tick.at === 0 && lane.spec.scale === "linear" ? "var(--line-2)" : "var(--grid)"}
        />
      ))}
      {lane.nanBands.map((band) => {
        const from = xPixel(stack, band.from);
        return (
          <rect
            key={band.firstStep}
            x={from - 1.5}
            y="0"
            width={Math.max(3, xPixel(stack, band.to) - from + 3)}
            height={height}
            fill="var(--warn-wash)"
          />
        );
      })}
      <svg width={widthPx} height={height} overflow="hidden">
        {(lane.estimates === null ? [...lane.lines].sort(byDepth) : []).map((line) => (
          <path
            key={line.key}
            data-band={line.role}
            d={bandPath(line.band, lane, stack)}
            fill={lineInk(line).band}
            stroke={lineInk(line).band}
            strokeLinejoin="round"
          />
        ))}
      </svg>
    </svg>
  );
});

/** Above the lines: dots, values on the edge, the words of NaN and infinity, what a log axis hides. */
export const LaneMarks = memo(function LaneMarks(props: LaneMarksProps) {
  const { lane, widthPx } = props;
  return (
    <svg
      width={widthPx}
      height={plotHeight(lane)}
      className="absolute inset-0 overflow-visible"
      aria-hidden="true"
      data-marks={lane.spec.metric}
    >
      <Dots {...props} />
      <Peaks {...props} />
      <EdgeMarks {...props} />
      <NaNWords {...props} />
      <EndLabels {...props} />
      <HiddenStrip {...props} />
    </svg>
  );
});

function Dots({ lane, stack }: MarksProps) {
  return lane.lines.map((line) => (
    <g key={line.key} fill={lineInk(line).stroke}>
      {line.dots.map((dot) => (
        <circle key={`${dot.x}`} data-dot cx={xPixel(stack, dot.x)} cy={yPixel(lane, dot.y)} r="1.75" />
      ))}
    </g>
  ));
}

/** Above the peak, so that the value itself stays in sight. */
const ABOVE_PX = 7;

function Peaks({ stack, lane, index }: LaneMarksProps) {
  return (stack.marks[index] ?? []).map((mark) => (
    <g key={mark.id} data-finding={mark.id}>
      <title>{mark.text}</title>
      <ChartShape x={xPixel(stack, mark.x)} y={Math.max(4, yPixel(lane, mark.y) - ABOVE_PX)} radius={3} severity={mark.severity} />
    </g>
  ));
}

const EDGE_PX = 9;

function EdgeMarks({ lane, stack, widthPx, compact }: LaneMarksProps) {
  const height = plotHeight(lane);
  const offScale = lane.offScale.map((mark) => ({
    ...mark,
    text: compact ? formatMetric(lane.spec.metric, mark.value).text : `${laneText(lane, mark.value)} off scale`,
    weight: Math.abs(lane.transform.forward(mark.value) ?? 0),
  }));
  const infinite = lane.infinities.map((mark) => ({ ...mark, severity: "warning" as const, value: null, weight: Number.MAX_VALUE }));
  const all = [...offScale, ...infinite].filter((mark) => mark.x >= stack.from && mark.x <= stack.to);
  return (["top", "bottom"] as const).map((edge) => {
    const marks = all.filter((mark) => mark.edge === edge);
    const y = edge === "top" ? EDGE_PX : height - EDGE_PX;
    const labels = placeLabels(
      marks.map((mark) => ({ xPx: xPixel(stack, mark.x), text: mark.text, weight: mark.weight })),
      { widthPx, rows: 1, prefer: "start", offsetPx: 9 },
    );
    return (
      <g key={edge}>
        {marks.map((mark) => (
          <g key={`${mark.step}-${mark.text}`} data-off-scale={mark.value ?? mark.text} data-step={mark.step}>
            <title>{`${mark.text}, step ${formatInteger(mark.step)}`}</title>
            <ChartShape x={xPixel(stack, mark.x)} y={y} radius={4} severity={mark.severity} />
          </g>
        ))}
        {labels.map((label) => (
          <ChartText key={label.index} x={label.xPx} y={y + 4} anchor={label.anchor}>
            {marks[label.index]?.text ?? ""}
          </ChartText>
        ))}
      </g>
    );
  });
}

function NaNWords({ lane, stack, widthPx }: MarksProps) {
  const height = plotHeight(lane);
  const shown = lane.nanBands.filter((band) => band.to >= stack.from && band.from <= stack.to);
  const middle = (band: (typeof shown)[number]): number =>
    (xPixel(stack, Math.max(band.from, stack.from)) + xPixel(stack, Math.min(band.to, stack.to))) / 2;
  const labels = placeLabels(
    shown.map((band) => ({ xPx: middle(band), text: band.text, weight: band.count })),
    { widthPx, rows: 1, prefer: "start", offsetPx: 6 },
  );
  return (
    <g>
      {shown.map((band) => (
        <g key={band.firstStep} data-nan={band.count} data-step={band.firstStep}>
          <title>{`${band.text} from step ${formatInteger(band.firstStep)}`}</title>
          <ChartShape x={middle(band)} y={EDGE_PX} radius={3.5} severity="warning" />
        </g>
      ))}
      {labels.map((label) => (
        <ChartText key={label.index} x={label.xPx} y={height - 6} anchor={label.anchor} fill="var(--warn-ink)" weight={600}>
          {shown[label.index]?.text ?? ""}
        </ChartText>
      ))}
    </g>
  );
}

function EndLabels({ lane, stack, widthPx, compact, index }: LaneMarksProps) {
  // With little room the words of an onset matter more than those of what was rolled back; its dash says it too.
  const isNamed = (line: LaneLine): boolean =>
    line.role === "effective" || line.role === "single" || (index === 0 && !(compact && line.role === "superseded"));
  const lines = lane.lines.flatMap((line) => (line.endLabel === null || !isNamed(line) ? [] : [{ line, label: line.endLabel }]));
  const placed = placeLabels(
    lines.map(({ label }) => ({ xPx: xPixel(stack, Math.min(label.x, stack.to)), text: label.text, weight: 1 })),
    { widthPx, rows: lines.length, prefer: "start", offsetPx: 5 },
  );
  return placed.map((spot) => {
    const entry = lines[spot.index];
    if (entry === undefined || entry.label.x < stack.from) return null;
    const wantedPx = yPixel(lane, entry.label.y) + 4 + spot.row * ROW_PX;
    const y = calmRow(lane, stack, spot, { text: entry.label.text, wantedPx });
    return (
      <ChartText
        key={entry.line.key}
        x={spot.xPx}
        y={y}
        anchor={spot.anchor}
        fill={entry.line.role === "superseded" ? "var(--t2)" : lineInk(entry.line).stroke}
      >
        {entry.label.text}
      </ChartText>
    );
  });
}

const ROW_PX = 13;
/** Below and above the end of its line, nearest first. */
const AROUND_PX = [0, ROW_PX, -ROW_PX, 2 * ROW_PX] as const;

/** The base line nearest to a line's end at which no line runs through its name. Above it are the words of onsets. */
function calmRow(
  lane: Lane,
  stack: PreparedStack,
  { xPx, anchor }: { readonly xPx: number; readonly anchor: "start" | "end" },
  { text, wantedPx }: { readonly text: string; readonly wantedPx: number },
): number {
  const width = textWidthPx(text);
  const fromPx = anchor === "start" ? xPx : xPx - width;
  const within = (y: number): number => Math.min(plotHeight(lane) - 4, Math.max(30, y));
  const rows = AROUND_PX.map((offset) => within(wantedPx + offset));
  return rows.find((y) => !isLineUnder(lane, stack, textBox(fromPx, fromPx + width, y))) ?? within(wantedPx);
}

function HiddenStrip({ lane, stack, widthPx }: MarksProps) {
  if (lane.hidden === null) return null;
  const floor = plotHeight(lane);
  const pixels = [...new Set(lane.hidden.at.map((x) => Math.round(xPixel(stack, x))))].filter((x) => x >= 0 && x <= widthPx);
  return (
    <g data-hidden={lane.hidden.text}>
      {pixels.map((x) => (
        <rect key={x} x={x} y={floor - 7} width="1.5" height="6" fill="var(--t2)" />
      ))}
      <ChartText x={4} y={floor - 3}>
        {lane.hidden.text}
      </ChartText>
    </g>
  );
}
