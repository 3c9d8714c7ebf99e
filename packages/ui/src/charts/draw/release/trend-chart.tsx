import type { TrendView } from "@trainwatch/core";
import { useMemo } from "react";
import { formatInteger } from "../../../format/index.ts";
import { rowNumber, trendPicture } from "../../prepare/release/index.ts";
import { useStripWidth } from "../fleet/strip-width.ts";

const HEIGHT_PX = 120;

/** One measure over the checkpoints of a run. The pale column is the interval of the best step. */
export function TrendChart({ view }: { readonly view: TrendView }) {
  const [ref, widthPx] = useStripWidth();
  const picture = useMemo(() => (widthPx === 0 ? null : trendPicture(view, widthPx, HEIGHT_PX)), [view, widthPx]);
  return (
    <div ref={ref} className="min-w-0" style={{ height: HEIGHT_PX }}>
      {picture === null ? null : (
        <svg role="img" aria-label={trendText(view)} width={picture.widthPx} height={HEIGHT_PX} className="block">
          {picture.peak === null ? null : (
            <rect
              x={picture.peak.fromX}
              y={picture.plot.top}
              width={Math.max(1, picture.peak.toX - picture.peak.fromX)}
              height={picture.plot.bottom - picture.plot.top}
              fill="var(--band-2)"
            />
          )}
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
          <path
            d={picture.marks.map(({ x, lowY, highY }) => (lowY === null || highY === null ? "" : `M${x} ${lowY}V${highY}`)).join("")}
            stroke="var(--band)"
          />
          <path d={picture.line} fill="none" stroke="var(--ink)" strokeWidth="1.25" strokeLinejoin="round" />
          {picture.marks.map((mark) => (
            <circle
              key={mark.step}
              cx={mark.x}
              cy={mark.y}
              r={mark.isPeak ? 4 : 1.75}
              fill={mark.isPeak ? "var(--bg)" : "var(--ink)"}
              stroke="var(--ink)"
              strokeWidth={mark.isPeak ? 1.75 : 0}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

function trendText(view: TrendView): string {
  const known = view.points.filter(({ value }) => value !== null);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return `${view.title}: no value`;
  const unit = view.unit === "" ? "" : ` ${view.unit}`;
  const end = `from ${rowNumber(first.value, view)}${unit} at step ${formatInteger(first.step)} to ${rowNumber(last.value, view)}${unit} at step ${formatInteger(last.step)}`;
  return `${view.title} over ${formatInteger(known.length)} checkpoints, ${end}. ${view.peak?.text ?? view.why ?? ""}`.trim();
}
