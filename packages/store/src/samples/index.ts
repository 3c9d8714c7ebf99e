export type { AxisOffer, RangeQuestion } from "./convert-range.ts";
export type { PackOutcome } from "./pack.ts";
export type { ArrivalCursor, ArrivalQuestion, Arrivals, ArrivedSample } from "./read-since.ts";
export { removeSamples } from "./remove.ts";
export { type Samples, createSamples } from "./samples.ts";
export type { WindowQuestion } from "./window.ts";
