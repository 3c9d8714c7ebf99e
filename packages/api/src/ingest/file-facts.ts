import type { Attempt, Push } from "@trainwatch/core";

type Checkpoint = Push["checkpoints"][number];
type Event = Push["events"][number];

/** Steps and times, ends included, that a push has of one attempt, in the order of the push. Times are null where it has none. */
export interface AttemptSpan {
  readonly attempt: string;
  readonly firstStep: number;
  readonly lastStep: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

export interface FactsToFile {
  readonly checkpoints: readonly Checkpoint[];
  readonly events: readonly Event[];
  /** What the push has of each attempt; none where it has no points. */
  readonly spans: readonly AttemptSpan[];
  readonly attempts: readonly Attempt[];
  /** Attempt of the push's last points, or the one under way. */
  readonly current: string;
  /** The source has named the attempt: its word holds for all that it says. */
  readonly isNamed: boolean;
}

export interface FiledFacts {
  readonly attempt: string;
  readonly checkpoints: readonly Checkpoint[];
  readonly events: readonly Event[];
}

/**
 * Sorts what a push says beside samples by the attempt it belongs to: a push may hold the end of one and the beginning of the next. Time
 * tells where both have one; else the step, and where two attempts have that step, the order: steps that fall back are of a later attempt.
 * What lies before the push's own points is of the attempt that these build on.
 */
export function fileFacts(facts: FactsToFile): readonly FiledFacts[] {
  const filed = new Map<string, { attempt: string; checkpoints: Checkpoint[]; events: Event[] }>();
  const at = (attempt: string): { checkpoints: Checkpoint[]; events: Event[] } => {
    const known = filed.get(attempt) ?? { attempt, checkpoints: [], events: [] };
    filed.set(attempt, known);
    return known;
  };
  const ofCheckpoint = finder(facts);
  for (const checkpoint of facts.checkpoints) at(ofCheckpoint(checkpoint.step, checkpoint.savedAtMs)).checkpoints.push(checkpoint);
  const ofEvent = finder(facts);
  for (const event of facts.events) {
    // A launch says the step that it builds on, which is one of the attempt before.
    at(event.kind === "start" ? facts.current : ofEvent(event.step, event.timeMs)).events.push(event);
  }
  return [...filed.values()];
}

/** Finds the attempts of facts that are told in order. */
function finder({ spans, attempts, current, isNamed }: FactsToFile): (step: number | null, timeMs: number | null) => string {
  let from = 0;
  let before = -Infinity;
  return (step, timeMs) => {
    if (isNamed) return current;
    const byTime = spanAt(spans, timeMs);
    if (byTime !== null) return byTime.attempt;
    if (step === null) return current;
    const holds = ({ firstStep, lastStep }: AttemptSpan): boolean => step >= firstStep && step <= lastStep;
    const next = step < before ? spans.findIndex((span, index) => index > from && holds(span)) : -1;
    if (next !== -1) from = next;
    before = step;
    const found = spans.findIndex((span, index) => index >= from && holds(span));
    if (found !== -1) return spans[found]?.attempt ?? current;
    // Beyond all that the push has: saved after its last point.
    const below = spans.findLast(({ lastStep }, index) => index >= from && lastStep < step);
    return below?.attempt ?? ancestorHolding(attempts, spans[0]?.attempt ?? current, step);
  };
}

function spanAt(spans: readonly AttemptSpan[], timeMs: number | null): AttemptSpan | null {
  if (timeMs === null || spans.length < 2 || spans.some(({ firstMs }) => firstMs === null)) return null;
  return spans.findLast(({ firstMs }) => (firstMs ?? Infinity) <= timeMs) ?? spans[0] ?? null;
}

/** Walks up from an attempt to the one that a step before it belongs to. */
function ancestorHolding(attempts: readonly Attempt[], name: string, step: number): string {
  let holder = name;
  for (let hops = attempts.length; hops > 0; hops--) {
    const attempt = attempts.find((each) => each.name === holder);
    if (attempt === undefined || attempt.parent === null || attempt.branchStep === null || step > attempt.branchStep) break;
    holder = attempt.parent;
  }
  return holder;
}
