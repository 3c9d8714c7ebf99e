export type { RangeQuestion } from "./convert-range.ts";
export type { ArrivedSample } from "./arrived-points.ts";
export type { ArrivalCursor, ArrivalQuestion, Arrivals } from "./read-since.ts";
export { type Samples, createSamples } from "./samples.ts";
export type { SparklineQuestion } from "./sparkline.ts";
export type { WindowQuestion } from "./window.ts";
