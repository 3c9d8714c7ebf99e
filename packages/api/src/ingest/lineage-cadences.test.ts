import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeptRun, type Sent, keptRun, place, ranks, told } from "./lineage-parts.fixture.ts";
import { readLineage } from "./lineage-state.ts";

/** First series of each part. */
const PARTS = [1, 64, 128];
const LOSS = 1;
const EVAL = 64;

const LAUNCHES = ["launch", "launch at a step", "named", "named at a step", "launch without steps", "named launch without steps"] as const;
const oddPush = fc.record({ at: fc.oneof(fc.nat(3), fc.nat(24)), way: fc.constantFrom("missing", "late", "without steps", ...LAUNCHES) });
/** A run whose parts are logged every so many steps, that goes back in each of them, and what is odd about some pushes from there on. */
const restart = fc.record({
  gaps: fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(1, 3, 10), fc.constantFrom(1, 7, 20)),
  reached: fc.integer({ min: 30, max: 110 }),
  back: fc.integer({ min: 0, max: 60 }),
  on: fc.integer({ min: 1, max: 12 }),
  odd: fc.array(oddPush, { maxLength: 3 }),
});

function series(first: number, from: number, gap: number, steps: number): Sent {
  return { ...ranks(first, from), count: 2, gap, steps };
}

/** What of `sent` is sent in its place, if anything. */
function oddly(sent: Sent, way: string | undefined): Sent | null {
  if (way === undefined || way === "late") return sent;
  if (way === "missing") return null;
  return {
    ...sent,
    isStepless: way.endsWith("without steps"),
    attempt: way.startsWith("named") ? "named" : null,
    starts: way.includes("launch") || way.endsWith("at a step"),
    ...(way.endsWith("at a step") ? { startStep: Math.max(1, sent.from - 4) } : {}),
  };
}

/** Sends the same to a run that is read by parts and to one that is read whole, and looks whether that makes a difference. */
function bothRuns() {
  const [parted, whole] = [keptRun(), keptRun()];
  let [seq, byParts] = [0, 0];
  const send = async (sent: Sent, at: number): Promise<void> => {
    const undecided = (await readLineage(parted, "all")).state.lineage?.undecided;
    parted.asked.length = 0;
    expect(told(await place(parted, sent, at, "own"))).toEqual(told(await place(whole, sent, at, "all")));
    if (undecided !== undefined && !parted.asked.includes("all")) byParts++;
    expect((await readLineage(parted, "all")).state).toEqual((await readLineage(whole, "all")).state);
  };
  return {
    parted,
    send: (sent: Sent): Promise<void> => send(sent, (seq += 2)),
    /** As if the push sent last had overtaken it. */
    sendLate: (sent: Sent): Promise<void> => send(sent, seq - 1),
    byParts: () => byParts,
  };
}

async function branches(run: KeptRun, sent: Sent, seq: number): Promise<unknown> {
  const { attempts } = await place(run, sent, seq, "own");
  return attempts.map(({ name, branchStep }) => [name, branchStep]);
}

/** The loss at every step to 100, what is evaluated at every tenth: both remember eight of them. */
async function runTo100(): Promise<KeptRun> {
  const run = keptRun();
  await place(run, series(LOSS, 1, 1, 100), 1, "own");
  await place(run, series(EVAL, 10, 10, 10), 2, "own");
  return run;
}

describe("a lineage in parts that are logged at different steps", () => {
  it("branches off where the evaluations remember it, also while all that has fallen is in the push's own part", async () => {
    const run = await runTo100();
    const expected = [
      ["a1", null],
      ["a2", 60],
    ];
    for (const step of [65, 66, 67, 68]) expect(await branches(run, series(LOSS, step, 1, 1), step)).toEqual(expected);
  });

  it.each([
    { name: "a launch", launch: { attempt: "job-2", starts: true, startStep: 67 } },
    { name: "a name alone", launch: { attempt: "job-2" } },
    { name: "a launch of which the first points have no steps", launch: { starts: true, isStepless: true } },
  ])("keeps that step for good where $name decides what has fallen", async ({ launch }) => {
    const run = await runTo100();
    for (const step of [65, 66]) await place(run, series(LOSS, step, 1, 1), step, "own");
    const named = await branches(run, { ...series(LOSS, 68, 1, 1), ...launch }, 70);
    expect(named).toContainEqual(["a2", 60]);
    expect((await readLineage(run, "all")).state.lineage?.attempts.find(({ name }) => name === "a2")?.branchStep).toBe(60);
  });

  it("places and remembers what the whole of it would, whoever launches, is named, comes late or counts no steps meanwhile", async () => {
    let byParts = 0;
    await fc.assert(
      fc.asyncProperty(restart, async ({ gaps, reached, back, on, odd }) => {
        const runs = bothRuns();
        for (const [index, gap] of gaps.entries()) await runs.send(series(PARTS[index] ?? 0, gap, gap, Math.floor(reached / gap)));
        let pushes = 0;
        for (let step = Math.max(1, reached - back); step < reached - back + on * gaps[0]; step++)
          for (const [index, gap] of gaps.entries()) {
            if (step % gap !== 0) continue;
            const way = odd.find(({ at }) => at === pushes)?.way;
            pushes++;
            const sent = oddly(series(PARTS[index] ?? 0, step, 1, 1), way);
            if (sent === null) continue;
            await runs.send(sent);
            if (way === "late") await runs.sendLate({ ...sent, from: Math.max(1, step - 1) });
          }
        byParts += runs.byParts();
      }),
      { numRuns: 300 },
    );
    // Else nothing was undecided while a push was placed by its own part.
    expect(byParts).toBeGreaterThan(100);
  });
});
