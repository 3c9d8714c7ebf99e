import { proposeAdvice } from "@trainwatch/decide";
import type { Records } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding, type VerbBench } from "../fixtures/verb-bench.ts";
import { required } from "../not-found.ts";
import { adviceInput, EARLIER_LIMIT } from "./advice-input.ts";
import { isSameDecision } from "./same-decision.ts";

const UNBOUND = 1_000_000;
const EARLIER = 5_000;

/** A run of years: an incident with a finding every other step before the one that is asked about, of each ten two never recovered. */
async function seedYears(bench: VerbBench): Promise<{ runId: number; incidentId: number }> {
  const { store } = bench;
  const runId = await seedRun(store);
  const first = await seedIncident(store, runId, spikeFinding({ id: "earlier 0", onsetStep: 1, detectedStep: 2, state: "recovered" }));
  await store.pool.query(
    `INSERT INTO incident (run_id, attempt, fingerprint, title, metric, severity, state, finding_state, ongoing, opened_at_ms, updated_at_ms)
     SELECT run_id, attempt, 'earlier ' || n, title, metric, severity, 'resolved', finding_state, false, n, n FROM incident, generate_series(1, $2::int) AS n WHERE id = $1`,
    [first, EARLIER - 1],
  );
  await store.pool.query(
    `INSERT INTO finding (id, run_id, attempt, incident_id, fingerprint, detector, metric, severity, state, onset_step, detected_step, summary, body, created_at_ms, updated_at_ms)
     SELECT i.fingerprint, f.run_id, f.attempt, i.id, i.fingerprint, f.detector, f.metric, f.severity, f.state, 2 * n, 2 * n + 1, f.summary,
       f.body || jsonb_build_object('id', i.fingerprint, 'onsetStep', 2 * n, 'detectedStep', 2 * n + 1, 'attempt', 'a' || n % 3, 'state', CASE WHEN n % 5 = 0 THEN 'ongoing' ELSE 'recovered' END), 0, 0
     FROM incident i JOIN finding f ON f.id = 'earlier 0', LATERAL (SELECT i.opened_at_ms::int AS n) AS number WHERE i.fingerprint LIKE 'earlier %' AND i.id <> $1`,
    [first],
  );
  const onset = 2 * EARLIER;
  const late = spikeFinding({ id: "now", onsetStep: onset, onsetLowerStep: onset - 5, detectedStep: onset + 10, peakStep: onset + 10 });
  return { runId, incidentId: await seedIncident(store, runId, late) };
}

async function read(records: Records, incidentId: number, limit?: number) {
  const incident = required(await records.incidents.find(incidentId), "incident", incidentId);
  const { run, assessment } = required(await records.incidents.get(incidentId), "incident", incidentId);
  return { ...(await adviceInput(records, { incidentId, incident, run }, limit)), assessment };
}

describe("what advice is made of", () => {
  it("is bounded for a run of years, and the advice is that of all that is stored", async () => {
    await using bench = await createVerbBench();
    const { runId, incidentId } = await seedYears(bench);
    const { records } = bench.store;
    const [bound, all] = [await read(records, incidentId), await read(records, incidentId, UNBOUND)];
    expect([bound.earlier.length, all.earlier.length]).toEqual([EARLIER_LIMIT, EARLIER]);
    // The same, in the same order, as the incidents that came before have.
    const before = (await records.incidents.ofRun(runId)).filter(({ id }) => id !== incidentId).flatMap(({ findings }) => findings);
    expect(all.earlier).toEqual(before);
    expect(bound.earlier).toEqual(before.slice(-EARLIER_LIMIT));
    const [withBound, without] = [proposeAdvice(bound), proposeAdvice(all)];
    expect(isSameDecision(withBound, without, 1)).toBe(true);
    expect(withBound.lostSteps).toBe(without.lostSteps);
    expect(Math.abs((withBound.confidence.share ?? 0) - (without.confidence.share ?? 0))).toBeLessThan(0.01);
    // Costs are draws from how often such faults recover here: 2,000 tell that to a percent or so.
    const withoutCosts = (reasons: readonly string[]): readonly string[] => reasons.filter((reason) => !reason.startsWith("Expected cost"));
    expect(withoutCosts(withBound.reasons)).toEqual(withoutCosts(without.reasons));
  });

  it("leaves notes and incidents that came later out", async () => {
    await using bench = await createVerbBench();
    const { store } = bench;
    const runId = await seedRun(store);
    await seedIncident(store, runId, spikeFinding({ id: "note", severity: "info" }));
    await seedIncident(store, runId, spikeFinding({ id: "alarm", onsetStep: null, detectedStep: null }));
    const asked = await seedIncident(store, runId, spikeFinding({ id: "asked" }));
    await seedIncident(store, runId, spikeFinding({ id: "later" }));
    expect((await read(store.records, asked)).earlier.map(({ id }) => id)).toEqual(["alarm"]);
  });
});
