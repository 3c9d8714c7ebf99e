import { formatCount, formatDateTime, formatInteger } from "../../format/index.ts";
import { bucketAt, laneText, singleText, type BucketFacts, type Lane, type LaneLine, type PreparedStack } from "../prepare/index.ts";
import { useCrossHair, type CrossHair, type CrossHairState } from "./cross-hair.ts";
import { crisp, xPixel, yPixel } from "./geometry.ts";

export interface HoverOverlayProps {
  readonly stack: PreparedStack;
  readonly plotPx: number;
  readonly heightPx: number;
  readonly laneTops: readonly number[];
  readonly crossHair: CrossHair;
}

/** One cross-hair through all lanes, a dot on the sample it stands on, and what is known there. */
export function HoverOverlay({ stack, plotPx, heightPx, laneTops, crossHair }: HoverOverlayProps) {
  const hover = useCrossHair(crossHair);
  if (hover === null) return null;
  const lane = stack.lanes[hover.lane];
  const x = xPixel(stack, hover.x);
  const scaled = lane === undefined || hover.sample === null ? null : lane.transform.forward(hover.sample.value);
  const inLane =
    lane === undefined || lane.domain === null || scaled === null ? null : Math.min(Math.max(scaled, lane.domain.low), lane.domain.high);
  return (
    <>
      <svg width={plotPx} height={heightPx} className="pointer-events-none absolute inset-0 overflow-visible" aria-hidden="true">
        <line x1={crisp(x)} x2={crisp(x)} y1="0" y2={heightPx} stroke="var(--t2)" />
        {lane === undefined || inLane === null ? null : (
          <circle cx={x} cy={(laneTops[hover.lane] ?? 0) + Math.max(4, yPixel(lane, inLane))} r="3.5" fill="var(--t1)" stroke="var(--bg)" />
        )}
      </svg>
      {lane === undefined || hover.sample === null ? null : (
        <Tooltip stack={stack} lane={lane} hover={hover} left={x} plotPx={plotPx} top={(laneTops[hover.lane] ?? 0) + 34} />
      )}
    </>
  );
}

interface TooltipProps {
  readonly stack: PreparedStack;
  readonly lane: Lane;
  readonly hover: CrossHairState;
  readonly left: number;
  readonly top: number;
  readonly plotPx: number;
}

function Tooltip({ stack, lane, hover, left, top, plotPx }: TooltipProps) {
  const { sample } = hover;
  if (sample === null) return null;
  const onLeft = left > plotPx / 2;
  const place = onLeft ? { right: plotPx - left + 10, top } : { left: left + 10, top };
  return (
    <div
      data-part="tooltip"
      className="pointer-events-none absolute z-10 rounded-control border border-line-2 bg-raise px-2.5 py-1.5 text-label whitespace-nowrap shadow-popover"
      style={place}
    >
      <b className="font-semibold">Step {formatInteger(sample.step)}</b> <span className="text-t3">{sample.line.source.attempt}</span>
      {stack.axis === "time" ? <p className="text-t2">{formatDateTime(hover.x, stack.words.zone, stack.words.nowMs)}</p> : null}
      <dl className="m-0 mt-0.5 grid grid-cols-[auto_auto] gap-x-3">
        <Fact name={lane.title} value={laneText(lane, sample.value)} />
        {sample.of === "only" ? null : <BucketWords lane={lane} bucket={sample.bucket} of={sample.of} />}
        {otherLines(stack, lane, hover).map(({ name, text }) => (
          <Fact key={name} name={name} value={text} />
        ))}
      </dl>
    </div>
  );
}

function BucketWords({ lane, bucket, of }: { readonly lane: Lane; readonly bucket: BucketFacts; readonly of: "max" | "min" }) {
  return (
    <>
      <Fact name={of === "max" ? "highest of" : "lowest of"} value={formatCount(bucket.count, "point")} />
      <Fact name="mean" value={laneText(lane, bucket.mean)} />
      <Fact name="steps" value={`${formatInteger(bucket.stepFirst)} – ${formatInteger(bucket.stepLast)}`} />
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt className="text-t2">{name}</dt>
      <dd className="m-0 text-right">{value}</dd>
    </>
  );
}

/** What the other lines of the lane have there: a rolled-back attempt, the second run. A line that is not there is left out. */
function otherLines(stack: PreparedStack, lane: Lane, hover: CrossHairState): readonly { readonly name: string; readonly text: string }[] {
  return lane.lines.flatMap((line) => {
    if (line.key === hover.sample?.line.key) return [];
    const bucket = bucketAt(line, hover.x, stack.axis === "step");
    if (bucket === null) return [];
    if (line.role === "spread")
      return [{ name: formatCount(line.source.members, "rank"), text: `${laneText(lane, bucket.min)} to ${laneText(lane, bucket.max)}` }];
    const name = line.endLabel?.text ?? unlabelled(line);
    return [{ name, text: `${laneText(lane, bucket.mean)}${bucket.count > 1 ? " mean" : ""}` }];
  });
}

function unlabelled({ role, source }: LaneLine): string {
  if (role === "single") return singleText(source);
  return role === "superseded" ? `${source.attempt}, rolled back` : source.attempt;
}
