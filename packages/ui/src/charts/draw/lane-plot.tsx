import { memo } from "react";
import { Line, LineChart, XAxis, YAxis } from "recharts";
import type { Lane, LaneLine, PreparedStack } from "../prepare/index.ts";
import { plotHeight } from "./geometry.ts";
import { byDepth, lineInk } from "./line-ink.ts";

export interface LanePlotProps {
  readonly lane: Lane;
  readonly from: PreparedStack["from"];
  readonly to: PreparedStack["to"];
  readonly widthPx: number;
}

const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

/** The lines of one lane. recharts lays the prepared vertices out; it decides nothing. */
export const LanePlot = memo(function LanePlot({ lane, from, to, widthPx }: LanePlotProps) {
  // Estimates have no line from one to the next: nothing was measured between them.
  if (lane.domain === null || lane.estimates !== null) return null;
  const lines = [...lane.lines].sort(byDepth);
  return (
    <LineChart width={widthPx} height={plotHeight(lane)} margin={NO_MARGIN} accessibilityLayer={false}>
      <XAxis type="number" dataKey="x" domain={[from, to]} allowDataOverflow hide />
      <YAxis type="number" domain={[lane.domain.low, lane.domain.high]} allowDataOverflow hide width={0} />
      {lines.map((line) => rawLine(line))}
      {lines.map((line) => meanLine(line))}
    </LineChart>
  );
});

/** The unsmoothed means under a smoothed line. */
function rawLine(line: LaneLine) {
  if (line.raw === null) return null;
  return (
    <Line
      key={`raw-${line.key}`}
      data={line.raw}
      dataKey="y"
      type="linear"
      stroke="var(--ink-2)"
      strokeWidth={1}
      dot={false}
      activeDot={false}
      isAnimationActive={false}
      connectNulls={false}
      tooltipType="none"
      legendType="none"
    />
  );
}

function meanLine(line: LaneLine) {
  const { stroke, dash } = lineInk(line);
  return (
    <Line
      key={`mean-${line.key}`}
      data={line.trace}
      dataKey="y"
      type="linear"
      stroke={stroke}
      strokeWidth={1.25}
      strokeLinejoin="round"
      {...(dash === undefined ? {} : { strokeDasharray: dash })}
      dot={false}
      activeDot={false}
      isAnimationActive={false}
      connectNulls={false}
      tooltipType="none"
      legendType="none"
    />
  );
}
