import { AppError } from "@trainwatch/core";
import { readText } from "./label-text.ts";
import { readAttribute } from "./otlp-attribute.ts";
import {
  msOfNs,
  temporalityOf,
  type HistogramPoint,
  type NumberPoint,
  type OtlpData,
  type OtlpMetric,
  type OtlpResource,
  type OtlpValue,
  type SummaryPoint,
} from "./otlp-model.ts";
import { WIRE, type WireReader } from "./wire-reader.ts";

// Field numbers of opentelemetry/proto/metrics/v1/metrics.proto.
const REQUEST = { resourceMetrics: 1 } as const;
const RESOURCE_METRICS = { resource: 1, scopeMetrics: 2 } as const;
const RESOURCE = { attributes: 1 } as const;
const SCOPE_METRICS = { metrics: 2 } as const;
const METRIC = { name: 1, gauge: 5, sum: 7, histogram: 9, exponentialHistogram: 10, summary: 11 } as const;
const DATA = { points: 1, temporality: 2, isMonotonic: 3 } as const;
const NUMBER_POINT = { start: 2, time: 3, asDouble: 4, asInt: 6, attributes: 7, flags: 8 } as const;
const HISTOGRAM_POINT = { start: 2, time: 3, count: 4, sum: 5, bucketCounts: 6, bounds: 7, attributes: 9, flags: 10 } as const;
const SUMMARY_POINT = { start: 2, time: 3, count: 4, sum: 5, quantiles: 6, attributes: 7, flags: 8 } as const;
const QUANTILE = { quantile: 1, value: 2 } as const;

const NO_VALUE_FLAG = 1;
/** Of a request. One without content has 2 bytes on the wire and some hundred in memory; with a time and a value it has 20, and there are 20 MiB. */
const MOST_MESSAGES = 1_000_000;

/**
 * Reads an `ExportMetricsServiceRequest`; exemplars, scopes and units are passed over.
 * @throws WireFault where the bytes are none
 * @throws AppError `too-large` for more messages in it than there can be with something in them
 */
export function readOtlpProtobuf(reader: WireReader): readonly OtlpResource[] {
  const resources: OtlpResource[] = [];
  eachField(reader, reader.bytes.length, (field, end) => {
    if (field !== REQUEST.resourceMetrics) return false;
    resources.push(readResourceMetrics(reader, reader.length(end)));
    return true;
  });
  return resources;
}

/** Calls `read` for each field up to `end`; fields that it does not take (false) are passed over. */
function eachField(reader: WireReader, end: number, read: (field: number, end: number) => boolean): void {
  if (++reader.messages > MOST_MESSAGES)
    throw new AppError("too-large", `The request has more than ${MOST_MESSAGES} messages in it. Send fewer data points a request.`);
  while (reader.next(end)) if (!read(reader.field, end)) reader.skip(end);
}

function readResourceMetrics(reader: WireReader, end: number): OtlpResource {
  const attributes: (readonly [string, string])[] = [];
  const metrics: OtlpMetric[] = [];
  eachField(reader, end, (field) => {
    if (field === RESOURCE_METRICS.resource)
      eachField(reader, reader.length(end), (inner, innerEnd) => {
        if (inner !== RESOURCE.attributes) return false;
        attributes.push(readAttribute(reader, reader.length(innerEnd)));
        return true;
      });
    else if (field === RESOURCE_METRICS.scopeMetrics)
      eachField(reader, reader.length(end), (inner, innerEnd) => {
        if (inner !== SCOPE_METRICS.metrics) return false;
        metrics.push(readMetric(reader, reader.length(innerEnd)));
        return true;
      });
    else return false;
    return true;
  });
  return { attributes, metrics };
}

function readMetric(reader: WireReader, end: number): OtlpMetric {
  let name = "";
  let data: OtlpData = { kind: "none" };
  eachField(reader, end, (field) => {
    if (field === METRIC.name) name = readText(reader, end);
    else if (field === METRIC.gauge) data = { kind: "gauge", points: readData(reader, reader.length(end), readNumberPoint).points };
    else if (field === METRIC.sum) data = { kind: "sum", ...readData(reader, reader.length(end), readNumberPoint) };
    else if (field === METRIC.histogram) {
      const { points, temporality } = readData(reader, reader.length(end), readHistogramPoint);
      data = { kind: "histogram", points, temporality };
    } else if (field === METRIC.exponentialHistogram)
      data = { kind: "exponential-histogram", points: readData(reader, reader.length(end), passOver).points.length };
    else if (field === METRIC.summary) data = { kind: "summary", points: readData(reader, reader.length(end), readSummaryPoint).points };
    else return false;
    return true;
  });
  return { name, data };
}

function readData<Point>(reader: WireReader, end: number, readPoint: (reader: WireReader, end: number) => Point) {
  const points: Point[] = [];
  let temporality = temporalityOf(0);
  let isMonotonic = false;
  eachField(reader, end, (field) => {
    if (field === DATA.points) points.push(readPoint(reader, reader.length(end)));
    else if (field === DATA.temporality) temporality = temporalityOf(reader.int64());
    else if (field === DATA.isMonotonic) isMonotonic = reader.int64() !== 0;
    else return false;
    return true;
  });
  return { points, temporality, isMonotonic };
}

function passOver(reader: WireReader, end: number): null {
  reader.at = end;
  return null;
}

/** A point while its fields are being read. */
type Filling<Point> = { -readonly [Field in Exclude<keyof Point, "attributes">]: Point[Field] };

function readNumberPoint(reader: WireReader, end: number): NumberPoint {
  const attributes: (readonly [string, string])[] = [];
  const point: Filling<NumberPoint> = { startMs: 0, timeMs: 0, isNoValue: false, value: null };
  eachField(reader, end, (field) => {
    if (field === NUMBER_POINT.attributes) attributes.push(readAttribute(reader, reader.length(end)));
    else if (field === NUMBER_POINT.start) point.startMs = readTime(reader, end);
    else if (field === NUMBER_POINT.time) point.timeMs = readTime(reader, end);
    else if (field === NUMBER_POINT.asDouble) point.value = readDouble(reader, end);
    else if (field === NUMBER_POINT.asInt) point.value = Number(reader.view.getBigInt64(reader.eight(end), true));
    else if (field === NUMBER_POINT.flags) point.isNoValue = (reader.int64() & NO_VALUE_FLAG) !== 0;
    else return false;
    return true;
  });
  return { ...point, attributes };
}

function readHistogramPoint(reader: WireReader, end: number): HistogramPoint {
  const attributes: (readonly [string, string])[] = [];
  const bucketCounts: number[] = [];
  const bounds: number[] = [];
  const point: Filling<Omit<HistogramPoint, "bucketCounts" | "bounds">> = { startMs: 0, timeMs: 0, isNoValue: false, count: 0, sum: null };
  eachField(reader, end, (field) => {
    if (field === HISTOGRAM_POINT.attributes) attributes.push(readAttribute(reader, reader.length(end)));
    else if (field === HISTOGRAM_POINT.start) point.startMs = readTime(reader, end);
    else if (field === HISTOGRAM_POINT.time) point.timeMs = readTime(reader, end);
    else if (field === HISTOGRAM_POINT.count) point.count = readCount(reader, end);
    else if (field === HISTOGRAM_POINT.sum) point.sum = readDouble(reader, end);
    else if (field === HISTOGRAM_POINT.bucketCounts)
      readEights(reader, end, (at) => bucketCounts.push(Number(reader.view.getBigUint64(at, true))));
    else if (field === HISTOGRAM_POINT.bounds) readEights(reader, end, (at) => bounds.push(reader.view.getFloat64(at, true)));
    else if (field === HISTOGRAM_POINT.flags) point.isNoValue = (reader.int64() & NO_VALUE_FLAG) !== 0;
    else return false;
    return true;
  });
  return { ...point, attributes, bucketCounts, bounds };
}

function readSummaryPoint(reader: WireReader, end: number): SummaryPoint {
  const attributes: (readonly [string, string])[] = [];
  const quantiles: SummaryPoint["quantiles"][number][] = [];
  const point: Filling<Omit<SummaryPoint, "quantiles">> = { startMs: 0, timeMs: 0, isNoValue: false, count: 0, sum: 0 };
  eachField(reader, end, (field) => {
    if (field === SUMMARY_POINT.attributes) attributes.push(readAttribute(reader, reader.length(end)));
    else if (field === SUMMARY_POINT.start) point.startMs = readTime(reader, end);
    else if (field === SUMMARY_POINT.time) point.timeMs = readTime(reader, end);
    else if (field === SUMMARY_POINT.count) point.count = readCount(reader, end);
    else if (field === SUMMARY_POINT.sum) point.sum = readDouble(reader, end);
    else if (field === SUMMARY_POINT.quantiles) quantiles.push(readQuantile(reader, reader.length(end)));
    else if (field === SUMMARY_POINT.flags) point.isNoValue = (reader.int64() & NO_VALUE_FLAG) !== 0;
    else return false;
    return true;
  });
  return { ...point, attributes, quantiles };
}

function readQuantile(reader: WireReader, end: number): SummaryPoint["quantiles"][number] {
  const found: { quantile: number; value: OtlpValue } = { quantile: 0, value: 0 };
  eachField(reader, end, (field) => {
    if (field === QUANTILE.quantile) found.quantile = reader.view.getFloat64(reader.eight(end), true);
    else if (field === QUANTILE.value) found.value = readDouble(reader, end);
    else return false;
    return true;
  });
  return found;
}

function readTime(reader: WireReader, end: number): number {
  return msOfNs(reader.view.getBigUint64(reader.eight(end), true));
}

function readCount(reader: WireReader, end: number): number {
  return Number(reader.view.getBigUint64(reader.eight(end), true));
}

/** The bytes themselves. */
function readDouble(reader: WireReader, end: number): DataView {
  const { buffer, byteOffset } = reader.bytes;
  return new DataView(buffer, byteOffset + reader.eight(end), 8);
}

/** Repeated numbers of 8 bytes: packed into one field, or one field each. */
function readEights(reader: WireReader, end: number, take: (at: number) => void): void {
  if (reader.kind === WIRE.fixed64) return take(reader.eight(end));
  const last = reader.length(end);
  for (; reader.at + 8 <= last; reader.at += 8) take(reader.at);
  reader.at = last;
}
