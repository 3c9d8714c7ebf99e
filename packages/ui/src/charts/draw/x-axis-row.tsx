import { memo } from "react";
import { AXIS_WORDS, axisShort, textWidthPx, type PreparedStack } from "../prepare/index.ts";
import { zoneName } from "../../format/index.ts";
import { useCrossHair, type CrossHair } from "./cross-hair.ts";
import { xPixel } from "./geometry.ts";
import { HereFlag } from "./here-mark.tsx";

export interface XAxisRowProps {
  readonly stack: PreparedStack;
  readonly labelPx: number;
  readonly plotPx: number;
  readonly crossHair: CrossHair;
}

export const AXIS_ROW_PX = 24;

/** The one x axis, at the foot of the stack, with the flag of the cross-hair on it. */
export function XAxisRow({ stack, labelPx, plotPx, crossHair }: XAxisRowProps) {
  return (
    <div className="grid" style={{ height: AXIS_ROW_PX, gridTemplateColumns: `${labelPx}px minmax(0, 1fr)` }}>
      <p className="pt-1 pl-4 text-label text-t3 max-desk:pl-3">
        {AXIS_WORDS[stack.axis]}
        {stack.axis === "time" ? `, ${zoneName(stack.words.zone, stack.to)}` : ""}
      </p>
      <div className="relative">
        <AxisTicks stack={stack} plotPx={plotPx} />
        <HereFlag stack={stack} plotPx={plotPx} />
        <Flag stack={stack} plotPx={plotPx} crossHair={crossHair} />
      </div>
    </div>
  );
}

const AxisTicks = memo(function AxisTicks({ stack, plotPx }: Pick<XAxisRowProps, "stack" | "plotPx">) {
  return (
    <svg width={plotPx} height={AXIS_ROW_PX} className="absolute inset-0 overflow-visible" aria-hidden="true">
      {stack.ticks.map((tick) => {
        const x = xPixel(stack, tick.at);
        return (
          <text key={tick.at} x={x} y="16" textAnchor={x < textWidthPx(tick.text) / 2 ? "start" : "middle"} fill="var(--t3)">
            {tick.text}
          </text>
        );
      })}
      {stack.here !== null && plotPx - xPixel(stack, stack.here.at) < textWidthPx(stack.end.text) + textWidthPx(stack.here.text) ? null : (
        <text x={plotPx} y="16" textAnchor="end" fill="var(--t1)">
          {stack.end.text}
        </text>
      )}
    </svg>
  );
});

function Flag({ stack, plotPx, crossHair }: Omit<XAxisRowProps, "labelPx">) {
  const hover = useCrossHair(crossHair);
  if (hover === null) return null;
  const text = axisShort(hover.x, stack.words);
  const half = textWidthPx(text) / 2 + 6;
  const x = Math.min(Math.max(xPixel(stack, hover.x), half), Math.max(half, plotPx - half));
  return (
    <span
      data-part="axis-flag"
      className="absolute top-[3px] h-4 -translate-x-1/2 rounded-chip bg-t1 px-1.5 text-label font-medium whitespace-nowrap text-bg"
      style={{ left: x }}
    >
      {text}
    </span>
  );
}
