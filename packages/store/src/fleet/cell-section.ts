import type { FleetField } from "@trainwatch/core";
import type { SectionReadings } from "./block-codec.ts";
import { addReadings, emptyBuckets } from "./cell.ts";
import { type FleetBuckets, SECTION_SLOTS } from "./contract.ts";

/** The cells of all readings of a section. `fieldOfSlot`: by what each slot's values are judged, null where nothing is known. */
export function cellsOfSection({ times, slots }: SectionReadings, fieldOfSlot: (slot: number) => FleetField | null): FleetBuckets {
  const cells = emptyBuckets(SECTION_SLOTS);
  slots.forEach((readings, slot) => {
    if (readings === null) return;
    addReadings(cells, slot, { times, ...readings, from: 0, to: times.length }, fieldOfSlot(slot));
  });
  return cells;
}
