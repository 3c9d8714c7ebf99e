import { parse, type Type } from "protobufjs";
import SnappyJS from "snappyjs";

/** The messages as their specifications write them, for an encoder that is not ours. */
const V1 = `
syntax = "proto3";
package prometheus;
message WriteRequest { repeated TimeSeries timeseries = 1; repeated MetricMetadata metadata = 3; }
message TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; repeated Exemplar exemplars = 3; repeated Histogram histograms = 4; }
message Label { string name = 1; string value = 2; }
message Sample { double value = 1; int64 timestamp = 2; }
message Exemplar { repeated Label labels = 1; double value = 2; int64 timestamp = 3; }
message Histogram { uint64 count_int = 1; double sum = 3; int64 timestamp = 15; }
message MetricMetadata { int32 type = 1; string metric_family_name = 2; string help = 4; string unit = 5; }`;
const V2 = `
syntax = "proto3";
package io.prometheus.write.v2;
message Request { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
message TimeSeries { repeated uint32 labels_refs = 1; repeated Sample samples = 2; repeated Histogram histograms = 3; repeated Exemplar exemplars = 4; Metadata metadata = 5; }
message Exemplar { repeated uint32 labels_refs = 1; double value = 2; int64 timestamp = 3; }
message Sample { double value = 1; int64 timestamp = 2; int64 start_timestamp = 3; }
message Metadata { int32 type = 1; uint32 help_ref = 3; uint32 unit_ref = 4; }
message Histogram { uint64 count_int = 1; double sum = 3; int64 timestamp = 15; }`;

export interface GivenSample {
  readonly value?: number;
  readonly timestamp?: number;
  readonly startTimestamp?: number;
}

export interface GivenSeries {
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly samples: readonly GivenSample[];
  readonly exemplars?: number;
  readonly histograms?: number;
}

function message(text: string, name: string): Type {
  return parse(text, { keepCase: false }).root.lookupType(name);
}

function encoded(type: Type, value: object): Buffer {
  return Buffer.from(type.encode(type.fromObject(value)).finish());
}

const fill = (count: number | undefined, value: object): readonly object[] => Array.from({ length: count ?? 0 }, () => value);

export function encodeV1(series: readonly GivenSeries[], metadata = 0): Buffer {
  return encoded(message(V1, "prometheus.WriteRequest"), {
    timeseries: series.map(({ labels, samples, exemplars, histograms }) => ({
      labels: labels.map(([name, value]) => ({ name, value })),
      samples,
      exemplars: fill(exemplars, { labels: [{ name: "trace_id", value: "x" }], value: 1, timestamp: 1 }),
      histograms: fill(histograms, { countInt: 3, sum: 4, timestamp: 5 }),
    })),
    metadata: fill(metadata, { type: 1, metricFamilyName: "up", help: "h" }),
  });
}

export function encodeV2(series: readonly GivenSeries[]): Buffer {
  const symbols = [""];
  const symbol = (text: string): number => {
    const at = symbols.indexOf(text);
    return at >= 0 ? at : symbols.push(text) - 1;
  };
  const timeseries = series.map(({ labels, samples, exemplars, histograms }) => ({
    labelsRefs: labels.flatMap(([name, value]) => [symbol(name), symbol(value)]),
    samples,
    exemplars: fill(exemplars, { labelsRefs: [symbol("trace_id"), symbol("x")], value: 1, timestamp: 1 }),
    histograms: fill(histograms, { countInt: 3, sum: 4, timestamp: 5 }),
    metadata: { type: 1, helpRef: symbol("h"), unitRef: 0 },
  }));
  return encoded(message(V2, "io.prometheus.write.v2.Request"), { symbols, timeseries });
}

export const snappy = (bytes: Buffer): Buffer => SnappyJS.compress(bytes);

/** Bytes in which the one double `value` has got these bits: an encoder of JavaScript numbers may change those of a NaN. */
export function withBits(bytes: Buffer, value: number, bits: bigint): Buffer {
  const wanted = Buffer.alloc(8);
  wanted.writeDoubleLE(value);
  const at = bytes.indexOf(wanted);
  if (at < 0 || bytes.includes(wanted, at + 1)) throw new Error(`${value} does not stand once in the bytes`);
  const changed = Buffer.from(bytes);
  changed.writeBigUInt64LE(bits, at);
  return changed;
}
