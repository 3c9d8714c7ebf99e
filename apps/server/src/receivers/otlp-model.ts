/** Attributes as text, in the order in which they came. */
export type Attributes = readonly (readonly [name: string, value: string])[];

/** A value, or its 8 bytes as they came (little-endian): protobuf keeps a NaN's bits, a JavaScript number need not. */
export type OtlpValue = number | DataView;

interface AnyPoint {
  readonly attributes: Attributes;
  /** Epoch ms; 0 is unset. */
  readonly startMs: number;
  readonly timeMs: number;
  /** Flag bit 0: nothing was recorded at that time, the series has ended. */
  readonly isNoValue: boolean;
}

export interface NumberPoint extends AnyPoint {
  /** Null: the point has none. */
  readonly value: OtlpValue | null;
}

export interface HistogramPoint extends AnyPoint {
  readonly count: number;
  readonly sum: OtlpValue | null;
  /** One more than bounds, or none. */
  readonly bucketCounts: readonly number[];
  readonly bounds: readonly number[];
}

export interface SummaryPoint extends AnyPoint {
  readonly count: number;
  readonly sum: OtlpValue;
  readonly quantiles: readonly { readonly quantile: number; readonly value: OtlpValue }[];
}

/** How the points of a sum or histogram add up. */
export type Temporality = "unspecified" | "delta" | "cumulative";

export type OtlpData =
  | { readonly kind: "gauge"; readonly points: readonly NumberPoint[] }
  | { readonly kind: "sum"; readonly points: readonly NumberPoint[]; readonly temporality: Temporality; readonly isMonotonic: boolean }
  | { readonly kind: "histogram"; readonly points: readonly HistogramPoint[]; readonly temporality: Temporality }
  | { readonly kind: "summary"; readonly points: readonly SummaryPoint[] }
  | { readonly kind: "exponential-histogram"; readonly points: number }
  | { readonly kind: "none" };

export interface OtlpMetric {
  readonly name: string;
  readonly data: OtlpData;
}

/** What one resource has sent. */
export interface OtlpResource {
  readonly attributes: Attributes;
  readonly metrics: readonly OtlpMetric[];
}

const TEMPORALITIES: readonly Temporality[] = ["unspecified", "delta", "cumulative"];

export function temporalityOf(code: number): Temporality {
  return TEMPORALITIES[code] ?? "unspecified";
}

const NS_PER_MS = 1_000_000n;

/** Epoch ms of a time in ns, which no JavaScript number holds. */
export function msOfNs(ns: bigint): number {
  return Number(ns / NS_PER_MS);
}
