import type { AttemptSpan } from "./file-facts.ts";
import type { PlacedColumn } from "./place-points.ts";

/** What the placed points of a push have of each attempt, in the order in which the attempts appear; far points and stepless ones left out. */
export function placedSpans(placed: readonly PlacedColumn[]): AttemptSpan[] {
  const spans = new Map<string, Extent>();
  for (const { column, attempt, far, members } of placed) {
    if (far || !column.hasSteps) continue;
    const extent = spans.get(attempt) ?? new Extent();
    spans.set(attempt, extent);
    if (members === "all") for (let at = 0; at < column.step.length; at++) extent.take(column.step[at], column.timeMs[at]);
    else for (const at of members) extent.take(column.step[at], column.timeMs[at]);
  }
  return [...spans].map(([attempt, extent]) => extent.span(attempt));
}

/** First and last step and time of some points. */
export class Extent {
  private firstStep = Infinity;
  private lastStep = -Infinity;
  private firstMs = Infinity;
  private lastMs = -Infinity;

  take(step = Number.NaN, timeMs = Number.NaN): void {
    if (step < this.firstStep) this.firstStep = step;
    if (step > this.lastStep) this.lastStep = step;
    if (timeMs < this.firstMs) this.firstMs = timeMs;
    if (timeMs > this.lastMs) this.lastMs = timeMs;
  }

  span(attempt: string): AttemptSpan {
    const { firstStep, lastStep } = this;
    const isTimed = this.firstMs <= this.lastMs;
    return { attempt, firstStep, lastStep, firstMs: isTimed ? this.firstMs : null, lastMs: isTimed ? this.lastMs : null };
  }
}
