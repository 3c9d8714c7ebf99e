import type { EvalRecordInput, Passport } from "@trainwatch/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding, type VerbBench } from "../fixtures/verb-bench.ts";
import { importRecords, refusalOf } from "../releases/release-world.fixture.ts";

const RUN = { project: "test", name: "run" };
const REASON = "the samples that were lost are mislabelled";

describe("checkpoints", () => {
  let bench: VerbBench;
  let runId: number;
  const passport = async (step: number): Promise<Passport> => bench.as("read").checkpoints.passport({ checkpointId: await idAt(step) });
  const idAt = async (step: number): Promise<number> => {
    const { rows } = await bench.store.pool.query<{ id: number }>(
      "SELECT id FROM checkpoint WHERE run_id = $1 AND step = $2 ORDER BY id DESC",
      [runId, step],
    );
    return rows[0]?.id ?? 0;
  };
  const verdictOf = ({ verdicts }: Passport, name: string) => verdicts.find((each) => each.name === name);
  const measures = (step: number, value: number, given: object = {}): EvalRecordInput[] => [
    { kind: "measure", subject: { model: `step ${step}`, step }, task: "gsm8k", metric: "exact_match", value, n: 1_000, ...given },
  ];

  beforeEach(async () => {
    bench = await createVerbBench();
    runId = await seedRun(bench.store);
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("of which nothing is known say so in every verdict, and make up no number", async () => {
    const known = await passport(900);
    expect(known.verdicts.map(({ name, state }) => [name, state])).toEqual([
      ["complete", "unknown"],
      ["verified", "unknown"],
      ["training-health", "unknown"],
      ["silent-corruption", "unknown"],
      ["scores", "unknown"],
      ["decision", "unknown"],
    ]);
    expect(known).toMatchObject({
      tokens: null,
      results: [],
      scorecardId: null,
      against: null,
      decisions: [],
      gpus: { known: 0, nodes: 0, suspects: [] },
    });
    expect(known.doubts.map(({ text }) => text).join(" ")).toMatch(/Tokens seen: .* Which GPUs trained it: /);
    expect([known.previous?.step, known.next]).toEqual([500, null]);
    expect(await refusalOf(bench.as("read").checkpoints.passport({ checkpointId: 999_999 }))).toMatch(
      /^not-found: There is no checkpoint 999999/,
    );
  });

  it("are good only by evidence: verified by their source, watched by detectors that saw", async () => {
    const coverage = JSON.stringify([
      { detector: "log-cusum", sees: true, why: null },
      { detector: "replica-hash", sees: true, why: null },
    ]);
    await bench.store.pool.query("INSERT INTO detect_state (run_id, attempt, state, coverage) VALUES ($1, 'a1', '{}', $2)", [
      runId,
      coverage,
    ]);
    await bench.store.pool.query("UPDATE run SET tokens_per_step = 1000");
    await bench.as("ingest").ingest.push({
      source: "s",
      seq: 0,
      run: RUN,
      attempt: "a1",
      assignments: [
        { rank: 0, node: "n1", gpuUuid: "GPU-1" },
        { rank: 1, node: "n1", gpuUuid: "GPU-2" },
      ],
    });
    const known = await passport(500);
    expect(known.verdicts.slice(0, 4).map(({ state }) => state)).toEqual(["good", "good", "good", "good"]);
    expect(known).toMatchObject({ tokens: 500_000, gpus: { known: 2, nodes: 1 } });
  });

  it("tell the incidents that their weights have seen, and not those that came later or were called wrong", async () => {
    await seedIncident(bench.store, runId, spikeFinding({ id: "f1", onsetStep: 400, fingerprint: "b1" }));
    await seedIncident(
      bench.store,
      runId,
      spikeFinding({ id: "f2", onsetStep: 800, fingerprint: "b2", severity: "warning", state: "recovered" }),
    );
    const wrong = await seedIncident(bench.store, runId, spikeFinding({ id: "f3", onsetStep: 450, fingerprint: "b3" }));
    await bench.as("operate").incidents.label({ incidentId: wrong, label: "wrong", reason: "a planned restart" });
    const early = await passport(500);
    expect(early.events.map(({ step, outcome }) => [step, outcome])).toEqual([[400, "still open"]]);
    expect(verdictOf(early, "training-health")).toMatchObject({ state: "bad", text: "1 incident still open" });
    const late = await passport(900);
    expect([late.eventTotal, late.events.map(({ step }) => step)]).toEqual([2, [400, 800]]);
    const { items } = await bench.as("read").checkpoints.registry();
    expect(items.map(({ step, incidentsBefore }) => [step, incidentsBefore])).toEqual([
      [900, 2],
      [500, 1],
    ]);
  });

  it("say in the verdict on their training that they lie behind a turning point, or that it came later", async () => {
    const incidentId = await seedIncident(
      bench.store,
      runId,
      spikeFinding({ detector: "over-optimisation", onsetStep: 700, severity: "warning" }),
    );
    const late = await passport(900);
    expect(late.turningPointStep).toBe(700);
    const after = verdictOf(late, "training-health");
    expect(after).toMatchObject({ state: "doubt", text: "After the turning point" });
    expect(after?.detail).toMatch(/^Held-out score falls after step 700\. 1 incident before it, 1 open\./);
    const before = verdictOf(await passport(500), "training-health");
    expect(before?.text).not.toContain("turning point");
    expect(before?.detail).toContain("The turning point, step 700, came later.");
    await bench.as("operate").incidents.label({ incidentId, label: "wrong", reason: "the evaluation set was swapped at 700" });
    expect(verdictOf(await passport(900), "training-health")?.text).not.toContain("turning point");
  });

  it("tell what was rolled back on the way, why, and which data was skipped", async () => {
    const { store } = bench;
    const incidentId = await seedIncident(store, runId, spikeFinding({ onsetStep: 600 }));
    const { id } = await bench.as("operate").advice.propose({ incidentId });
    await store.pool.query(
      `UPDATE advice SET body = body || '{"action": "rollback", "checkpointStep": 500, "skipFromStep": 590, "skipToStep": 640}' WHERE id = $1`,
      [id],
    );
    await bench.as("operate").decisions.decide({ incidentId, adviceId: id, verdict: "accepted", reason: "the shard is broken" });
    await store.pool.query(
      "INSERT INTO attempt (run_id, ordinal, name, parent, branch_step, origin, first_step, last_step) VALUES ($1, 2, 'a2', 'a1', 500, 'marker', 501, 1500)",
      [runId],
    );
    await bench
      .as("ingest")
      .ingest.push({ source: "s", seq: 0, run: RUN, attempt: "a2", checkpoints: [{ step: 1_200, path: "/ckpt/1200" }] });
    const known = await passport(1_200);
    expect(known.lineage).toEqual([
      {
        attempt: "a1",
        fromStep: 1,
        toStep: 500,
        rolledBack: [{ fromStep: 501, toStep: 2_000, reason: expect.stringMatching(/^Roll back to 500.*: the shard is broken$/) }],
      },
      { attempt: "a2", fromStep: 501, toStep: 1_200, rolledBack: [] },
    ]);
    expect(known.skipped).toEqual([{ fromStep: 590, toStep: 640, incidentId }]);
    expect(known.events).toEqual([]);
    const thrownAway = await passport(900);
    expect(thrownAway.doubts).toContainEqual({ kind: "note", text: expect.stringMatching(/^Rolled back: a2 went on/) });
    expect((await passport(500)).decisions).toMatchObject([
      { incidentId, text: expect.stringMatching(/^Accepted: Roll back to 500/), reason: "the shard is broken" },
    ]);
    const { items } = await bench.as("read").checkpoints.registry({ runId });
    expect(items.map(({ step, attempt, inEffect }) => [step, attempt, inEffect])).toEqual([
      [1_200, "a2", true],
      [900, "a1", false],
      [500, "a1", true],
    ]);
    const stepsWhere = async (filter: Parameters<ReturnType<VerbBench["as"]>["checkpoints"]["registry"]>[0]): Promise<unknown> => {
      const { items: found, total } = await bench.as("read").checkpoints.registry({ limit: 1, ...filter });
      return [found.map(({ step }) => step), total];
    };
    expect(await stepsWhere({ inEffect: true })).toEqual([[1_200], 2]);
    expect(await stepsWhere({ inEffect: false, runId })).toEqual([[900], 1]);
    expect(await stepsWhere({ states: ["incomplete"] })).toEqual([[], 0]);
  });

  it("accuse GPUs of wrong numbers where an incident of learning does, with its share of belief", async () => {
    const incidentId = await seedIncident(bench.store, runId, spikeFinding({ onsetStep: 400 }));
    const cause = (name: "hardware" | "data", share: number, subjectId: string | null) => ({
      cause: name,
      subjectKind: subjectId === null ? null : "gpu",
      subjectId,
      share,
      facts: subjectId === null ? [] : [{ text: "its rank deviates", logBayesFactor: 3, source: "x" }],
    });
    await bench.store.records.incidents.setAssessment(incidentId, {
      causes: [cause("hardware", 0.95, "GPU-7"), cause("data", 0.05, null)],
      word: "strong",
      nextTest: null,
    });
    const known = await passport(500);
    expect(known.gpus.suspects).toEqual([{ gpu: "GPU-7", node: null, share: 0.95, why: `incident ${incidentId}: its rank deviates` }]);
    expect(verdictOf(known, "silent-corruption")).toMatchObject({ state: "bad", text: "1 suspect" });
  });

  it("are scored against the baseline of the newest release, and carry the decision that was signed", async () => {
    await importRecords(bench, "a", measures(500, 0.6), { run: RUN });
    const { scorecards } = await importRecords(bench, "b", measures(900, 0.5), { run: RUN });
    expect(verdictOf(await passport(900), "scores")).toMatchObject({ state: "unknown", text: "Not compared" });
    const candidate = scorecards[0]?.scorecardId ?? 0;
    const baseline = (await passport(500)).scorecardId ?? 0;
    const { releaseId } = await bench
      .as("operate")
      .releases.create({ name: "week 49", baselineId: baseline, candidateIds: [candidate], signers: ["Owner", "Safety"] });
    await bench.as("operate").releases.fixGates({ releaseId, gates: [{ kind: "verified" }] });
    const [gate] = (await bench.as("read").releases.get({ releaseId })).gateViews;
    await bench.as("operate").releases.overrideGate({ releaseId, gateId: gate?.gateId ?? 0, scorecardId: candidate, reason: REASON });
    expect(verdictOf(await passport(900), "decision")).toMatchObject({ state: "unknown", text: "Under comparison" });
    await bench.as("operate").releases.sign({ releaseId, scorecardId: candidate, role: "Owner", signedAs: "Grace" });
    expect(verdictOf(await passport(900), "decision")).toMatchObject({ state: "doubt", text: "Waits for Safety" });
    await bench.as("operate").releases.sign({ releaseId, scorecardId: candidate, role: "Safety", signedAs: "Ada" });
    const known = await passport(900);
    expect(known.results).toMatchObject([{ key: "gsm8k|exact_match|", value: 0.5, verdict: "worse", delta: expect.closeTo(-0.1, 9) }]);
    expect([known.against, verdictOf(known, "scores")?.state, verdictOf(known, "decision")?.text]).toEqual([
      "step 500",
      "doubt",
      "Signed to ship",
    ]);
    expect(known.decisions.map(({ text }) => text)).toEqual(
      expect.arrayContaining([`Signed to ship by Grace as Owner, in "week 49"`, `A gate overridden in "week 49"`]),
    );
    const { items } = await bench.as("read").checkpoints.registry({ query: "900" });
    expect(items).toMatchObject([{ step: 900, results: 1, signedReleases: [{ releaseId, name: "week 49" }] }]);
  });

  it("are told of though their newest release is too large to be compared", async () => {
    const { scorecards } = await importRecords(bench, "a", [...measures(500, 0.4), ...measures(900, 0.6)], { run: RUN });
    const idOf = (step: number): number => scorecards.find((card) => card.step === step)?.scorecardId ?? 0;
    await bench.as("operate").releases.create({ name: "huge", baselineId: idOf(500), candidateIds: [idOf(900)] });
    await bench.store.pool.query(
      `INSERT INTO eval_result (file_id, imported_at_ms, scorecard_id, hash, task, metric, filter, value, settings, order_ms)
       SELECT file_id, 0, scorecard_id, '', 't' || place, 'acc', '', 0.5, '{}', 0 FROM eval_result, generate_series(1, 60000) AS place WHERE scorecard_id = $1`,
      [idOf(500)],
    );
    const known = await passport(900);
    const detail = 'Release "huge" is too large to be compared here.';
    expect(verdictOf(known, "scores")).toMatchObject({ state: "unknown", text: "Not compared", detail });
    expect(verdictOf(known, "decision")).toMatchObject({ text: "Under comparison" });
    expect(known.doubts.map(({ text }) => text)).toContain('How it compares: release "huge" is too large to be compared here.');
    expect(known.results).toMatchObject([{ value: 0.6 }]);
  });

  it("warn a release of open incidents before a candidate and of a turning point that it lies behind", async () => {
    await importRecords(bench, "a", [...measures(500, 0.6), ...measures(900, 0.5)], { run: RUN });
    const [after, before] = (await bench.as("read").scorecards.list()).items.map(({ scorecardId }) => scorecardId);
    const { releaseId } = await bench.as("operate").releases.create({ name: "r", baselineId: before ?? 0, candidateIds: [after ?? 0] });
    await bench.as("operate").releases.fixGates({ releaseId, gates: [{ kind: "before-turning-point" }] });
    // Nobody has looked for one yet: that is no pass.
    expect((await bench.as("read").releases.get({ releaseId })).gateViews[0]?.cells).toMatchObject([{ state: "unknown" }]);
    await seedIncident(bench.store, runId, spikeFinding({ detector: "over-optimisation", onsetStep: 700, severity: "warning" }));
    const { comparison, gateViews } = await bench.as("read").releases.get({ releaseId });
    expect(comparison.columns.map(({ step, warnings }) => [step, warnings])).toEqual([
      [500, []],
      [900, ["after the turning point at step 700", "1 open incident before it"]],
    ]);
    expect(gateViews[0]?.cells).toMatchObject([{ state: "fail" }]);
  });

  it("are listed in pages, newest first, and found by run, path and step", async () => {
    const listed = Array.from({ length: 30 }, (_, index): EvalRecordInput => {
      const step = 1_000 * (index + 1);
      return { kind: "checkpoint", subject: { model: `m${step}`, step, path: `/pythia/step${step}` } };
    });
    bench.clock.advance(1_000);
    await importRecords(bench, "c", listed, { run: { project: "other", name: "pythia" } });
    const steps: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<ReturnType<VerbBench["as"]>["checkpoints"]["registry"]>> = await bench
        .as("read")
        .checkpoints.registry({ limit: 7, cursor });
      expect(page.total).toBe(32);
      steps.push(...page.items.map(({ step }) => step));
      cursor = page.next;
    } while (cursor !== null);
    expect(steps).toEqual([...listed.map((_, index) => 30_000 - 1_000 * index), 900, 500]);
    expect((await bench.as("read").checkpoints.registry({ query: "other/py" })).total).toBe(30);
    expect((await bench.as("read").checkpoints.registry({ query: "step12000" })).items.map(({ step }) => step)).toEqual([12_000]);
    expect((await bench.as("read").checkpoints.registry({ query: "12,000" })).items.map(({ step }) => step)).toEqual([12_000]);
    expect((await bench.as("read").checkpoints.registry({ query: "%" })).total).toBe(0);
  });
});
