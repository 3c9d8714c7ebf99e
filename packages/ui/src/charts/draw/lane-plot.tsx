import { memo } from "react";
import { Area, ComposedChart, Line, XAxis, YAxis } from "recharts";
import type { Lane, LaneLine, PreparedStack } from "../prepare/index.ts";
import { plotHeight } from "./geometry.ts";

export interface LanePlotProps {
  readonly lane: Lane;
  readonly from: PreparedStack["from"];
  readonly to: PreparedStack["to"];
  readonly widthPx: number;
}

interface LineInk {
  readonly stroke: string;
  readonly band: string;
  readonly dash?: string;
}

/** Dashes tell series apart where colour cannot. */
const SERIES_DASH = [undefined, "7 3", "2 2", "9 3 2 3", "4 2", "12 3", "3 4", "6 2 2 2"] as const;
const SERIES_INK = ["var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s5)", "var(--s6)", "var(--s7)", "var(--s8)"] as const;

export function lineInk(line: Pick<LaneLine, "role" | "series">): LineInk {
  if (line.role === "superseded") return { stroke: "var(--ink-2)", band: "var(--band-2)", dash: "3 2" };
  if (line.series === null) return { stroke: "var(--ink)", band: "var(--band)" };
  const index = (line.series - 1) % SERIES_INK.length;
  const dash = SERIES_DASH[index];
  return { stroke: SERIES_INK[index] ?? "var(--ink)", band: "var(--band-2)", ...(dash === undefined ? {} : { dash }) };
}

/** What is superseded lies under what counts; the second run lies on top. */
const DEPTH = { superseded: 0, effective: 1, overlay: 2 } as const;
const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

/** Bands and lines of one lane. recharts lays the prepared vertices out; it decides nothing. */
export const LanePlot = memo(function LanePlot({ lane, from, to, widthPx }: LanePlotProps) {
  if (lane.domain === null) return null;
  const lines = [...lane.lines].sort((a, b) => DEPTH[a.role] - DEPTH[b.role]);
  return (
    <ComposedChart width={widthPx} height={plotHeight(lane)} margin={NO_MARGIN} accessibilityLayer={false}>
      <XAxis type="number" dataKey="x" domain={[from, to]} allowDataOverflow hide />
      <YAxis type="number" domain={[lane.domain.low, lane.domain.high]} allowDataOverflow hide width={0} />
      {lines.map((line) => bandArea(line))}
      {lines.map((line) => rawLine(line))}
      {lines.map((line) => meanLine(line))}
    </ComposedChart>
  );
});

function bandArea(line: LaneLine) {
  if (line.band.length === 0) return null;
  const { band } = lineInk(line);
  return <Area key={`band-${line.key}`} data={line.band} dataKey="range" type="linear" fill={band} fillOpacity={1} stroke={band} strokeWidth={1} dot={false} activeDot={false} isAnimationActive={false} connectNulls={false} tooltipType="none" legendType="none" />;
}

/** The unsmoothed means under a smoothed line. */
function rawLine(line: LaneLine) {
  if (line.raw === null) return null;
  return <Line key={`raw-${line.key}`} data={line.raw} dataKey="y" type="linear" stroke="var(--ink-2)" strokeWidth={1} dot={false} activeDot={false} isAnimationActive={false} connectNulls={false} tooltipType="none" legendType="none" />;
}

function meanLine(line: LaneLine) {
  const { stroke, dash } = lineInk(line);
  return (
    <Line
      key={`mean-${line.key}`} data={line.trace} dataKey="y" type="linear" stroke={stroke} strokeWidth={1.25} strokeLinejoin="round"
      {...(dash === undefined ? {} : { strokeDasharray: dash })}
      dot={false} activeDot={false} isAnimationActive={false} connectNulls={false} tooltipType="none" legendType="none"
    />
  );
}
