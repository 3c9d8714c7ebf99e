import { quoteBareNonFinite } from "@trainwatch/api";
import { z } from "zod";
import { msOfNs, temporalityOf, type OtlpData, type OtlpResource } from "./otlp-model.ts";

/** Numbers of 64 bits come as text; both are to be taken. */
const int64 = z
  .union([z.string().regex(/^-?\d{1,20}$/), z.number().refine(Number.isInteger)], "is no whole number")
  .transform((value) => BigInt(value));
const time = int64.default(0n).transform(msOfNs);
const count = int64.default(0n).transform(Number);
const NON_FINITE: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);
/** Also as text: JSON has no word for what is not finite. */
const double = z.union(
  [
    z.number(),
    z
      .string()
      .regex(/^(?:NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/)
      .transform((text) => NON_FINITE.get(text) ?? Number(text)),
  ],
  "is no number",
);

interface AnyValue {
  readonly stringValue?: string | undefined;
  readonly boolValue?: boolean | undefined;
  readonly intValue?: bigint | undefined;
  readonly doubleValue?: number | undefined;
  readonly arrayValue?: { readonly values?: unknown } | undefined;
  readonly kvlistValue?: { readonly values?: unknown } | undefined;
  readonly bytesValue?: string | undefined;
}

/** Of JSON, where a list in a list has four. What is deeper is made to exhaust the stack. */
const MOST_LEVELS = 32;
const nested = z.unknown().refine((value) => !isDeeper(value, MOST_LEVELS), `is nested more than ${MOST_LEVELS} levels deep`);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

const anyValue = z.object({
  stringValue: z.string().optional(),
  boolValue: z.boolean().optional(),
  intValue: int64.optional(),
  doubleValue: double.optional(),
  arrayValue: z.object({ values: nested }).optional(),
  kvlistValue: z.object({ values: nested }).optional(),
  bytesValue: z.string().optional(),
});
const attribute = z
  .object({ key: z.string().default(""), value: anyValue.optional() })
  .transform(({ key, value }) => [key, value === undefined ? "" : attributeText(value)] as const);
const attributes = z.array(attribute).default([]);

/** As a label. Lists and maps are JSON as they came: nobody tells series apart by them in a way that would want more. */
function attributeText(value: AnyValue): string {
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.boolValue !== undefined) return String(value.boolValue);
  if (value.intValue !== undefined) return String(value.intValue);
  if (value.doubleValue !== undefined) return String(value.doubleValue);
  if (value.bytesValue !== undefined) return value.bytesValue;
  const list = value.arrayValue ?? value.kvlistValue;
  return list === undefined ? "" : JSON.stringify(list.values ?? []);
}

const anyPoint = {
  attributes,
  startTimeUnixNano: time,
  timeUnixNano: time,
  flags: int64.default(0n).transform(Number),
};

interface PointTimes {
  readonly attributes: z.output<typeof attributes>;
  readonly startTimeUnixNano: number;
  readonly timeUnixNano: number;
  readonly flags: number;
}

function pointOf({ attributes, startTimeUnixNano, timeUnixNano, flags }: PointTimes) {
  return { attributes, startMs: startTimeUnixNano, timeMs: timeUnixNano, isNoValue: (flags & 1) !== 0 };
}

const numberPoint = z
  .object({ ...anyPoint, asDouble: double.optional(), asInt: int64.optional() })
  .transform(({ asDouble, asInt, ...point }) => ({
    ...pointOf(point),
    value: asDouble ?? (asInt === undefined ? null : Number(asInt)),
  }));
const histogramPoint = z
  .object({
    ...anyPoint,
    count,
    sum: double.nullable().default(null),
    bucketCounts: z.array(int64.transform(Number)).default([]),
    explicitBounds: z.array(double).default([]),
  })
  .transform(({ count, sum, bucketCounts, explicitBounds, ...point }) => ({
    ...pointOf(point),
    count,
    sum,
    bucketCounts,
    bounds: explicitBounds,
  }));
const summaryPoint = z
  .object({
    ...anyPoint,
    count,
    sum: double.default(0),
    quantileValues: z.array(z.object({ quantile: double.default(0), value: double.default(0) })).default([]),
  })
  .transform(({ count, sum, quantileValues, ...point }) => ({ ...pointOf(point), count, sum, quantiles: quantileValues }));

const pointsOf = <Point extends z.ZodType>(point: Point) => z.array(point).default([]);
const temporality = z.number().int().default(0).transform(temporalityOf);

const metric = z
  .object({
    name: z.string().default(""),
    gauge: z.object({ dataPoints: pointsOf(numberPoint) }).optional(),
    sum: z
      .object({ dataPoints: pointsOf(numberPoint), aggregationTemporality: temporality, isMonotonic: z.boolean().default(false) })
      .optional(),
    histogram: z.object({ dataPoints: pointsOf(histogramPoint), aggregationTemporality: temporality }).optional(),
    exponentialHistogram: z.object({ dataPoints: pointsOf(z.unknown()) }).optional(),
    summary: z.object({ dataPoints: pointsOf(summaryPoint) }).optional(),
  })
  .transform(({ name, gauge, sum, histogram, exponentialHistogram, summary }) => ({
    name,
    data: ((): OtlpData => {
      if (gauge !== undefined) return { kind: "gauge", points: gauge.dataPoints };
      if (sum !== undefined)
        return { kind: "sum", points: sum.dataPoints, temporality: sum.aggregationTemporality, isMonotonic: sum.isMonotonic };
      if (histogram !== undefined)
        return { kind: "histogram", points: histogram.dataPoints, temporality: histogram.aggregationTemporality };
      if (exponentialHistogram !== undefined) return { kind: "exponential-histogram", points: exponentialHistogram.dataPoints.length };
      return summary === undefined ? { kind: "none" } : { kind: "summary", points: summary.dataPoints };
    })(),
  }));

/** `ExportMetricsServiceRequest` in JSON: names in lowerCamelCase, unknown ones ignored. */
const request = z.object({
  resourceMetrics: z
    .array(
      z
        .object({
          resource: z.object({ attributes }).optional(),
          scopeMetrics: z.array(z.object({ metrics: z.array(metric).default([]) })).default([]),
        })
        .transform(({ resource, scopeMetrics }): OtlpResource => ({
          attributes: resource?.attributes ?? [],
          metrics: scopeMetrics.flatMap(({ metrics }) => metrics),
        })),
    )
    .default([]),
});

/**
 * @throws SyntaxError where the text is no JSON
 * @throws ZodError where it has another shape
 */
export function readOtlpJson(text: string): readonly OtlpResource[] {
  return request.parse(JSON.parse(quoteBareNonFinite(text))).resourceMetrics;
}
