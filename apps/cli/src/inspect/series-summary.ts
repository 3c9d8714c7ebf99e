/** What is kept of a series: all points are counted, none is held. */
export interface SeriesSummary {
  readonly name: string;
  /** The name by which the source calls it. */
  readonly sourceName: string;
  readonly labels: Readonly<Record<string, string>>;
  attempt: string;
  /** `2`, `3` … for further writers of one attempt. */
  writer: string | null;
  points: number;
  /** Of the finite points; null where there are none. */
  min: number | null;
  max: number | null;
  nonFinite: number;
  /** Null where the source counts no steps. Lone far jumps do not move them. */
  firstStep: number | null;
  lastStep: number | null;
}

export function newSummary(identity: Pick<SeriesSummary, "name" | "sourceName" | "labels" | "attempt" | "writer">): SeriesSummary {
  return { ...identity, points: 0, min: null, max: null, nonFinite: 0, firstStep: null, lastStep: null };
}

/** @param step null where there is none or where it is a lone far jump */
export function countPoint(summary: SeriesSummary, step: number | null, value: number): void {
  summary.points++;
  if (!Number.isFinite(value)) summary.nonFinite++;
  else {
    if (summary.min === null || value < summary.min) summary.min = value;
    if (summary.max === null || value > summary.max) summary.max = value;
  }
  if (step === null) return;
  if (summary.firstStep === null || step < summary.firstStep) summary.firstStep = step;
  if (summary.lastStep === null || step > summary.lastStep) summary.lastStep = step;
}

/** Adds `from` to `into`: both turned out to be one series. */
export function mergeSummary(into: SeriesSummary, from: SeriesSummary): void {
  into.points += from.points;
  into.nonFinite += from.nonFinite;
  into.min = extreme(Math.min, into.min, from.min);
  into.max = extreme(Math.max, into.max, from.max);
  into.firstStep = extreme(Math.min, into.firstStep, from.firstStep);
  into.lastStep = extreme(Math.max, into.lastStep, from.lastStep);
}

function extreme(pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : pick(a, b);
}
