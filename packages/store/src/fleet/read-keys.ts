import { SECTION_SLOTS, type SeriesPlace } from "./contract.ts";

/** A place that was asked for, and where its answer belongs. */
export interface WantedSlot {
  /** Within its section. */
  readonly slot: number;
  readonly index: number;
}

/** A section of which something was asked for: readings are stored and read by section. */
export interface SectionKey {
  readonly groupId: number;
  readonly section: number;
  readonly wanted: readonly WantedSlot[];
  /** Bit i: slot i is wanted. */
  readonly mask: number;
}

/** The sections of places, by group and section. */
export function keysOf(places: readonly SeriesPlace[]): readonly SectionKey[] {
  const keys = new Map<number, { groupId: number; section: number; wanted: WantedSlot[]; mask: number }>();
  places.forEach(({ groupId, slot }, index) => {
    const section = Math.floor(slot / SECTION_SLOTS);
    // No group has so many sections: one number names both.
    const name = groupId * 1_024 + section;
    let key = keys.get(name);
    if (key === undefined) keys.set(name, (key = { groupId, section, wanted: [], mask: 0 }));
    const within = slot - section * SECTION_SLOTS;
    key.wanted.push({ slot: within, index });
    key.mask |= 1 << within;
  });
  return [...keys.values()].sort((a, b) => a.groupId - b.groupId || a.section - b.section);
}
