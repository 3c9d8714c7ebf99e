import type { RunDetail, RunNote } from "@trainwatch/core";
import { formatCount, formatInteger } from "../../format/index.ts";

/** One attempt in the strip, in steps: a bar on the first row for what counts, a hatched stub below for what was rolled back. */
export interface AttemptBar {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly newest: boolean;
  readonly stub: { readonly from: number; readonly to: number; readonly text: string } | null;
  /** The whole story in one sentence, for the title and readers. */
  readonly title: string;
}

export interface AttemptStrip {
  readonly bars: readonly AttemptBar[];
  readonly from: number;
  readonly to: number;
  /** "7 launches, 2 went back". */
  readonly counts: string;
  /** "3,035 steps superseded"; null where none are. */
  readonly lost: string | null;
}

export function attemptStrip(attempts: RunDetail["attempts"], notes: readonly RunNote[]): AttemptStrip | null {
  const known = attempts.flatMap((attempt) =>
    attempt.firstStep === null || attempt.lastStep === null
      ? []
      : [{ ...attempt, firstStep: attempt.firstStep, lastStep: attempt.lastStep }],
  );
  if (known.length === 0) return null;
  const bars = known.map((attempt, index): AttemptBar => {
    const gone = attempt.superseded.reduce((sum, part) => sum + (part.toStep - part.fromStep + 1), 0);
    const goneFrom = Math.min(...attempt.superseded.map((part) => part.fromStep), Number.POSITIVE_INFINITY);
    const end = Number.isFinite(goneFrom) ? Math.max(attempt.firstStep, Math.min(attempt.lastStep, goneFrom)) : attempt.lastStep;
    const why = reasonOfEnd(known[index + 1], notes);
    const words = [why ?? (gone > 0 ? "rolled back" : null), gone > 0 ? formatCount(gone, "step") : null].filter((word) => word !== null);
    return {
      name: attempt.name,
      from: attempt.firstStep,
      to: end,
      newest: index === known.length - 1,
      stub: gone > 0 ? { from: end, to: attempt.lastStep, text: words.join(", ") } : null,
      title: `${attempt.name}: steps ${formatInteger(attempt.firstStep)} to ${formatInteger(attempt.lastStep)}${words.length === 0 ? "" : `; ${words.join(", ")}`}`,
    };
  });
  const wentBack = bars.filter((bar) => bar.stub !== null).length;
  const lost = known.reduce(
    (sum, attempt) => sum + attempt.superseded.reduce((own, part) => own + (part.toStep - part.fromStep + 1), 0),
    0,
  );
  return {
    bars,
    from: Math.min(...bars.map((bar) => bar.from)),
    to: Math.max(...known.map((attempt) => attempt.lastStep)),
    counts: `${formatCount(known.length, "launch", "launches")}${wentBack === 0 ? "" : `, ${formatInteger(wentBack)} went back`}`,
    lost: lost === 0 ? null : `${formatCount(lost, "step")} superseded`,
  };
}

/** What is told about the launch of the next attempt is why this one ended. */
function reasonOfEnd(
  next: Pick<RunDetail["attempts"][number], "name" | "startMarker"> | undefined,
  notes: readonly RunNote[],
): string | null {
  if (next === undefined) return null;
  return (
    notes.find((note) => note.attempt === next.name && (note.kind === "restart" || note.kind === "rollback"))?.text ??
    next.startMarker ??
    null
  );
}
