import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LineageHead, splitParts } from "./lineage-parts.ts";
import { type Sent, keptRun, place, ranks, told, upTo } from "./lineage-parts.fixture.ts";
import { readLineage } from "./lineage-state.ts";

const sent = fc.record({
  source: fc.constantFrom("s", "s", "s", "t"),
  first: fc.constantFrom(1, 1, 60, 400),
  count: fc.constantFrom(3, 130),
  from: fc.integer({ min: 1, max: 60 }),
  steps: fc.integer({ min: 1, max: 12 }),
  attempt: fc.constantFrom(null, null, null, null, "named", "other"),
  starts: fc.boolean(),
});

const GROUPS = [1, 64, 128, 192, 256];
const oddPush = fc.record({
  at: fc.nat(80),
  way: fc.constantFrom("missing", "missing", "twice", "ahead", "new", "launch", "named", "other"),
});
/** A run of so many pushes a step that goes back to a checkpoint, and what is odd about some of them. */
const wideRestart = fc.record({
  reached: fc.integer({ min: 4, max: 8 }),
  back: fc.constantFrom(0, 1, 2, 3, 3, 3),
  on: fc.integer({ min: 2, max: 8 }),
  odd: fc.oneof({ weight: 2, arbitrary: fc.array(oddPush, { maxLength: 0 }) }, fc.array(oddPush, { maxLength: 3 })),
});

describe("a lineage that is kept in parts", () => {
  it("places every push as the whole of it does, whatever came before", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 12 }), async (pushes) => {
        const [parted, whole] = [keptRun(), keptRun()];
        for (const [seq, each] of pushes.entries())
          expect(told(await place(parted, each, seq, "own"))).toEqual(told(await place(whole, each, seq, "all")));
      }),
      { numRuns: 60 },
    );
  });

  it("places what falls back in a wide run as the whole of it does, and reads the whole where it begins and is decided only", async () => {
    let [restarts, fallen, byAll] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(wideRestart, async ({ reached, back, on, odd }) => {
        const [parted, whole] = [keptRun(), keptRun()];
        const isPlain = back === 3 && odd.length === 0;
        if (isPlain) restarts++;
        let seq = 0;
        const send = async (each: Sent): Promise<void> => {
          const undecided = (await readLineage(parted, "all")).state.lineage?.undecided;
          parted.asked.length = 0;
          expect(told(await place(parted, each, seq, "own"))).toEqual(told(await place(whole, each, seq, "all")));
          if (isPlain && undecided !== undefined) fallen++;
          if (isPlain && parted.asked.includes("all")) byAll++;
          expect((await readLineage(parted, "all")).state).toEqual((await readLineage(whole, "all")).state);
          seq++;
        };
        const steps = [...upTo(1, reached), ...upTo(reached - back, reached - back + on)];
        for (const [index, from] of steps.entries())
          for (const [group, first] of GROUPS.entries()) {
            const here = odd.find((each) => each.at === index * GROUPS.length + group);
            if (here?.way !== "missing") await send(ranks(first, from));
            if (here?.way === "twice") await send(ranks(first, from));
            if (here?.way === "ahead") await send(ranks(first, from + 9));
            if (here?.way === "new") await send(ranks(first + 32, from));
            if (here?.way === "launch") await send({ ...ranks(first, from + 1), starts: true });
            if (here?.way === "named") await send({ ...ranks(first, from + 1), attempt: "named" });
            if (here?.way === "other") await send({ ...ranks(first, from + 1), source: "t" });
          }
      }),
      { numRuns: 25 },
    );
    expect(restarts).toBeGreaterThan(5);
    expect(fallen).toBe(restarts * 2 * GROUPS.length);
    // The push that falls back first, and the one that decides.
    expect(byAll).toBe(restarts * 2);
  });

  it("reads and writes of a run of 16,384 ranks what a push names, as long as the run only goes on", async () => {
    const run = keptRun();
    const part = (first: number, from: number): Sent => ({ ...ranks(first, from), count: 64 });
    for (let first = 64; first < 16_384; first += 64) await place(run, part(first, 1), first, "own");
    expect(run.parts.size).toBe(255);
    const before = new Map(run.parts);
    run.asked.length = 0;
    await place(run, part(640, 2), 20_000, "own");
    expect(run.asked).toEqual([[10]]);
    expect([...run.parts].filter(([part, text]) => before.get(part) !== text).map(([part]) => part)).toEqual([10]);
  });

  it("reads a lineage of before it was kept in parts, and forgets what an attempt that was dropped has left in them", async () => {
    const run = keptRun();
    const { state } = await place(run, { source: "s", first: 1, count: 2, from: 5, steps: 3, attempt: "named", starts: false }, 1, "all");
    const older = keptRun();
    await older.saveLineage(state, new Map());
    expect((await readLineage(older, [1])).state).toEqual(JSON.parse(JSON.stringify(state)));
    const { head } = splitParts(state, null);
    const dropped: LineageHead = { ...head, lineage: head.lineage && { ...head.lineage, tracks: [] } };
    const again = splitParts(state, dropped).head;
    expect(again.lineage?.tracks[0]?.slot).not.toBe(head.lineage?.tracks[0]?.slot);
  });
});
