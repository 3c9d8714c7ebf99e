import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createDetectBench, trainingPushes, type DetectBench } from "./detect-bench.fixture.ts";

const SPIKES = [
  { kind: "spike", step: 1_500, steps: 60 },
  { kind: "spike", step: 5_000, steps: 60 },
] as const;

async function feed(bench: DetectBench, from: number, to: number, seq: number): Promise<void> {
  for (const push of trainingPushes({ from, to, seq, faults: SPIKES })) await bench.push(push);
  await bench.drain({ restarts: true });
}

const steps = async (bench: DetectBench): Promise<readonly (number | null)[]> =>
  (await bench.verbs.incidents.list({})).items.map(({ onsetStep }) => onsetStep).toReversed();

describe("rules in force", () => {
  it("a detector that is switched off says nothing new; switched on again it speaks of what comes, not of what has passed", async () => {
    await using bench = await createDetectBench();
    const made: number[] = [];
    for (const { id } of await bench.verbs.detectors.catalogue({}))
      made.push((await bench.verbs.rules.create({ kind: "detector", detector: id, scope: {}, enabled: false })).id);
    await feed(bench, 1, 2_000, 0);
    expect(await steps(bench)).toEqual([]);
    for (const ruleId of made) await bench.verbs.rules.delete({ ruleId });
    await feed(bench, 2_001, 5_200, 40);
    expect(await steps(bench)).toEqual([expect.toSatisfy((step: number) => Math.abs(step - 5_000) <= 2)]);
  });

  it("a severity that a rule sets is what is told", async () => {
    await using bench = await createDetectBench();
    for (const { id } of await bench.verbs.detectors.catalogue({}))
      await bench.verbs.rules.create({ kind: "detector", detector: id, scope: {}, severity: "critical" });
    await feed(bench, 1, 2_000, 0);
    expect((await bench.verbs.incidents.list({})).items).toEqual([expect.objectContaining({ severity: "critical" })]);
  });

  it("a threshold that a person sets on a metric speaks from then on, of a metric that no detector reads too, and through restarts", async () => {
    await using bench = await createDetectBench();
    const push = async (from: number, value: number): Promise<void> => {
      const points = Array.from({ length: 50 }, (_, index) => [from + index, value] as const);
      await bench.push(buildPush({ source: "g", seq: from }, [{ metric: "queue_depth", points }]));
      await bench.drain({ restarts: true });
    };
    await push(1, 99);
    await bench.verbs.rules.create({
      kind: "metric",
      title: "Queue too long",
      metric: "queue_depth",
      condition: "above",
      value: 50,
      forPoints: 3,
      severity: "warning",
      scope: {},
    });
    await push(51, 10);
    expect(await steps(bench)).toEqual([]);
    await push(101, 80);
    expect((await bench.verbs.incidents.list({})).items).toEqual([
      expect.objectContaining({ onsetStep: 101, ongoing: true, severity: "warning" }),
    ]);
    await push(151, 10);
    expect((await bench.verbs.incidents.list({})).items).toEqual([expect.objectContaining({ onsetStep: 101, ongoing: false })]);
    // Deleted while it speaks, it goes on no longer.
    await push(5_201, 90);
    expect((await bench.verbs.incidents.list({})).items.filter(({ ongoing }) => ongoing)).toHaveLength(1);
    for (const { id } of await bench.verbs.rules.list()) await bench.verbs.rules.delete({ ruleId: id });
    await push(5_251, 90);
    expect((await bench.verbs.incidents.list({})).items.filter(({ ongoing }) => ongoing)).toEqual([]);
  });
});
