import type { ParetoView, ReleaseColumn } from "@trainwatch/core";
import { useMemo } from "react";
import { formatFixed } from "../../../format/index.ts";
import { paretoPicture } from "../../prepare/release/index.ts";
import { useStripWidth } from "../fleet/strip-width.ts";

export interface ParetoChartProps {
  readonly view: ParetoView;
  readonly columns: readonly ReleaseColumn[];
  readonly lit: number | null;
}

const HEIGHT_PX = 140;

/** Quality against cost, each with its interval. Up and left is better; the dotted line joins what nothing beats in both. */
export function ParetoChart({ view, columns, lit }: ParetoChartProps) {
  const [ref, widthPx] = useStripWidth();
  const picture = useMemo(() => (widthPx === 0 ? null : paretoPicture(view, widthPx, HEIGHT_PX)), [view, widthPx]);
  const letterOf = (column: number): string => columns[column]?.letter ?? "?";
  const front = view.points.filter(({ onFront }) => onFront).map(({ column }) => letterOf(column));
  const label = `${view.qualityTitle} against ${view.costTitle}: ${view.points
    .map(
      ({ column, quality, cost }) => `${letterOf(column)} ${formatFixed(quality * 100, 1)} % at ${formatFixed(cost, 2)} ${view.costUnit}`,
    )
    .join(", ")}`;
  return (
    <div ref={ref} className="min-w-0" style={{ height: HEIGHT_PX }}>
      {picture === null ? null : (
        <svg role="img" aria-label={label} width={picture.widthPx} height={HEIGHT_PX} className="block">
          {picture.yTicks.map(({ at, text }) => (
            <g key={text}>
              <path d={`M${picture.plot.left} ${Math.round(at) + 0.5}H${picture.plot.right}`} stroke="var(--grid)" />
              <text x={picture.plot.left - 6} y={at + 4} textAnchor="end" fill="var(--t3)">
                {text}
              </text>
            </g>
          ))}
          {picture.xTicks.map(({ at, text }) => (
            <text key={text} x={at} y={HEIGHT_PX - 4} textAnchor="middle" fill="var(--t3)">
              {text}
            </text>
          ))}
          <text x="0" y="10" fill="var(--t3)">
            {`${view.qualityTitle}, mean, %`}
          </text>
          <text x={picture.widthPx} y={picture.plot.bottom - 4} textAnchor="end" fill="var(--t3)">
            {`${view.costTitle}${view.costUnit === "" ? "" : `, ${view.costUnit}`}`}
          </text>
          <text x={picture.widthPx} y="10" textAnchor="end" fill="var(--t3)">
            {front.length === 1 ? `only ${front.join("")} is on the front` : `on the front: ${front.join(", ")}`}
          </text>
          <path d={picture.front} fill="none" stroke="var(--ink-2)" strokeDasharray="2 3" />
          {picture.marks.map((mark) => {
            const ink = mark.column === lit ? "var(--accent)" : "var(--ink-2)";
            const across = mark.lowX === null || mark.highX === null ? "" : `M${mark.lowX} ${mark.y}H${mark.highX}`;
            const up = mark.lowY === null || mark.highY === null ? "" : `M${mark.x} ${mark.lowY}V${mark.highY}`;
            return (
              <g key={mark.column}>
                <path d={`${across}${up}`} stroke={ink} />
                <circle cx={mark.x} cy={mark.y} r={mark.column === lit ? 4.5 : 3.5} fill={mark.onFront ? ink : "var(--bg)"} stroke={ink} />
                <text
                  x={mark.labelX}
                  y={mark.labelY}
                  textAnchor={mark.labelEnds ? "end" : "start"}
                  fill="var(--t1)"
                  fontWeight={mark.column === lit ? 600 : 400}
                >
                  {mark.column === 0 ? `${letterOf(0)}, baseline` : letterOf(mark.column)}
                </text>
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
