import { buildPush } from "@trainwatch/testkit";
import type { PushInput, RuleInput } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createVerbBench, spikeFinding, seedIncident } from "../fixtures/verb-bench.ts";
import { createFleetViews } from "../fleet/fleet-views.ts";
import { createFleetWorld, gpuLabels, MINUTE, SECOND, T0, uuid } from "../fleet/fleet-world.fixture.ts";
import { backtest, backtestInput } from "./backtest.ts";

const THRESHOLD: RuleInput = {
  kind: "metric",
  title: "Loss too high",
  metric: "loss",
  condition: "above",
  value: 3,
  forPoints: 3,
  severity: "warning",
  scope: {},
};

/** Loss 2, and 5 in the steps of the fault. */
function training(name: string, faults: readonly (readonly [from: number, to: number])[], to = 2_000): readonly PushInput[] {
  const level = (step: number): number => (faults.some(([from, until]) => step >= from && step <= until) ? 5 : 2) + 0.01 * Math.sin(step);
  return Array.from({ length: to / 500 }, (_, push) =>
    buildPush({ source: name, seq: push, run: { project: "test", name } }, [
      {
        metric: "loss",
        points: Array.from({ length: 500 }, (_, index) => [push * 500 + index + 1, level(push * 500 + index + 1)] as const),
      },
    ]),
  );
}

describe("back-test", () => {
  it("says how often a threshold would have fired on the newest runs and where, beside the incidents in the records", async () => {
    await using bench = await createVerbBench();
    const verbs = bench.as("ingest", "read", "operate");
    for (const push of [
      ...training("a", [
        [1_000, 1_050],
        [1_500, 1_520],
      ]),
      ...training("b", []),
    ])
      await verbs.ingest.push(push);
    const incidentId = await seedIncident(bench.store, 1, spikeFinding({ onsetStep: 1_000, endStep: 1_050, state: "recovered" }));
    await verbs.incidents.label({ incidentId, label: "right", reason: "" });
    const answer = await verbs.rules.backtest({ rule: THRESHOLD });
    expect(answer).toMatchObject({ detector: "rule-0", family: "metric", fired: 2, cut: null, read: { samples: 4_000, ticks: 0 } });
    expect(answer.firings.map(({ run, attempt, onsetStep, detectedStep }) => [run, attempt, onsetStep, detectedStep])).toEqual([
      ["test/a", "a1", 1_000, 1_002],
      ["test/a", "a1", 1_500, 1_502],
    ]);
    // The second lies within a quiet stretch of the first: it would have joined the same incident.
    expect(answer).toMatchObject({ matched: 2, fresh: 0, missed: [], labels: { right: 1, wrong: 0, unsure: 0, unlabelled: 0 } });
    expect(await bench.store.records.findings.ofRun(1, 10)).toMatchObject({ total: 1 });
  });

  it("tries a detector with other parameters as it would run, and names what it would then have missed", async () => {
    await using bench = await createVerbBench();
    const verbs = bench.as("ingest", "read", "operate");
    for (const push of training("a", [[1_500, 1_560]])) await verbs.ingest.push(push);
    const detector = { kind: "detector", detector: "loss-shift", scope: {} } as const;
    const asIs = await verbs.rules.backtest({ rule: detector, runIds: [1] });
    expect(asIs).toMatchObject({ family: "training", fired: 1, fresh: 1, firings: [{ runId: 1, incidentId: null }] });
    await seedIncident(bench.store, 1, spikeFinding({ detector: "loss-shift", onsetStep: 1_500, endStep: 1_560, state: "recovered" }));
    expect(await verbs.rules.backtest({ rule: detector, runIds: [1] })).toMatchObject({ fired: 1, matched: 1, missed: [] });
    const { parameters } = (await verbs.detectors.catalogue({})).find(({ id }) => id === "loss-shift") ?? { parameters: [] };
    // Every parameter that can be set beyond what any loss reaches makes it deaf.
    const deaf = Object.fromEntries(parameters.map(({ name, value, most }) => [name, most ?? value * 1e6]));
    const answer = await verbs.rules.backtest({ rule: { ...detector, parameters: deaf }, runIds: [1] });
    expect(answer).toMatchObject({ fired: 0, missed: [{ runId: 1, run: "test/a", label: null }] });
  });

  it("stops where it would cost too much, says so, and does not call missed what it has not read", async () => {
    await using bench = await createVerbBench();
    const verbs = bench.as("ingest", "read", "operate");
    for (const push of [...training("a", [[1_000, 1_050]]), ...training("b", [])]) await verbs.ingest.push(push);
    await seedIncident(bench.store, 1, spikeFinding({ detector: "rule-0", onsetStep: 1_000, endStep: 1_050 }));
    const request = backtestInput.parse({ rule: THRESHOLD, runIds: [1, 2] });
    const services = { store: bench.store, views: createFleetViews(bench.store, bench.clock.now), now: bench.clock.now };
    const small = await backtest({ ...services, limits: { samples: 500, firings: 10, ms: 1_000 } }, request);
    expect(small).toMatchObject({
      fired: 0,
      missed: [],
      read: { samples: 500 },
      cut: expect.stringMatching(/^Stopped in test\/a: 500 samples were read\. 1 more run was not read\.$/),
    });
    const gone = AbortSignal.abort();
    expect(await backtest({ ...services, signal: gone }, request)).toMatchObject({
      cut: expect.stringContaining("called off"),
      read: { samples: 0 },
    });
  });

  it("shows a detector of the fleet the stored hours, tick by tick", async () => {
    await using world = await createFleetWorld();
    for (let at = 0; at <= 600; at += 10) {
      const told = [0, 1, 2, 3].map((gpu) => ["DCGM_FI_DEV_GPU_TEMP_CELSIUS", gpuLabels(`n${gpu}`, 0, uuid(gpu)), 60] as const);
      await world.send(T0 + at * SECOND, at <= 300 ? told : told.slice(0, 3));
    }
    const window = { fromMs: T0, toMs: T0 + 10 * MINUTE };
    const rule = { kind: "detector", detector: "lost-node", scope: {} } as const;
    const answer = await world.read.rules.backtest({ rule, window });
    expect(answer).toMatchObject({
      family: "fleet",
      fired: 1,
      fresh: 1,
      cut: null,
      read: { ticks: 61, fromMs: window.fromMs, toMs: window.toMs },
    });
    expect(answer.firings[0]).toMatchObject({ run: null, subject: { kind: "node", id: "name:n3" } });
    expect((answer.firings[0]?.detectedTimeMs ?? 0) - (T0 + 300 * SECOND)).toBeLessThanOrEqual(40 * SECOND);
  });

  it.each([
    ["a detector that is not there", { kind: "detector", detector: "nose", scope: {} }],
    ["a parameter that it does not have", { kind: "detector", detector: "loss-shift", scope: {}, parameters: { nose: 1 } }],
    ["a parameter that the clock's does not have", { kind: "detector", detector: "hang", scope: {}, parameters: { nose: 1 } }],
  ] as const)("refuses %s, and says why", async (_what, rule) => {
    await using bench = await createVerbBench();
    await expect(bench.as("read").rules.backtest({ rule })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
