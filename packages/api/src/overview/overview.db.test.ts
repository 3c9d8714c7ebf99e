import type { IncidentSummary } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding, type VerbBench } from "../fixtures/verb-bench.ts";

/** Runs that differ in each fact that a cost is made of. */
const RUNS = [
  "state = 'running'",
  "gpus = 7",
  "gpus = NULL",
  "step_time_s = NULL",
  "state = 'silent'",
  "state = 'silent', gpus = NULL",
  "state = 'stalled', gpus = 3",
  "ended_at_ms = 5, state = 'finished'",
  "ended_at_ms = 5, state = 'finished', gpus = NULL",
  "attempt = 'a2'",
  "attempt = NULL",
] as const;

/** Incidents that differ in theirs; three of each run, none of them alike. */
const FINDINGS = [{}, { state: "recovered", endStep: 1_100 }, { onsetStep: null, onsetLowerStep: null, detectedStep: null }] as const;

async function seedMany(bench: VerbBench): Promise<void> {
  for (const [index, change] of RUNS.entries()) {
    const runId = await seedRun(bench.store, `run ${index}`);
    for (const [kind, finding] of FINDINGS.entries())
      await seedIncident(bench.store, runId, spikeFinding({ id: `f ${index} ${kind}`, ...finding }));
    await bench.store.pool.query(`UPDATE run SET ${change} WHERE id = $1`, [runId]);
  }
}

const sumKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/** The same sums, from what each incident says of itself. */
function totalsOf(incidents: readonly IncidentSummary[]) {
  const rates = new Map<number | null, number>();
  for (const { runId, gpuHoursPerHour: rate } of incidents) if (rate !== null) rates.set(runId, Math.max(rates.get(runId) ?? 0, rate));
  const unknown = incidents.filter(({ gpuHoursPerHour }) => gpuHoursPerHour === null);
  const noGpus = unknown.filter(({ costUnknown }) => costUnknown?.includes("how many GPUs") === true).length;
  return {
    total: incidents.length,
    untaken: incidents.filter(({ state }) => state === "open").length,
    burning: incidents.filter(({ gpuHoursPerHour }) => (gpuHoursPerHour ?? 0) > 0).length,
    gpuHoursPerHour: sumKnown([...rates.values()]),
    rateUnknown: { noGpus, silent: unknown.length - noGpus },
    gpuHoursSoFar: sumKnown(incidents.map(({ gpuHoursSoFar }) => gpuHoursSoFar)),
    costUnknown: incidents.filter(({ gpuHoursSoFar }) => gpuHoursSoFar === null).length,
  };
}

describe("overview.get", () => {
  it("sums over every open incident, also those that the page does not list, as each of them costs by itself", async () => {
    await using bench = await createVerbBench();
    await seedMany(bench);
    const reader = bench.as("read");
    const { items } = await reader.incidents.list({ limit: 200 });
    await bench.as("operate").incidents.acknowledge({ incidentId: items[0]?.id ?? 0 });
    await bench.as("operate").incidents.resolve({ incidentId: items[1]?.id ?? 0, reason: "" });
    const { items: open } = await reader.incidents.list({ limit: 200, states: ["open", "acknowledged", "snoozed"] });
    const { incidents, openTotals } = await reader.overview.get();
    expect(incidents.length).toBeLessThan(open.length);
    expect(openTotals).toEqual(totalsOf(open));
    expect(openTotals).toMatchObject({ total: RUNS.length * FINDINGS.length - 1 });
    expect(openTotals.rateUnknown.silent).toBeGreaterThan(0);
    expect(openTotals.rateUnknown.noGpus).toBeGreaterThan(0);
    expect(openTotals.costUnknown).toBeGreaterThan(openTotals.rateUnknown.silent + openTotals.rateUnknown.noGpus);
  });

  it("knows no rate where the only fault is on a silent run, which is not the same as none", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    await seedIncident(bench.store, runId);
    await bench.store.pool.query("UPDATE run SET state = 'silent'");
    expect((await bench.as("read").overview.get()).openTotals).toMatchObject({
      total: 1,
      burning: 0,
      gpuHoursPerHour: null,
      rateUnknown: { noGpus: 0, silent: 1 },
      gpuHoursSoFar: null,
      costUnknown: 1,
    });
  });

  it("leaves out archived runs, from the list and from the sums, as the foot of the page does", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    await seedIncident(bench.store, runId);
    await bench.as("operate").runs.archive({ runId });
    const reader = bench.as("read");
    const overview = await reader.overview.get();
    expect([overview.incidents.length, overview.openTotals.total, overview.openTotals.gpuHoursPerHour]).toEqual([0, 0, 0]);
    expect((await reader.status.get()).openIncidents).toEqual({ critical: 0, warning: 0, info: 0 });
    expect((await reader.incidents.list({})).total).toBe(1);
  });

  it("says once what an incident has said several times in the same words, at its newest time", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidents = [
      await seedIncident(bench.store, runId),
      await seedIncident(bench.store, runId, spikeFinding({ id: "f2", onsetStep: 9_000 })),
    ];
    for (const [index, incidentId] of [0, 1, 0, 0].map((at) => incidents[at] ?? 0).entries())
      await bench.store.records.incidents.addTimeline(incidentId, {
        kind: "finding",
        atMs: 9e12 + index,
        step: null,
        actor: "detectors",
        text: "It still is.",
      });
    const { recent } = await bench.as("read").overview.get();
    expect(recent.filter(({ text }) => text === "It still is.")).toEqual([
      { atMs: 9e12 + 3, text: "It still is.", incidentId: incidents[0], runId, times: 3 },
      { atMs: 9e12 + 1, text: "It still is.", incidentId: incidents[1], runId, times: 1 },
    ]);
  });
});
