import type { FleetIngest, KnownSeries, Readings, TimeBounds } from "@trainwatch/api";
import type { Intake, RefusedReading } from "./intake.ts";
import type { LabelledReadings } from "./labelled-readings.ts";
import { createSeriesChains } from "./series-chains.ts";
import { tellSeries, type Told } from "./tell-series.ts";

/** More are counted, not listed. */
const MOST_LISTED = 1_000;
const VALUE_BYTES = 8;

/** The way of labelled readings into the fleet store. */
export function createFleetIntake(ingest: Pick<FleetIngest, "book" | "timeBounds" | "writeReadings">): Intake {
  const memory = { book: ingest.book, chains: createSeriesChains() };
  return {
    async store(sender, readings) {
      const bounds = await ingest.timeBounds();
      const told = await tellSeries(memory, sender, readings, bounds);
      const taken = takeKnown(readings, told) ?? takeSome(readings, told, bounds);
      const answer = await ingest.writeReadings(taken.readings, taken.refusedTotal);
      return {
        accepted: answer.accepted,
        repeated: answer.repeated,
        refused: [
          ...taken.refused,
          ...answer.refused.map(({ index, code, message }) => ({ reading: taken.places?.[index] ?? index, code, message })),
        ],
        refusedTotal: taken.refusedTotal + answer.refusedTotal,
      };
    },
  };
}

interface Taken {
  readonly readings: Readings;
  /** Of each reading its place in the request; null: all are there, in order. */
  readonly places: readonly number[] | null;
  readonly refused: readonly RefusedReading[];
  readonly refusedTotal: number;
}

/** The usual case: every series is known, and the columns go on as they are. */
function takeKnown({ seriesOf, timesMs, values }: LabelledReadings, told: readonly Told[]): Taken | null {
  const series: KnownSeries[] = [];
  for (const index of seriesOf) {
    const each = told[index];
    if (each === undefined || "code" in each) return null;
    series.push(each);
  }
  return { readings: { series, timesMs: Float64Array.from(timesMs), values }, places: null, refused: [], refusedTotal: 0 };
}

function takeSome({ seriesOf, timesMs, values }: LabelledReadings, told: readonly Told[], bounds: TimeBounds): Taken {
  const series: KnownSeries[] = [];
  const places: number[] = [];
  const refused: RefusedReading[] = [];
  let refusedTotal = 0;
  seriesOf.forEach((index, reading) => {
    const each = told[index] ?? bounds.faultOf(timesMs[reading] ?? Number.NaN);
    if (each === null) throw new Error("a series was not learnt although a reading of it is taken");
    if ("code" in each) {
      refusedTotal++;
      if (refused.length < MOST_LISTED) refused.push({ reading, code: each.code, message: each.message });
    } else {
      series.push(each);
      places.push(reading);
    }
  });
  const gathered = new Uint8Array(VALUE_BYTES * places.length);
  places.forEach((place, at) => gathered.set(values.subarray(VALUE_BYTES * place, VALUE_BYTES * (place + 1)), VALUE_BYTES * at));
  return {
    readings: { series, timesMs: Float64Array.from(places, (place) => timesMs[place] ?? Number.NaN), values: gathered },
    places,
    refused,
    refusedTotal,
  };
}
