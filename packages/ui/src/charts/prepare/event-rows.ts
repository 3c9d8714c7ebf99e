import type { Checkpoint, CheckpointState, Finding, RunDetail, RunNote } from "@trainwatch/core";
import { formatCount, formatInteger } from "../../format/index.ts";
import { isCurrent, isRolledBack } from "./onset-marks.ts";
import type { StepPlaces } from "./step-places.ts";

export type EventShape = "verified" | "unchecked" | "incomplete" | "suspect" | "restart" | "branch" | "note" | "decision";

export interface EventMark {
  readonly x: number;
  readonly shape: EventShape;
  /** Stands beside the mark where there is room, and is its name for a reader either way. */
  readonly text: string;
  /** Shown in words, not only on hover. */
  readonly spoken: boolean;
  /** Where a branch came back to. */
  readonly fromX: number | null;
}

export interface EventRow {
  readonly title: string;
  readonly marks: readonly EventMark[];
  /** How many there are in the range; more than are drawn where they stand too close. */
  readonly total: number;
}

export interface EventInput {
  readonly attempts: RunDetail["attempts"];
  readonly checkpoints: readonly Checkpoint[];
  readonly notes: readonly RunNote[];
  /** Of a finding only what makes a checkpoint suspect. */
  readonly findings: readonly Pick<Finding, "severity" | "state" | "attempt" | "onsetStep" | "onsetLowerStep">[];
  readonly toX: StepPlaces;
  readonly range: { readonly from: number; readonly to: number };
  /** Notes with a time but no step stand on the time axis alone. */
  readonly axisIsTime: boolean;
  readonly xPerPx: number;
}

/** Marks closer than this would cover one another. */
const MARK_SPACING_PX = 9;

/** Rows that hold something; a run without checkpoints has no row of them. */
export function eventRows(input: EventInput): readonly EventRow[] {
  return [checkpointRow(input), restartRow(input), noteRow(input)].filter((row) => row.total > 0);
}

const WORDS = { verified: "verified", unchecked: "complete", incomplete: "incomplete" } satisfies Record<CheckpointState, string>;
/** What must not be thinned away goes first. */
const WEIGHT = { suspect: 3, incomplete: 2, verified: 1, unchecked: 0, restart: 3, branch: 3, note: 0, decision: 3 } satisfies Record<
  EventShape,
  number
>;

function checkpointRow({ attempts, checkpoints, findings, toX, range, xPerPx }: EventInput): EventRow {
  const faults = findings.filter(
    (finding) =>
      finding.severity === "critical" && isCurrent(finding) && !isRolledBack(finding, attempts) && finding.onsetLowerStep !== null,
  );
  const marks = checkpoints.flatMap((checkpoint): EventMark[] => {
    const x = toX(checkpoint.step, checkpoint.attempt);
    if (x === null || x < range.from || x > range.to) return [];
    const suspect = faults.some(
      (fault) => fault.attempt === checkpoint.attempt && checkpoint.step >= (fault.onsetLowerStep ?? Number.POSITIVE_INFINITY),
    );
    const shape = checkpoint.state === "incomplete" ? "incomplete" : suspect ? "suspect" : checkpoint.state;
    const reason = checkpoint.reason === null ? "" : `: ${checkpoint.reason}`;
    return [
      {
        x,
        shape,
        spoken: false,
        fromX: null,
        text: `checkpoint ${formatInteger(checkpoint.step)} ${WORDS[checkpoint.state]}${suspect ? ", saved after onset" : ""}${reason}`,
      },
    ];
  });
  return { title: "Checkpoints", marks: thinned(marks, xPerPx), total: marks.length };
}

function restartRow({ attempts, toX, range, xPerPx }: EventInput): EventRow {
  const marks = attempts.flatMap((attempt): EventMark[] => {
    if (attempt.parent === null || attempt.firstStep === null) return [];
    const parent = attempts.find((candidate) => candidate.name === attempt.parent);
    const parentEnd = parent?.lastStep ?? null;
    const back = attempt.branchStep !== null && parentEnd !== null && parentEnd > attempt.branchStep;
    const x = back ? (toX(parentEnd, attempt.parent) ?? toX(attempt.firstStep, attempt.name)) : toX(attempt.firstStep, attempt.name);
    if (x === null || x < range.from || x > range.to) return [];
    const text = back
      ? `${attempt.name}: back to ${formatInteger(attempt.branchStep)}, ${formatCount(parentEnd - (attempt.branchStep ?? 0), "step")} superseded`
      : `${attempt.name} goes on from ${formatInteger(attempt.branchStep ?? attempt.firstStep)}`;
    return [
      {
        x,
        shape: back ? "branch" : "restart",
        text,
        spoken: true,
        fromX: back && attempt.branchStep !== null ? toX(attempt.branchStep, attempt.name) : null,
      },
    ];
  });
  return { title: "Restarts, branches", marks: thinned(marks, xPerPx), total: marks.length };
}

function noteRow({ notes, toX, range, axisIsTime, xPerPx }: EventInput): EventRow {
  const marks = notes.flatMap((note): EventMark[] => {
    const x = axisIsTime && note.timeMs !== null ? note.timeMs : note.step === null ? null : toX(note.step, note.attempt);
    if (x === null || x < range.from || x > range.to) return [];
    return [{ x, shape: note.kind === "decision" ? "decision" : "note", text: note.text, spoken: note.kind === "decision", fromX: null }];
  });
  return { title: "Decisions, notes", marks: thinned(marks, xPerPx), total: marks.length };
}

/** Keeps the weightier of two marks that stand too close; in order of x. */
function thinned(marks: readonly EventMark[], xPerPx: number): readonly EventMark[] {
  const kept: EventMark[] = [];
  for (const mark of [...marks].sort((a, b) => a.x - b.x)) {
    const before = kept.at(-1);
    if (before === undefined || mark.x - before.x >= MARK_SPACING_PX * xPerPx) kept.push(mark);
    else if (WEIGHT[mark.shape] > WEIGHT[before.shape]) kept[kept.length - 1] = mark;
  }
  return kept;
}
