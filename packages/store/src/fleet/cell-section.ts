import type { FleetField } from "@trainwatch/core";
import type { SectionReadings } from "./block-codec.ts";
import { HAS } from "./block-column.ts";
import { addReading, emptyBuckets } from "./cell.ts";
import { type FleetBuckets, SECTION_SLOTS } from "./contract.ts";

/** The cells of all readings of a section. `fieldOfSlot`: by what each slot's values are judged, null where nothing is known. */
export function cellsOfSection({ times, slots }: SectionReadings, fieldOfSlot: (slot: number) => FleetField | null): FleetBuckets {
  const cells = emptyBuckets(SECTION_SLOTS);
  slots.forEach((readings, slot) => {
    if (readings === null) return;
    const field = fieldOfSlot(slot);
    for (let index = 0; index < times.length; index++) {
      if (readings.has[index] === HAS.value) addReading(cells, slot, times[index] ?? 0, readings.values[index] ?? 0, field);
    }
  });
  return cells;
}
