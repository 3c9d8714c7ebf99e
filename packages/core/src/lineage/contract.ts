/**
 * Telling attempts and writers apart when the source does not name them (product.md "Boundaries").
 * Pure and incremental; the state is JSON. Used by offline `inspect` and by `ingest.push` alike.
 */
export interface LineagePoint {
  /** Key of the series within the run: metric and labels. */
  readonly series: string;
  readonly step: number;
  readonly timeMs: number | null;
  readonly value: number;
}

export interface Placement {
  /** Attempt name, `a1`, `a2`, … */
  readonly attempt: string;
  /** Second and further writers of one attempt, `2`, `3`, …; null for the first. */
  readonly writer: string | null;
  /** `far-step`: a lone far jump, kept but left out of watermarks. */
  readonly flag: "far-step" | null;
}

export interface PlacedPoint<P extends LineagePoint = LineagePoint> {
  readonly point: P;
  readonly placement: Placement;
}

/** What was placed as attempt `attempt` has turned out to be a second writer of another attempt. */
export interface LineageCorrection {
  readonly attempt: string;
  readonly becomes: { readonly attempt: string; readonly writer: string };
}
