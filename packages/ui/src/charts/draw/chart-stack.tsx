import { useId, useState, type KeyboardEvent, type PointerEvent } from "react";
import { formatInteger } from "../../format/index.ts";
import { axisText, laneText, neighbourSample, snapSample, type PreparedStack } from "../prepare/index.ts";
import { createCrossHair, useCrossHair, type CrossHair } from "./cross-hair.ts";
import { EventLane, eventLaneHeight } from "./event-lane.tsx";
import { HereLine } from "./here-mark.tsx";
import { HoverOverlay } from "./hover-overlay.tsx";
import { LaneRow } from "./lane-row.tsx";
import { OnsetIntervals, OnsetOverlay } from "./onset-overlay.tsx";
import type { StackSize } from "./stack-size.ts";
import { XAxisRow } from "./x-axis-row.tsx";
import { useZoomDrag } from "./zoom-drag.ts";

export interface ChartStackProps {
  readonly stack: PreparedStack;
  readonly size: StackSize;
  /** What the stack shows, for a reader: "Training of llm-405b". */
  readonly label: string;
  /** A range was dragged out: ask for it anew, on the stack's axis. */
  readonly onZoom?: ((from: number, to: number) => void) | undefined;
  readonly onZoomOut?: (() => void) | undefined;
  /** The reader looks at the stack, or has turned away: while looked at, a live view holds still. */
  readonly onHold?: ((held: boolean) => void) | undefined;
  /** Metric of the lane under the pointer, for keys that act on it. */
  readonly onLane?: ((metric: string | null) => void) | undefined;
  readonly onScale?: ((metric: string) => void) | undefined;
  readonly onYMode?: ((metric: string) => void) | undefined;
}

/** Lanes over one x axis, with one cross-hair, one flag and the marks that run through all of them. */
export function ChartStack(props: ChartStackProps) {
  const { stack, size, label } = props;
  const [crossHair] = useState(createCrossHair);
  const tops = laneTops(stack);
  const heightPx = tops.total + eventLaneHeight(stack.events.length);
  const summaryId = useId();
  const pointer = usePointer(props, crossHair, tops);
  return (
    <figure className="m-0 flex flex-col" aria-label={label} aria-describedby={summaryId}>
      <figcaption id={summaryId} className="sr-only">
        {stack.summary}
      </figcaption>
      <div
        data-part="stack"
        data-from={stack.from}
        data-to={stack.to}
        data-plot-left={size.labelPx}
        data-plot-width={size.plotPx}
        className="relative cursor-crosshair touch-pan-y select-none"
        onPointerDown={pointer.onPointerDown}
        onPointerMove={pointer.onPointerMove}
        onPointerUp={pointer.onPointerUp}
        onPointerLeave={pointer.onPointerLeave}
        onPointerCancel={pointer.onPointerLeave}
        onDoubleClick={props.onZoomOut}
      >
        <div className="absolute top-0" style={{ left: size.labelPx }}>
          <OnsetIntervals stack={stack} plotPx={size.plotPx} heightPx={heightPx} />
        </div>
        {stack.lanes.map((lane, index) => (
          <LaneRow
            key={lane.spec.metric}
            lane={lane}
            index={index}
            stack={stack}
            facts={stack.facts[index] ?? []}
            labelPx={size.labelPx}
            plotPx={size.plotPx}
            compact={size.compact}
            crossHair={crossHair}
            onScale={props.onScale}
            onYMode={props.onYMode}
          />
        ))}
        <EventLane stack={stack} labelPx={size.labelPx} plotPx={size.plotPx} compact={size.compact} />
        <div className="pointer-events-none absolute top-0" style={{ left: size.labelPx, width: size.plotPx, height: heightPx }}>
          <HereLine stack={stack} heightPx={heightPx} />
          <OnsetOverlay stack={stack} plotPx={size.plotPx} heightPx={heightPx} compact={size.compact} />
          {pointer.drag === null ? null : (
            <span
              className="absolute inset-y-0 border-x border-accent bg-accent/10"
              style={{ left: pointer.drag.fromPx, width: pointer.drag.toPx - pointer.drag.fromPx }}
            />
          )}
          <HoverOverlay stack={stack} plotPx={size.plotPx} heightPx={heightPx} laneTops={tops.tops} crossHair={crossHair} />
          <CrossHairSlider stack={stack} crossHair={crossHair} onHold={props.onHold} onLane={props.onLane} />
        </div>
      </div>
      <XAxisRow stack={stack} labelPx={size.labelPx} plotPx={size.plotPx} crossHair={crossHair} />
    </figure>
  );
}

interface LaneTops {
  readonly tops: readonly number[];
  readonly total: number;
}

function laneTops(stack: PreparedStack): LaneTops {
  const tops: number[] = [];
  let total = 0;
  for (const lane of stack.lanes) {
    tops.push(total);
    total += lane.spec.heightPx;
  }
  return { tops, total };
}

function usePointer({ stack, size, onZoom, onHold, onLane }: ChartStackProps, crossHair: CrossHair, { tops }: LaneTops) {
  const plotPixel = (event: PointerEvent): number | null => {
    const box = event.currentTarget.getBoundingClientRect();
    const pixel = event.clientX - box.left - size.labelPx;
    return pixel < 0 || pixel > size.plotPx + 4 ? null : Math.min(pixel, size.plotPx);
  };
  const zoom = useZoomDrag({
    plotPx: size.plotPx,
    plotPixel,
    onRange: (fromPx, toPx) => onZoom?.(stack.from + fromPx * stack.xPerPx, stack.from + toPx * stack.xPerPx),
  });
  const leave = (): void => {
    zoom.cancel();
    crossHair.set(null);
    onHold?.(false);
    onLane?.(null);
  };
  return {
    drag: zoom.drag,
    onPointerDown: onZoom === undefined ? undefined : zoom.onPointerDown,
    onPointerUp: zoom.onPointerUp,
    onPointerLeave: leave,
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      if (zoom.onPointerMove(event)) {
        crossHair.set(null);
        return;
      }
      const pixel = plotPixel(event);
      if (pixel === null) {
        leave();
        return;
      }
      const box = event.currentTarget.getBoundingClientRect();
      const y = event.clientY - box.top;
      const index = Math.max(
        0,
        tops.findLastIndex((top) => y >= top),
      );
      const lane = stack.lanes[index];
      const x = stack.from + pixel * stack.xPerPx;
      const sample = lane === undefined ? null : snapSample(lane, x, stack.xPerPx);
      crossHair.set({ x: sample?.x ?? x, lane: index, sample });
      onHold?.(true);
      onLane?.(lane?.spec.metric ?? null);
    },
  };
}

interface SliderProps {
  readonly stack: PreparedStack;
  readonly crossHair: CrossHair;
  readonly onHold: ((held: boolean) => void) | undefined;
  readonly onLane: ((metric: string | null) => void) | undefined;
}

/** The cross-hair by key: left and right go from sample to sample, up and down from lane to lane. */
function CrossHairSlider({ stack, crossHair, onHold, onLane }: SliderProps) {
  const hover = useCrossHair(crossHair);
  const lane = stack.lanes[hover?.lane ?? 0];
  const move = (event: KeyboardEvent): void => {
    const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const rows = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape" && hover !== null) {
      event.stopPropagation();
      crossHair.set(null);
      return;
    }
    if (direction === 0 && rows === 0) return;
    event.preventDefault();
    const index = Math.min(stack.lanes.length - 1, Math.max(0, (hover?.lane ?? 0) + rows));
    const target = stack.lanes[index];
    if (target === undefined) return;
    const sample =
      rows !== 0
        ? snapSample(target, hover?.x ?? stack.to, stack.xPerPx)
        : neighbourSample(target, hover?.sample?.bucket.start ?? null, direction === 1 ? 1 : -1);
    if (sample === null || sample.x < stack.from || sample.x > stack.to) return;
    crossHair.set({ x: sample.x, lane: index, sample });
    onHold?.(true);
    onLane?.(target.spec.metric);
  };
  const leave = (): void => {
    crossHair.set(null);
    onHold?.(false);
    onLane?.(null);
  };
  const value =
    hover === null || hover.sample === null || lane === undefined
      ? "not set"
      : `${lane.title} ${laneText(lane, hover.sample.value)} at step ${formatInteger(hover.sample.step)}${stack.axis === "step" ? "" : `, ${axisText(hover.x, stack.words)}`}`;
  // A range input would be one to the page's keys too: while it had the focus, `n`, `l` and the others would be typed into it.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Cross-hair"
      aria-valuemin={stack.from}
      aria-valuemax={stack.to}
      aria-valuenow={hover?.x ?? stack.to}
      aria-valuetext={value}
      onKeyDown={move}
      onBlur={leave}
      className="absolute inset-0 rounded-chip"
    />
  );
}
