import { rulesInForce } from "@trainwatch/api";
import type { Finding } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createDetectBench, type DetectBench } from "../detect/detect-bench.fixture.ts";
import { foldFindings } from "./fold-findings.ts";

const DAY_MS = 86_400_000;

function found(over: Partial<Finding> = {}): Finding {
  return {
    id: "f1",
    fingerprint: "p1",
    detector: "rank-deviation",
    version: 1,
    attempt: "a1",
    metric: "grad_norm",
    subject: { kind: "rank", id: "7" },
    severity: "warning",
    state: "ongoing",
    onsetLowerStep: 999,
    onsetStep: 1_000,
    detectedStep: 1_007,
    peakStep: 1_007,
    endStep: null,
    onsetTimeMs: null,
    detectedTimeMs: null,
    endTimeMs: null,
    shape: "jump",
    peakValue: 4,
    baselineValue: 2,
    levelShift: null,
    summary: "Rank 7 deviates",
    evidence: [],
    place: { rank: 7, gpuId: null, nodeId: "name:n0", host: "n0" },
    facts: [{ fact: "rank-deviates", value: 1 }],
    ...over,
  };
}

interface Bench {
  readonly bench: DetectBench;
  fold(finding: Finding): Promise<readonly number[]>;
}

async function onRun(bench: DetectBench): Promise<Bench> {
  await bench.push(buildPush({ source: "r", seq: 1 }, [{ metric: "loss", points: [[1, 2, 1_000]] }]));
  const facts = await bench.store.records.runs.facts(1);
  const run = { id: 1, fullName: facts?.fullName ?? "", cluster: null };
  return {
    bench,
    fold: async (finding) => [
      ...(await bench.store.records.transaction((records) =>
        foldFindings(records, {
          findings: [{ finding, shown: finding, run, attempt: finding.attempt }],
          rulesFor: () => rulesInForce([], { runId: 1, cluster: null, nowMs: bench.clock.now() }),
          logEveryOf: () => 1,
          nowMs: bench.clock.now(),
        }),
      )),
    ],
  };
}

async function hardwareOf({ bench }: Bench): Promise<number> {
  const stored = await bench.store.records.incidents.get(1);
  return (stored?.assessment?.causes ?? []).reduce((sum, { cause, share }) => sum + (cause === "hardware" ? share : 0), 0);
}

describe("foldFindings", () => {
  it("tells a finding again once its sentence has changed, and not while its severity goes to and fro beneath the same words", async () => {
    await using bench = await createDetectBench();
    const run = await onRun(bench);
    const said = async (): Promise<readonly string[]> => {
      const { items } = await bench.store.records.incidents.timeline(1, 100);
      return items.filter(({ kind }) => kind === "detected" || kind === "finding").map(({ text }) => text);
    };
    for (const severity of ["warning", "info", "warning", "info", "warning"] as const) await run.fold(found({ severity }));
    expect(await said()).toEqual(["Rank 7 deviates"]);
    await run.fold(found({ state: "recovered", endStep: 1_200, summary: "Rank 7 deviated until step 1,200" }));
    expect(await said()).toEqual(["Rank 7 deviates", "Rank 7 deviated until step 1,200"]);
  });

  it("weighs the causes anew when a finding's facts cross a bound, and not with each step that moves their values", async () => {
    await using bench = await createDetectBench();
    const run = await onRun(bench);
    await run.fold(found());
    const atFirst = await hardwareOf(run);
    await run.fold(found({ peakStep: 1_040, facts: [{ fact: "rank-deviates", value: 3 }] }));
    const proven = await hardwareOf(run);
    expect(proven).toBeGreaterThan(atFirst + 0.2);
    // A mark in the stored assessment shows whether it was written again.
    await bench.store.pool.query(
      "UPDATE incident SET assessment = jsonb_set(assessment, '{word}', '\"strong\"'), label = NULL WHERE id = 1",
    );
    const marked = (await bench.store.records.incidents.get(1))?.assessment;
    for (let batches = 4; batches < 8; batches++)
      await run.fold(found({ peakStep: 1_040 + batches, facts: [{ fact: "rank-deviates", value: batches }] }));
    expect((await bench.store.records.incidents.get(1))?.assessment).toEqual(marked);
  });

  it("says in the timeline, once, that a snooze is over where a finding comes before the clock has looked", async () => {
    await using bench = await createDetectBench();
    const run = await onRun(bench);
    await run.fold(found());
    const untilMs = bench.clock.now() + 3_600_000;
    await bench.verbs.incidents.snooze({ incidentId: 1, untilMs });
    await run.fold(found({ peakStep: 1_100 }));
    expect((await bench.store.records.incidents.find(1))?.state).toBe("snoozed");
    bench.clock.set(untilMs + 1_000);
    for (const peakStep of [1_200, 1_300]) await run.fold(found({ peakStep }));
    expect((await bench.store.records.incidents.find(1))?.state).toBe("open");
    const { items } = await bench.store.records.incidents.timeline(1, 100);
    const over = items.filter(({ text }) => text === "The snooze is over");
    expect(over.map(({ kind, atMs, actor }) => [kind, atMs, actor])).toEqual([["snoozed", untilMs, "detectors"]]);
  });

  describe("an incident that was resolved a month ago", () => {
    const over = (at: number): Finding =>
      found({
        id: `f${at}`,
        fingerprint: `p${at}`,
        state: "recovered",
        onsetLowerStep: at - 1,
        onsetStep: at,
        detectedStep: at + 7,
        peakStep: at + 7,
        endStep: at + 20,
      });

    async function resolvedLongAgo(bench: DetectBench): Promise<Bench> {
      const run = await onRun(bench);
      await run.fold(over(1_000));
      await bench.verbs.incidents.resolve({ incidentId: 1 });
      bench.clock.advance(30 * DAY_MS);
      return run;
    }

    it("C11: is named by the one that the same steps bring in the attempt after", async () => {
      await using bench = await createDetectBench();
      const run = await resolvedLongAgo(bench);
      await run.fold(
        found({ id: "again", fingerprint: "again", attempt: "a2", onsetLowerStep: 1_004, onsetStep: 1_005, detectedStep: 1_012 }),
      );
      expect((await bench.store.records.incidents.find(2))?.regressionOf).toBe(1);
    });

    it("is not read for a finding that lies far behind it, and is for one that lies near, or that it holds", async () => {
      await using bench = await createDetectBench();
      await resolvedLongAgo(bench);
      const sinceMs = bench.clock.now() - 7 * DAY_MS;
      const read = async (fromStep: number | null, findingIds: readonly string[] = []): Promise<readonly number[]> => {
        const reach = fromStep === null ? null : { fromStep, fromMs: null };
        const incidents = await bench.store.records.incidents.foldable({ runIds: [1], reach, nodeIds: [], sinceMs, findingIds });
        return incidents.map(({ incident }) => incident.id);
      };
      expect(await read(1_021)).toEqual([]);
      expect(await read(1_020)).toEqual([1]);
      expect(await read(90_000, ["f1000"])).toEqual([1]);
      expect(await read(null)).toEqual([1]);
      await bench.store.pool.query("UPDATE incident SET ongoing = true");
      expect(await read(90_000)).toEqual([1]);
    });
  });
});
