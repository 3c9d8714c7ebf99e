export { createFleetIngest, type FleetIngest } from "./fleet-ingest.ts";
export { type AskedSeries, isCurrent, isFault, type KnownSeries, type SeriesBook } from "./series-book.ts";
export type { Fault } from "./series-fault.ts";
export type { TimeBounds } from "./time-bounds.ts";
export type { Readings, ReadingsAnswer } from "./write-readings.ts";
