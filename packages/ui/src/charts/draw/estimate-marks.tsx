import { memo } from "react";
import { placeLabels, type Estimates, type Lane, type PreparedStack } from "../prepare/index.ts";
import { crisp, plotHeight, xPixel, yPixel } from "./geometry.ts";
import { ChartText } from "./shapes.tsx";

interface EstimateProps {
  readonly lane: Lane;
  readonly estimates: Estimates;
  readonly stack: PreparedStack;
  readonly widthPx: number;
}

/** Behind the points: the interval in which the curve turns. */
export const TurnBand = memo(function TurnBand({ lane, estimates, stack, widthPx }: EstimateProps) {
  const { turn } = estimates;
  if (turn === null) return null;
  const from = Math.max(0, xPixel(stack, turn.lowStep));
  const to = Math.min(widthPx, xPixel(stack, turn.highStep));
  if (to < 0 || from > widthPx) return null;
  return (
    <svg width={widthPx} height={plotHeight(lane)} className="absolute inset-0 overflow-hidden" aria-hidden="true">
      <rect
        data-turn={turn.step}
        x={from}
        y="0"
        width={Math.max(2, to - from)}
        height={plotHeight(lane)}
        fill={turn.sure ? "var(--crit-wash)" : "var(--raise)"}
      />
    </svg>
  );
});

/** Each estimate a dot with its whisker, the fitted curve through them, and the words of the turn. */
export const EstimateMarks = memo(function EstimateMarks({ lane, estimates, stack, widthPx }: EstimateProps) {
  const { dots } = estimates;
  return (
    <svg
      width={widthPx}
      height={plotHeight(lane)}
      className="absolute inset-0 overflow-visible"
      aria-hidden="true"
      data-marks={lane.spec.metric}
    >
      <path data-part="fit" d={curvePath(lane, estimates, stack)} fill="none" stroke="var(--ink-2)" strokeWidth="1.25" />
      {dots.map((dot) => {
        const x = xPixel(stack, dot.x);
        if (x < -3 || x > widthPx + 3) return null;
        const ink = dot.lit ? "var(--crit)" : "var(--ink)";
        return (
          <g key={dot.x} data-estimate={dot.x}>
            {dot.whisker === null ? null : (
              <line x1={crisp(x)} x2={crisp(x)} y1={yPixel(lane, dot.whisker[1])} y2={yPixel(lane, dot.whisker[0])} stroke={ink} />
            )}
            <circle cx={crisp(x)} cy={yPixel(lane, dot.y)} r={dot.here ? 4 : 2.5} fill={dot.here ? "var(--accent)" : ink} />
          </g>
        );
      })}
      <TurnWords lane={lane} estimates={estimates} stack={stack} widthPx={widthPx} />
    </svg>
  );
});

const ROW_PX = { top: 14, foot: 7 } as const;

/** Beside the step, and on the side of the lane that the curve leaves free where it turns. No line of the whole stack runs through it. */
function TurnWords({ lane, estimates: { turn, dots }, stack, widthPx }: EstimateProps) {
  if (turn === null) return null;
  const atPx = xPixel(stack, turn.step);
  if (atPx < 0 || atPx > widthPx) return null;
  const lines = [...stack.onsets.flatMap(({ x, detectedX }) => [x, ...(detectedX === null ? [] : [detectedX])]), stack.here?.at];
  const [place] = placeLabels([{ xPx: atPx, text: turn.text, weight: 1 }], {
    widthPx,
    rows: 1,
    prefer: "start",
    offsetPx: 5,
    obstaclesPx: lines.flatMap((at) => (at === undefined ? [] : [xPixel(stack, at)])),
  });
  const height = plotHeight(lane);
  const nearest = dots.toSorted((a, b) => Math.abs(a.x - turn.step) - Math.abs(b.x - turn.step))[0];
  const isHigh = nearest === undefined || yPixel(lane, nearest.y) < height / 2;
  return (
    <ChartText
      x={place?.xPx ?? widthPx - 2}
      y={isHigh ? height - ROW_PX.foot : ROW_PX.top}
      anchor={place?.anchor ?? "end"}
      fill={turn.sure ? "var(--crit-ink)" : "var(--t2)"}
    >
      {turn.text}
    </ChartText>
  );
}

function curvePath(lane: Lane, { curve }: Estimates, stack: PreparedStack): string {
  let pen = "M";
  let path = "";
  for (const { x, y } of curve) {
    if (y === null) {
      pen = "M";
      continue;
    }
    path += `${pen}${xPixel(stack, x).toFixed(1)} ${yPixel(lane, y).toFixed(1)}`;
    pen = "L";
  }
  return path;
}
