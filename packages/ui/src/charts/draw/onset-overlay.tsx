import { memo } from "react";
import { onsetLabels, type PreparedStack } from "../prepare/index.ts";
import { crisp, xPixel } from "./geometry.ts";
import { isLineUnder, textBox } from "./line-under.ts";
import { ChartText, SEVERITY_INK } from "./shapes.tsx";

export interface OnsetOverlayProps {
  readonly stack: PreparedStack;
  readonly plotPx: number;
  readonly heightPx: number;
  /** Little room: past onsets keep their line and lose their words. */
  readonly compact: boolean;
}

const FILL = { critical: "var(--crit)", warning: "var(--warn)", info: "var(--info)" } as const;
/** The first row of text belongs to values off scale. */
const FIRST_ROW_PX = 27;
const ROW_PX = 15;

/** Behind the lines: the 90 % interval of each onset as a pale column. */
export const OnsetIntervals = memo(function OnsetIntervals({ stack, plotPx, heightPx }: Omit<OnsetOverlayProps, "compact">) {
  return (
    <svg width={plotPx} height={heightPx} className="pointer-events-none absolute inset-0 overflow-hidden" aria-hidden="true">
      {stack.onsets.map((mark) => {
        if (mark.lowerX === null || mark.lowerX >= mark.x) return null;
        const from = xPixel(stack, mark.lowerX);
        return (
          <rect
            key={mark.findingId}
            x={from}
            y="0"
            width={Math.max(2, xPixel(stack, mark.x) - from)}
            height={heightPx}
            fill={mark.current ? "var(--crit-wash)" : "var(--raise)"}
          />
        );
      })}
    </svg>
  );
});

/** Through all lanes: onset solid, detection dashed, the words beside the line. */
export const OnsetOverlay = memo(function OnsetOverlay({ stack, plotPx, heightPx, compact }: OnsetOverlayProps) {
  const isBusy = (row: number, fromPx: number, toPx: number): boolean =>
    isLineUnder(stack.lanes[0], stack, textBox(fromPx, toPx, FIRST_ROW_PX + row * ROW_PX));
  const labels = onsetLabels(stack.onsets, { widthPx: plotPx, rows: 3, toPx: (x) => xPixel(stack, x), compact, isBusy });
  return (
    <svg width={plotPx} height={heightPx} className="pointer-events-none absolute inset-0 overflow-visible" aria-hidden="true">
      {stack.onsets.map((mark) => {
        const stroke = mark.current ? FILL[mark.severity] : "var(--ink-2)";
        const onset = crisp(xPixel(stack, mark.x));
        const detected = mark.detectedX === null ? null : crisp(xPixel(stack, mark.detectedX));
        return (
          <g key={mark.findingId} data-onset={mark.x} stroke={stroke}>
            <line x1={onset} x2={onset} y1={FIRST_ROW_PX - 10} y2={heightPx} />
            {detected === null || detected > plotPx ? null : (
              <line
                x1={Math.max(detected, onset + 2)}
                x2={Math.max(detected, onset + 2)}
                y1={FIRST_ROW_PX - 10}
                y2={heightPx}
                strokeDasharray="2 3"
              />
            )}
          </g>
        );
      })}
      {labels.map((label) => (
        <ChartText
          key={label.findingId}
          x={label.xPx}
          y={FIRST_ROW_PX + label.row * ROW_PX}
          anchor={label.anchor}
          fill={label.current ? SEVERITY_INK[label.severity] : "var(--t2)"}
        >
          {label.text}
        </ChartText>
      ))}
    </svg>
  );
});
