import { decodeUtf8 } from "../text/utf8-decoder.ts";
import { allReduceBench } from "./all-reduce-bench.ts";
import type { MeasurementFormat } from "./contract.ts";
import { greyhound } from "./greyhound.ts";
import { ncclTests } from "./nccl-tests.ts";
import { nvbandwidth } from "./nvbandwidth.ts";
import { workerTimes } from "./worker-times.ts";

/** Results of benchmarks and probes. A new format is one file and one line here. */
export const MEASUREMENT_FORMATS: readonly MeasurementFormat[] = [ncclTests, allReduceBench, nvbandwidth, greyhound, workerTimes];

/** The format of a head of 64 KiB, or null where it is none of these. Looks at content only. */
export function detectMeasurements(head: Uint8Array): MeasurementFormat | null {
  const text = decodeUtf8(head);
  return MEASUREMENT_FORMATS.find((format) => format.sniff(text)) ?? null;
}
