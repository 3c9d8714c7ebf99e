import type { Axis, Checkpoint, Finding, RunDetail, RunNote, SeriesLine, SeriesWindow } from "@trainwatch/core";
import { formatInteger } from "../../format/index.ts";
import { axisShort, xTicks, type AxisWords } from "./axis.ts";
import { drawnBadge, type DrawnBadge } from "./drawn.ts";
import { eventRows, type EventRow } from "./event-rows.ts";
import { laneFacts } from "./facts.ts";
import { findingMarks, type FindingMark } from "./finding-marks.ts";
import type { Overlay } from "./lane-sources.ts";
import { prepareLane, type Lane, type LaneSpec } from "./lane.ts";
import { onsetMarks, severityAt, type OnsetMark } from "./onset-marks.ts";
import { stepPlaces, type StepPlaces } from "./step-places.ts";
import type { Tick } from "./ticks.ts";
import { stackSummary } from "./words.ts";

export interface StackInput {
  readonly window: SeriesWindow;
  readonly overlay: Overlay | null;
  /** Lines of other sources on the same axis, such as the fleet under a run; what is drawn of the run's own points does not count them. */
  readonly others?: readonly SeriesLine[] | undefined;
  /** Lines of single ranks, drawn over the band of their metric; what is drawn of the run's points counts them in the band alone. */
  readonly singles?: readonly SeriesLine[] | undefined;
  readonly lanes: readonly LaneSpec[];
  /** What was asked for; open ends are the window's own. */
  readonly range: { readonly from: number | null; readonly to: number | null };
  /** Width of the plot, without the label column. */
  readonly widthPx: number;
  readonly words: AxisWords;
  readonly smoothing: number | null;
  readonly findings: readonly Finding[];
  readonly attempts: RunDetail["attempts"];
  readonly checkpoints: readonly Checkpoint[];
  readonly notes: readonly RunNote[];
  /** The step that the page is about: a line through all lanes, its flag on the axis. */
  readonly hereStep?: number | null | undefined;
}

/** Lanes over one x axis, decided down to the vertex: drawing only lays it out. */
export interface PreparedStack {
  readonly axis: Axis;
  readonly from: number;
  readonly to: number;
  readonly xPerPx: number;
  readonly ticks: readonly Tick[];
  /** The right end in words; the axis's last tick steps aside for it. */
  readonly end: Tick;
  readonly lanes: readonly Lane[];
  /** Words under the value of each lane. */
  readonly facts: readonly (readonly string[])[];
  /** Peaks of findings, a list a lane. */
  readonly marks: readonly (readonly FindingMark[])[];
  readonly onsets: readonly OnsetMark[];
  readonly events: readonly EventRow[];
  readonly badge: DrawnBadge;
  readonly summary: string;
  readonly words: AxisWords;
  readonly toX: StepPlaces;
  /** Null where there is none, or it lies outside the range. */
  readonly here: Tick | null;
}

/** A label of the x axis needs about this much room. */
const TICK_SPACING_PX = { step: 120, tokens: 120, time: 130 } satisfies Record<Axis, number>;
const END_LABEL_PX = 70;

/** Null where neither the question nor the answer says what range to draw: there is no data. */
export function prepareStack(input: StackInput): PreparedStack | null {
  const { window, words } = input;
  const from = input.range.from ?? window.from;
  const to = input.range.to ?? window.to;
  if (from === null || to === null || input.widthPx <= 0) return null;
  const range = to > from ? { from, to } : { from: from - 0.5, to: from + 0.5 };
  const xPerPx = (range.to - range.from) / input.widthPx;
  const toX = stepPlaces(window.axis, window.lines);
  const severity = severityAt(input.findings);
  const shown = input.others === undefined ? window : { ...window, lines: [...window.lines, ...input.others] };
  const lanes = input.lanes.map((spec) =>
    prepareLane({
      spec,
      window: shown,
      overlay: input.overlay,
      singles: input.singles,
      smoothing: input.smoothing,
      xPerPx,
      severityAt: severity,
    }),
  );
  const onsets = onsetMarks({ findings: input.findings, attempts: input.attempts, toX, range, words });
  const ticks = xTicks(range.from, range.to, Math.max(1, Math.floor(input.widthPx / TICK_SPACING_PX[window.axis])), words);
  return {
    axis: window.axis,
    ...range,
    xPerPx,
    ticks: ticks.filter((tick) => range.to - tick.at > END_LABEL_PX * xPerPx),
    end: { at: range.to, text: axisShort(range.to, words) },
    lanes,
    facts: lanes.map((lane) => laneFacts(lane, input.findings)),
    marks: lanes.map((lane) => findingMarks({ lane, findings: input.findings, toX, range, xPerPx })),
    onsets,
    events: eventRows({ ...input, toX, range, axisIsTime: window.axis === "time", xPerPx }),
    badge: drawnBadge(window),
    summary: stackSummary(lanes, onsets),
    words,
    toX,
    here: hereTick(input.hereStep ?? null, toX, range),
  };
}

function hereTick(step: number | null, toX: StepPlaces, range: { readonly from: number; readonly to: number }): Tick | null {
  const at = step === null ? null : toX(step, null);
  return step === null || at === null || at < range.from || at > range.to ? null : { at, text: formatInteger(step) };
}
