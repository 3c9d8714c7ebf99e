import { memo } from "react";
import type { Lane, PreparedStack } from "../prepare/index.ts";
import type { CrossHair } from "./cross-hair.ts";
import { EstimateMarks, TurnBand } from "./estimate-marks.tsx";
import { LaneLabel } from "./lane-label.tsx";
import { LaneGround, LaneMarks } from "./lane-marks.tsx";
import { LanePlot } from "./lane-plot.tsx";
import { yPixel } from "./geometry.ts";

export interface LaneRowProps {
  readonly lane: Lane;
  readonly index: number;
  readonly stack: PreparedStack;
  readonly facts: readonly string[];
  readonly labelPx: number;
  readonly plotPx: number;
  readonly compact: boolean;
  readonly crossHair: CrossHair;
  readonly onScale?: ((metric: string) => void) | undefined;
  readonly onYMode?: ((metric: string) => void) | undefined;
}

export const LaneRow = memo(function LaneRow(props: LaneRowProps) {
  const { lane, index, stack, labelPx, plotPx, compact } = props;
  return (
    <section
      data-lane={lane.spec.metric}
      aria-label={lane.title}
      className="relative grid border-b border-line"
      style={{ height: lane.spec.heightPx, gridTemplateColumns: `${labelPx}px minmax(0, 1fr)` }}
    >
      <LaneLabel {...props} />
      <div className="relative min-w-0">
        {lane.empty === null ? (
          <>
            {lane.estimates === null ? null : <TurnBand lane={lane} estimates={lane.estimates} stack={stack} widthPx={plotPx} />}
            <LaneGround lane={lane} stack={stack} widthPx={plotPx} />
            <div className="pointer-events-none absolute inset-0">
              <LanePlot lane={lane} from={stack.from} to={stack.to} widthPx={plotPx} />
            </div>
            {lane.estimates === null ? (
              <LaneMarks lane={lane} stack={stack} widthPx={plotPx} compact={compact} index={index} />
            ) : (
              <EstimateMarks lane={lane} estimates={lane.estimates} stack={stack} widthPx={plotPx} />
            )}
            {compact ? <CompactTicks lane={lane} /> : null}
          </>
        ) : (
          <div className="hatched absolute inset-y-2 left-0 grid place-items-center" style={{ width: plotPx }}>
            <span className="bg-bg px-1.5 text-label text-t2">{lane.empty}</span>
          </div>
        )}
      </div>
    </section>
  );
});

/** Where the label column is too narrow for them, ticks stand at the right edge of the plot. */
function CompactTicks({ lane }: { readonly lane: Lane }) {
  return lane.ticks.map((tick) => (
    <span key={tick.at} className="absolute right-1 -translate-y-1/2 text-[10px]/[12px] text-t3" style={{ top: yPixel(lane, tick.at) }}>
      {tick.text}
    </span>
  ));
}
