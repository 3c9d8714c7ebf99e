import { formatInteger } from "../../format/index.ts";
import { laneQuantity, laneValueAt, type Lane, type ScaleKind, type PreparedStack } from "../prepare/index.ts";
import { textWidthPx } from "../prepare/labels.ts";
import { useCrossHair, type CrossHair, type CrossHairState } from "./cross-hair.ts";
import { yPixel } from "./geometry.ts";
import { axisText } from "../prepare/index.ts";

export interface LaneLabelProps {
  readonly lane: Lane;
  readonly index: number;
  readonly stack: PreparedStack;
  readonly facts: readonly string[];
  readonly crossHair: CrossHair;
  /** Width of the whole label. */
  readonly labelPx: number;
  readonly compact: boolean;
  readonly onScale?: ((metric: string) => void) | undefined;
  readonly onYMode?: ((metric: string) => void) | undefined;
}

/** Pixels a title and a value take; what is left holds facts of 16 px. */
const HEAD_PX = 43;
/** The same with a title of two lines, which has what is pressed beside its value. */
const WRAPPED_HEAD_PX = 53;
/** What stands left and right of the title: the gutter and the ticks. */
const SIDES_PX = 52;
const COMPACT_SIDES_PX = 16;
const FACT_PX = 16;

/** The instrument's face: name, value at the cross-hair or now, unit, then facts as far as the height allows. */
export function LaneLabel({ lane, index, stack, facts, crossHair, labelPx, compact, onScale, onYMode }: LaneLabelProps) {
  const hover = useCrossHair(crossHair);
  const shown = shownValue(lane, index, stack, hover);
  const quantity = laneQuantity(lane, shown.value);
  const now = laneQuantity(lane, lane.totals.last);
  const spread = shown.value === null ? null : spreadAt(lane, stack, hover);
  // With a place of its own that a page is about, the newest value stands beside it: room is for facts.
  const places = hover === null ? [`${shown.at}, now ${now.text}`] : [shown.at, `now ${now.text}`];
  const lines = shown.at === null ? facts : [...places.filter((place) => place !== null), ...facts];
  const controls =
    (onScale !== undefined && (lane.spec.scale !== "linear" || lane.lines.length > 0 || lane.empty !== null)) ||
    lane.offScale.length > 0 ||
    lane.spec.yMode === "full";
  const wraps = textWidthPx(lane.title) > labelPx - (compact ? COMPACT_SIDES_PX : SIDES_PX);
  const headPx = wraps ? WRAPPED_HEAD_PX : HEAD_PX;
  const room = Math.max(0, Math.floor((lane.spec.heightPx - headPx) / FACT_PX) - (controls && !wraps ? 1 : 0));
  const pressed = compact || !controls ? null : <LaneControls lane={lane} onScale={onScale} onYMode={onYMode} />;
  return (
    <div className="relative min-w-0 overflow-hidden pt-[5px] pr-9 pl-4 max-desk:pr-1 max-desk:pl-3">
      <h3
        className={`overflow-hidden font-semibold text-t1 ${wraps ? "line-clamp-2 text-[12px]/[14px] max-desk:line-clamp-3 max-desk:text-[10.5px]/[12px]" : "text-note text-ellipsis whitespace-nowrap max-desk:text-label"}`}
        title={lane.title === lane.spec.metric ? lane.title : `${lane.title}\n${lane.spec.metric}`}
      >
        {lane.title}
      </h3>
      <div className={wraps ? "flex items-baseline gap-2" : ""}>
        <p className="overflow-hidden text-ellipsis whitespace-nowrap">
          <b className="text-lane font-semibold max-desk:text-note">{quantity.text}</b>
          {quantity.unit === "" ? null : <span className="ml-[3px] text-label text-t3">{quantity.unit}</span>}
          {spread === null ? null : <span className="ml-[3px] text-label text-t3">{spread}</span>}
        </p>
        {wraps ? pressed : null}
      </div>
      {compact
        ? null
        : lines.slice(0, Math.min(room, 4)).map((fact) => (
            <p key={fact} className="overflow-hidden text-label text-ellipsis whitespace-nowrap text-t3" title={fact}>
              {fact}
            </p>
          ))}
      {wraps ? null : pressed}
      {compact
        ? null
        : lane.ticks.map((tick) => (
            <span
              key={tick.at}
              className="absolute right-1.5 -translate-y-1/2 bg-bg text-[10.5px]/[12px] text-t3"
              style={{ top: yPixel(lane, tick.at) }}
            >
              {tick.text}
            </span>
          ))}
    </div>
  );
}

/** At the cross-hair; without one at the step that the page is about; else the newest. */
function shownValue(
  lane: Lane,
  index: number,
  stack: PreparedStack,
  hover: CrossHairState | null,
): { readonly value: number | null; readonly at: string | null } {
  if (hover !== null) return valueAtHover(lane, index, stack, hover);
  if (stack.here === null || lane.empty !== null) return { value: lane.totals.last, at: null };
  const { value, at } = valueAtHover(lane, index, stack, { x: stack.here.at, lane: -1, sample: null });
  return { value, at: value === null ? at : `at ${stack.here.text}` };
}

/** "± 1.3" of the estimate that stands there, or that its error is not known; on a linear scale alone are both sides of it alike. */
function spreadAt(lane: Lane, stack: PreparedStack, hover: CrossHairState | null): string | null {
  if (lane.estimates === null || lane.transform.kind !== "linear") return null;
  const x = hover?.sample?.x ?? hover?.x ?? stack.here?.at ?? lane.estimates.dots.at(-1)?.x;
  const dot = lane.estimates.dots.find((each) => each.x === x);
  if (dot === undefined) return null;
  return dot.whisker === null ? "± not told" : `± ${laneQuantity(lane, (dot.whisker[1] - dot.whisker[0]) / 2).text}`;
}

function valueAtHover(
  lane: Lane,
  index: number,
  stack: PreparedStack,
  hover: CrossHairState,
): { readonly value: number | null; readonly at: string } {
  if (hover.lane === index && hover.sample !== null)
    return { value: hover.sample.value, at: `at step ${formatInteger(hover.sample.step)}` };
  const bucket = laneValueAt(lane, hover.x, stack.axis === "step");
  const at = stack.axis === "step" ? `step ${axisText(hover.x, stack.words)}` : axisText(hover.x, stack.words);
  if (bucket === null) return { value: null, at: `no data at ${at}` };
  return { value: bucket.mean, at: bucket.count > 1 ? `mean of ${formatInteger(bucket.count)} points` : `at ${at}` };
}

const NEXT_SCALE = { linear: "log", log: "symlog", symlog: "linear" } satisfies Record<ScaleKind, ScaleKind>;

/** What pressing the scale of a lane turns it to. */
export function nextScale(scale: ScaleKind): ScaleKind {
  return NEXT_SCALE[scale];
}

function LaneControls({ lane, onScale, onYMode }: Pick<LaneLabelProps, "lane" | "onScale" | "onYMode">) {
  const reach =
    lane.spec.yMode === "robust"
      ? { shown: `${formatInteger(lane.offScale.length)} off scale`, does: "show all values" }
      : { shown: "all shown", does: "fit the ordinary values" };
  const small = "text-label text-t3 hover:text-accent";
  return (
    <p className="flex gap-2 whitespace-nowrap">
      {onScale === undefined ? null : (
        <button
          type="button"
          className={small}
          title={`Scale is ${lane.spec.scale}; press for ${nextScale(lane.spec.scale)} (l)`}
          aria-label={`${lane.title}: scale ${lane.spec.scale}, change to ${nextScale(lane.spec.scale)}`}
          onClick={() => onScale(lane.spec.metric)}
        >
          {lane.spec.scale}
        </button>
      )}
      {onYMode === undefined || (lane.offScale.length === 0 && lane.spec.yMode === "robust") ? null : (
        <button
          type="button"
          className={small}
          aria-label={`${lane.title}: ${reach.shown}, ${reach.does}`}
          onClick={() => onYMode(lane.spec.metric)}
        >
          {reach.shown}
        </button>
      )}
    </p>
  );
}
