import { createTestStore } from "@trainwatch/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TailRow, WINDOW_MS, type WriteOutcome } from "../contract.ts";
import { createFleet } from "../index.ts";
import { double, NAN, row, STALE, T0 } from "./rows.fixture.ts";
import { line, packedContent, tailContent } from "./stored.fixture.ts";

/** Where a reading may lie: few groups, times and slots, so that requests meet; three windows, of which the first two will be closed. */
const GROUPS = 2;
const TIMES = [0, 10_000, WINDOW_MS, WINDOW_MS + 30_000, 2 * WINDOW_MS];
const SLOTS = [0, 1, 2, 7, 8, 9, 63, 64, 200, 511];

interface Reading {
  readonly group: number;
  readonly time: number;
  readonly slot: number;
}

const reading = fc.record({ group: fc.nat(GROUPS - 1), time: fc.nat(TIMES.length - 1), slot: fc.nat(SLOTS.length - 1) });
const request = fc.uniqueArray(reading, { minLength: 1, maxLength: 30, selector: ({ group, time, slot }) => `${group} ${time} ${slot}` });
/** Requests that are under way at the same time, each to one of three processes, and in some steps maintenance at the same time too. */
const step = fc.record({
  requests: fc.array(fc.record({ readings: request, writer: fc.nat(2) }), { maxLength: 6 }),
  maintains: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** What is true of a place and time, whoever tells it. */
function bitsOf({ group, time, slot }: Reading): Uint8Array {
  const number = (group * TIMES.length + time) * SLOTS.length + slot;
  return number % 11 === 3 ? NAN : number % 13 === 5 ? STALE : double(number % 3 === 0 ? number / 7 : number);
}

/** Groups and windows of one run of the property, which no other one touches. */
interface Ground {
  readonly firstGroup: number;
  readonly startMs: number;
}

/** Cut by group and time, as requests are; `wrong` tells another value. */
function rowsOf(readings: readonly Reading[], { firstGroup, startMs }: Ground, wrong = false): readonly TailRow[] {
  const cut = new Map<string, Reading[]>();
  for (const each of readings) {
    const key = `${each.group} ${each.time}`;
    const same = cut.get(key) ?? [];
    same.push(each);
    cut.set(key, same);
  }
  return [...cut.values()].map((each) =>
    row(
      firstGroup + (each[0]?.group ?? 0),
      startMs + (TIMES[each[0]?.time ?? 0] ?? 0),
      each.map((one) => [SLOTS[one.slot] ?? 0, wrong ? double(-1) : bitsOf(one)]),
    ),
  );
}

function total(outcomes: readonly WriteOutcome[]): { readonly accepted: number; readonly repeated: number; readonly conflicts: number } {
  const sum = { accepted: 0, repeated: 0, conflicts: 0 };
  for (const { accepted, repeated, conflicts } of outcomes) {
    sum.accepted += accepted;
    sum.repeated += repeated;
    sum.conflicts += conflicts.length;
  }
  return sum;
}

describe("the same readings", () => {
  it(
    "end in the same content and exact counts, however they are cut, ordered, repeated and sent at once, and wherever they are by then",
    { timeout: 240_000 },
    async () => {
      await using world = await createTestStore();
      const { pool } = world.store;
      const fleets = [world.store.fleet, createFleet(pool), createFleet(pool)];
      let runs = 0;
      let nowMs = T0;
      /** What is quiet is seen as such by looks that lie apart in time; a window closes when the clock is two windows ahead. */
      const maintain = async (startMs: number): Promise<void> => {
        for (let round = 0; round < 3; round++) {
          nowMs = Math.max(nowMs, startMs) + 10 * WINDOW_MS;
          while (await world.store.fleet.maintain(nowMs, { rawDays: 100_000, cellDays: 100_000 }));
        }
      };
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          const ground = { firstGroup: 1 + GROUPS * runs, startMs: T0 + 3 * WINDOW_MS * runs };
          runs++;
          const known = new Map<string, Reading>();
          let sent = 0;
          const outcomes: WriteOutcome[] = [];
          for (const { requests, maintains } of steps) {
            const writes = requests.map(({ readings, writer }) =>
              (fleets[writer] ?? world.store.fleet).writer.write(rowsOf(readings, ground)),
            );
            const [answers] = await Promise.all([Promise.all(writes), maintains ? maintain(ground.startMs) : null]);
            outcomes.push(...answers);
            for (const { readings } of requests) {
              sent += readings.length;
              for (const one of readings) known.set(`${one.group} ${one.time} ${one.slot}`, one);
            }
          }
          // A window that was closed while somebody wrote to it is packed now: its readings would else be in two places for a while.
          if (steps.some(({ maintains }) => maintains)) await maintain(ground.startMs);
          expect(total(outcomes)).toEqual({ accepted: known.size, repeated: sent - known.size, conflicts: 0 });
          const all = [...known.values()];
          const wrong = await world.store.fleet.writer.write(rowsOf(all, ground, true));
          expect([wrong.accepted, wrong.repeated, wrong.conflicts.length]).toEqual([0, 0, all.length]);
          const mine = (lines: readonly string[]): readonly string[] =>
            lines.filter((text) => Number(text.split(" ", 1)) >= ground.firstGroup).sort();
          const expected = all
            .map((one) => line(ground.firstGroup + one.group, ground.startMs + (TIMES[one.time] ?? 0), SLOTS[one.slot] ?? 0, bitsOf(one)))
            .sort();
          expect(mine([...(await tailContent(pool)), ...(await packedContent(pool))])).toEqual(expected);
        }),
        { numRuns: 40, endOnFailure: true },
      );
      const { rows } = await pool.query<{ state: string }>("SELECT DISTINCT state FROM samples.fleet_window ORDER BY state");
      expect(rows.map(({ state }) => state)).toContain("packed");
    },
  );
});
