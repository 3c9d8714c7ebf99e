import { buildPush } from "@trainwatch/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPushWorld, ramp } from "./world.fixture.ts";

const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("next" as const), points: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(2500)) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("again" as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("from elsewhere" as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pack" as const) }) },
);

describe("ingest.push", () => {
  it("stores each point once, in whatever order pushes are sent again and by whom", { timeout: 240_000 }, async () => {
    await using world = await createPushWorld();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 2, maxLength: 14 }), async (events) => {
        const run = { project: "test", name: `run ${runs++}` };
        const sent: { readonly from: number; readonly to: number; readonly answer: unknown }[] = [];
        const pushOf = (source: string, seq: number, from: number, to: number) =>
          buildPush({ source: `${run.name} ${source}`, seq, run }, [
            { metric: "loss", points: ramp(from, to, (step) => (step % 97 === 0 ? Number.NaN : Math.sin(step))) },
            { metric: "learning_rate", points: ramp(from, to, () => 0.0003) },
          ]);
        let next = 1;
        let runId = 0;
        for (const [index, each] of events.entries()) {
          const old = "which" in each ? sent[each.which % Math.max(1, sent.length)] : undefined;
          if (each.kind === "next") {
            const to = next + each.points - 1;
            const answer = await world.push(pushOf("home", sent.length, next, to));
            expect(answer).toMatchObject({ accepted: 2 * each.points, repeated: 0, attempt: "a1" });
            sent.push({ from: next, to, answer });
            [next, runId] = [to + 1, answer.runId];
          } else if (each.kind === "again" && old !== undefined) {
            expect(await world.push(pushOf("home", sent.indexOf(old), old.from, old.to))).toEqual(old.answer);
          } else if (each.kind === "from elsewhere" && old !== undefined) {
            expect(await world.push(pushOf(`elsewhere ${index}`, 0, old.from, old.to))).toMatchObject({
              accepted: 0,
              repeated: 2 * (old.to - old.from + 1),
              attempt: "a1",
            });
          } else if (each.kind === "pack") await world.store.samples.maintain();
        }
        if (sent.length === 0) return;
        const { lines, points } = await world.window(runId);
        expect([lines.length, points, lines[0]?.summary.lastStep]).toEqual([1, next - 1, (next - 1) % 97 === 0 ? next - 2 : next - 1]);
        expect(
          (await world.store.records.runs.attempts(runId)).map(({ name, firstStep, lastStep }) => [name, firstStep, lastStep]),
        ).toEqual([["a1", 1, next - 1]]);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
