import { isStaleMarker } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutFrameRow } from "./frame-rows.ts";
import { knownDictionary } from "./known-dictionary.ts";

/** A dictionary whose series lie in groups and slots as given. */
function dictionaryAt(places: readonly { readonly groupId: number; readonly slot: number }[]) {
  return knownDictionary(
    { changes: () => 0 },
    places.map((place) => ({ ...place, labels: 1, calledBy: { labels: 1 } })),
    "content",
  );
}

const place = fc.record({ groupId: fc.integer({ min: 1, max: 3 }), slot: fc.nat(511) });

describe("a frame's row", () => {
  it("goes to the slots of its series with every bit, whichever of them have readings", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(place, fc.option(fc.uint8Array({ minLength: 8, maxLength: 8 }))), { minLength: 1, maxLength: 80 }),
        (given) => {
          const presence = new Uint8Array(Math.ceil(given.length / 64) * 8);
          given.forEach(([, bytes], index) => {
            if (bytes !== null) presence[index >> 3] = (presence[index >> 3] ?? 0) | (1 << (index & 7));
          });
          const sent = given.flatMap(([, bytes]) => (bytes === null ? [] : [...bytes]));
          const row = { dictionary: 0, timeMs: 5, presence, values: Uint8Array.from(sent) };
          const cut = cutFrameRow(row, dictionaryAt(given.map(([each]) => each)), 7);
          const found = cut.flatMap(({ row: { groupId, slots, values, timeMs }, series, frameRow }) => {
            expect([timeMs, frameRow, slots.length]).toEqual([5, 7, values.length / 8]);
            expect([...slots].every((slot, at) => at === 0 || slot > (slots[at - 1] ?? 0))).toBe(true);
            return [...slots].map((slot, at) => `${series[at]} ${groupId} ${slot} ${[...values.subarray(8 * at, 8 * at + 8)]}`);
          });
          const expected = given.flatMap(([{ groupId, slot }, bytes], index) =>
            bytes === null ? [] : [`${index} ${groupId} ${slot} ${[...bytes]}`],
          );
          expect(found.sort()).toEqual(expected.sort());
        },
      ),
    );
  });

  it("B8: keeps the stale marker, which a copy of doubles may lose, in rows with and without holes", () => {
    const values = Uint8Array.of(2, 0, 0, 0, 0, 0, 0xf0, 0x7f, 1, 0, 0, 0, 0, 0, 0xf8, 0x7f);
    const places = [
      { groupId: 1, slot: 9 },
      { groupId: 1, slot: 3 },
      { groupId: 1, slot: 5 },
    ];
    for (const [presence, dictionary] of [
      [null, dictionaryAt(places.slice(0, 2))],
      [Uint8Array.of(0b11, 0, 0, 0, 0, 0, 0, 0), dictionaryAt(places)],
    ] as const) {
      const [cut] = cutFrameRow({ dictionary: 0, timeMs: 1, presence, values }, dictionary, 0);
      const stored = cut?.row.values ?? new Uint8Array();
      const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
      expect([[...(cut?.row.slots ?? [])], isStaleMarker(view, 0), isStaleMarker(view, 8)]).toEqual([[3, 9], false, true]);
    }
  });
});
