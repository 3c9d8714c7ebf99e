import { severityRank, type Severity } from "@trainwatch/core";
import { placeLabels, type PlacedLabel } from "./labels.ts";
import type { OnsetMark } from "./onset-marks.ts";

/** The words of an onset, or of several that stand so close together that their lines are one to the eye. */
export interface OnsetLabel extends Omit<PlacedLabel, "index"> {
  readonly findingId: string;
  readonly text: string;
  readonly current: boolean;
  readonly severity: Severity;
}

export interface OnsetLabelRoom {
  readonly widthPx: number;
  readonly rows: number;
  /** Pixel of a place on the axis. */
  readonly toPx: (x: number) => number;
  /** Little room: past onsets keep their line and lose their words. */
  readonly compact: boolean;
  /** As {@link LabelRoom.isBusy}. */
  readonly isBusy?: ((row: number, fromPx: number, toPx: number) => boolean) | undefined;
}

/** Lines closer than this share one label: each beside its own would leave open which is whose. */
const TOGETHER_PX = 24;
const OFFSET_PX = 4;

interface Group {
  readonly marks: OnsetMark[];
  readonly fromPx: number;
  toPx: number;
}

/** One label a group of onsets, none over another or over a line that is not its own; those without room are left out (the lines stay). */
export function onsetLabels(marks: readonly OnsetMark[], { widthPx, rows, toPx, compact, isBusy }: OnsetLabelRoom): readonly OnsetLabel[] {
  const groups = grouped(
    marks.filter((mark) => mark.current || !compact),
    toPx,
  );
  const wanted = groups.map((group) => {
    const { lead, text } = wordsOf(group);
    return { lead, text, xPx: group.toPx, fromPx: group.fromPx, weight: Number(lead.current) };
  });
  const obstaclesPx = marks.flatMap(({ x, detectedX }) => [toPx(x), ...(detectedX === null ? [] : [toPx(detectedX)])]);
  return placeLabels(wanted, { widthPx, rows, prefer: "end", offsetPx: OFFSET_PX, obstaclesPx, isBusy }).flatMap(({ index, ...place }) => {
    const label = wanted[index];
    if (label === undefined) return [];
    const { lead, text } = label;
    return [{ ...place, findingId: lead.findingId, text, current: lead.current, severity: lead.severity }];
  });
}

function grouped(marks: readonly OnsetMark[], toPx: (x: number) => number): readonly Group[] {
  const groups: Group[] = [];
  for (const mark of marks.toSorted((a, b) => a.x - b.x)) {
    const onset = toPx(mark.x);
    const detected = mark.detectedX === null ? onset : toPx(mark.detectedX);
    const end = detected - onset <= TOGETHER_PX ? Math.max(onset, detected) : onset;
    const open = groups.at(-1);
    if (open !== undefined && onset - open.fromPx <= TOGETHER_PX) {
      open.marks.push(mark);
      open.toPx = Math.max(open.toPx, end);
    } else groups.push({ marks: [mark], fromPx: onset, toPx: end });
  }
  return groups;
}

/** Speaks of what goes on now, else of the worst, and counts the others. */
function wordsOf({ marks }: Group): { readonly lead: OnsetMark; readonly text: string } {
  const lead = marks.reduce((best, mark) => (isAhead(mark, best) ? mark : best));
  return { lead, text: marks.length === 1 ? lead.label : `${lead.label}; ${marks.length - 1} more beside it` };
}

function isAhead(a: OnsetMark, b: OnsetMark): boolean {
  if (a.current !== b.current) return a.current;
  return severityRank(a.severity) > severityRank(b.severity);
}
