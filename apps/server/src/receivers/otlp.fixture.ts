import { parse } from "protobufjs";

/** Messages of opentelemetry-proto, as far as metrics need them, for an encoder and decoder that are not ours. */
const { root } = parse(
  `
syntax = "proto3";
package otlp;
message ExportMetricsServiceRequest { repeated ResourceMetrics resource_metrics = 1; }
message ExportMetricsServiceResponse { ExportMetricsPartialSuccess partial_success = 1; }
message ExportMetricsPartialSuccess { int64 rejected_data_points = 1; string error_message = 2; }
message Status { int32 code = 1; string message = 2; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message ScopeMetrics { InstrumentationScope scope = 1; repeated Metric metrics = 2; string schema_url = 3; }
message InstrumentationScope { string name = 1; string version = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7; } }
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message Metric { string name = 1; string description = 2; string unit = 3; oneof data { Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; ExponentialHistogram exponential_histogram = 10; Summary summary = 11; } }
message Gauge { repeated NumberDataPoint data_points = 1; }
message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message ExponentialHistogram { repeated ExponentialHistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message Summary { repeated SummaryDataPoint data_points = 1; }
message NumberDataPoint { repeated KeyValue attributes = 7; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; oneof value { double as_double = 4; sfixed64 as_int = 6; } repeated Exemplar exemplars = 5; uint32 flags = 8; }
message HistogramDataPoint { repeated KeyValue attributes = 9; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; optional double sum = 5; repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7; uint32 flags = 10; optional double min = 11; optional double max = 12; }
message ExponentialHistogramDataPoint { repeated KeyValue attributes = 1; fixed64 time_unix_nano = 3; fixed64 count = 4; sint32 scale = 6; }
message SummaryDataPoint { repeated KeyValue attributes = 7; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; double sum = 5; repeated ValueAtQuantile quantile_values = 6; uint32 flags = 8; }
message ValueAtQuantile { double quantile = 1; double value = 2; }
message Exemplar { fixed64 time_unix_nano = 2; double as_double = 3; }`,
  { keepCase: false },
);

/** Bytes of a request that is given as its JSON. */
export function encodeOtlp(request: object): Buffer {
  const type = root.lookupType("otlp.ExportMetricsServiceRequest");
  return Buffer.from(type.encode(type.fromObject(request)).finish());
}

export function decodeOtlpAnswer(bytes: Buffer, message: "ExportMetricsServiceResponse" | "Status"): object {
  const type = root.lookupType(`otlp.${message}`);
  return type.toObject(type.decode(bytes), { longs: Number });
}

export const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** A request of one resource. */
export function otlpRequest(metrics: readonly object[], attributes: readonly object[] = []) {
  return {
    resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ scope: { name: "s" }, metrics }] }],
  };
}

export const nano = (ms: number): string => `${ms}000000`;
