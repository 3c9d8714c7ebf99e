import { OVER_OPTIMISATION, type EvalRecordInput, type Finding } from "@trainwatch/core";
import { createMonitor } from "@trainwatch/detect";
import { normalDraw, seededRandom } from "@trainwatch/stats";
import { buildPush } from "@trainwatch/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVerbBench, type VerbBench } from "../fixtures/verb-bench.ts";
import { importRecords, refusalOf } from "../releases/release-world.fixture.ts";

const RUN = { project: "test", name: "rl" };
const EVALUATIONS = 60;
const EVERY = 10;
const LAST_STEP = EVALUATIONS * EVERY;
const FALLING = "eval/held_out/accuracy";
const STEADY = "eval/other/accuracy";

/** Best at evaluation 20, then three points lost in ten evaluations. */
const turned = (at: number): number => 0.6 - 0.25 * Math.exp(-at / 4) - 0.006 * Math.max(0, at - 20);
const saturating = (at: number): number => 0.6 - 0.25 * Math.exp(-at / 8);

type Points = readonly (readonly [step: number, value: number])[];

function scores(curve: (at: number) => number, seed: number, { count = EVALUATIONS, from = 0 } = {}): Points {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, at) => [from + (at + 1) * EVERY, curve(at) + 0.01 * normalDraw(random)] as const);
}
function every(value: (step: number) => number, { from = 1, to = LAST_STEP } = {}): Points {
  const random = seededRandom(from + to);
  return Array.from(
    { length: to - from + 1 },
    (_, index) => [from + index, value(from + index) * (1 + 0.02 * normalDraw(random))] as const,
  );
}
const rising = (step: number): number => 0.3 + step / 1_000;

describe("postTraining.get", () => {
  let bench: VerbBench;
  let runId: number;
  let seq = 0;
  /** Samples of an attempt come in, and what the detectors say of them is stored: as the worker does. */
  const train = async (attempt: string, series: Readonly<Record<string, Points>>): Promise<readonly Finding[]> => {
    const push = buildPush(
      { source: "rl", seq: seq++, run: RUN, attempt },
      Object.entries(series).map(([metric, points]) => ({ metric, points })),
    );
    ({ runId } = await bench.as("ingest").ingest.push(push));
    const monitor = createMonitor({ run: "test/rl", attempt });
    const samples = Object.entries(series)
      .flatMap(([metric, points]) => points.map(([step, value]) => ({ metric, step, value, timeMs: null })))
      .toSorted((a, b) => a.step - b.step);
    const newest = new Map([...monitor.observe(samples), ...monitor.finish()].map((finding) => [finding.id, finding]));
    const findings = [...newest.values()].filter(({ detector }) => detector === OVER_OPTIMISATION);
    for (const finding of findings) await bench.store.records.findings.upsert(runId, finding, null, 0);
    return findings;
  };
  const view = (attempt?: string) => bench.as("read").postTraining.get({ runId, ...(attempt === undefined ? {} : { attempt }) });
  const checkpoints = async (...saved: readonly (readonly [attempt: string, step: number])[]): Promise<void> => {
    for (const [attempt, step] of saved) {
      await bench.store.pool.query(
        "INSERT INTO checkpoint (run_id, attempt, step, kind, state, created_at_ms) VALUES ($1, $2, $3, 'model', 'unchecked', 0)",
        [runId, attempt, step],
      );
    }
  };

  beforeEach(async () => {
    bench = await createVerbBench();
    seq = 0;
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("says nothing of a run that logs neither a reward nor a KL, and refuses one that there is none of", async () => {
    await train("a1", { loss: every(() => 2), [FALLING]: scores(turned, 1) });
    expect(await view()).toMatchObject({ isPostTraining: false, lanes: [], heldOut: null, turningPoint: null, findings: [] });
    expect(await refusalOf(bench.as("read").postTraining.get({ runId: 999_999 }))).toMatch(/^not-found: There is no run/);
  });

  it("says that over-optimisation cannot be seen where nothing held out is logged, and which lanes are missing", async () => {
    await train("a1", { reward: every(rising) });
    const { heldOut, turningPoint, lanes } = await view();
    expect([heldOut, turningPoint]).toEqual([null, null]);
    expect(lanes.find(({ signal }) => signal === "reward")).toMatchObject({ metric: "reward", missing: null });
    expect(lanes.find(({ signal }) => signal === "held-out")?.missing).toMatch(/over-optimisation cannot be seen/);
    expect(lanes.find(({ signal }) => signal === "kl")?.missing).toMatch(/^No KL to the reference/);
  });

  it("tells why there is no peak where there are too few evaluations", async () => {
    await train("a1", { reward: every(rising), [FALLING]: scores(turned, 1, { count: 9 }) });
    expect(await view()).toMatchObject({ turningPoint: null, why: expect.stringMatching(/^9 held-out evaluations of .*too few/) });
  });

  it("says what the detector says: the turn, its place, whether the reward climbs; and the newest checkpoint at or before it", async () => {
    const [finding] = await train("a1", { reward: every(rising), kl: every((step) => step / 3_000), [FALLING]: scores(turned, 3) });
    if (finding === undefined) throw new Error("the detector is silent");
    await checkpoints(["a1", 150], ["a1", 200], ["a1", 400]);
    const { turningPoint, heldOut, findings } = await view();
    expect(turningPoint).toMatchObject({
      metric: FALLING,
      turned: true,
      peakStep: finding.onsetStep,
      lowStep: finding.onsetLowerStep,
      proxyRises: true,
    });
    expect(finding.severity).toBe("critical");
    expect(Math.abs((turningPoint?.peakStep ?? 0) - 210)).toBeLessThanOrEqual(40);
    expect(turningPoint?.checkpoint?.step).toBe((turningPoint?.peakStep ?? 0) >= 200 ? 200 : 150);
    expect(turningPoint?.text).toMatch(
      /^Reward climbs while held-out score falls, turning point at step \d+ \(\d+ to \d+ at 90 %\); it has lost 2\d\.\d ± \d\.\d pp since\.$/,
    );
    expect(findings.map(({ id }) => id)).toEqual([finding.id]);
    // The peak is where the drawn curve is highest, and an interval is told about it.
    const top = heldOut?.fit.reduce<number>((best, value, index, fit) => ((value ?? 0) > (fit[best] ?? 0) ? index : best), 0) ?? 0;
    expect(heldOut?.points[top]?.step).toBe(turningPoint?.peakStep);
    expect(turningPoint?.peakKl).toBeCloseTo((turningPoint?.peakStep ?? 0) / 3_000, 2);
  });

  it("does not call a score turned because another one has: it shows the one that has, and of a steady one says that it shows none", async () => {
    // The steady score is evaluated more often, so by the number of evaluations alone it would be shown.
    const often: Points = scores(saturating, 5, { count: 2 * EVALUATIONS }).map(([step, value]) => [step / 2, value] as const);
    const findings = await train("a1", { reward: every(rising), [STEADY]: often, [FALLING]: scores(turned, 3) });
    expect(findings.map(({ metric }) => metric)).toEqual([FALLING]);
    expect((await view()).turningPoint).toMatchObject({ metric: FALLING, turned: true });
    await bench.store.records.findings.upsert(runId, { ...(findings[0] ?? fail()), metric: "eval/gone/accuracy" }, null, 0);
    const steady = (await view()).turningPoint;
    expect(steady).toMatchObject({ metric: STEADY, turned: false });
    expect(steady?.text).toMatch(/^No turning point is shown\. The score is highest about step/);
  });

  it("does not judge by itself: of several scores the detector asks for more, and what it has not found is not called turned", async () => {
    const others = Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [`eval/task_${index}/accuracy`, scores(saturating, 40 + index)] as const),
    );
    const weak = (at: number): number => 0.6 - 0.25 * Math.exp(-at / 4) - 0.0012 * Math.max(0, at - 30);
    const series = { reward: every(rising), [FALLING]: scores(weak, 14), ...others };
    const alone = await train("a1", { reward: series.reward, [FALLING]: series[FALLING] ?? [] });
    expect(alone).toHaveLength(1);
    bench = await replaced(bench);
    seq = 0;
    expect(await train("a1", series)).toEqual([]);
    expect((await view()).turningPoint).toMatchObject({ metric: FALLING, turned: false });
  });

  it("does not call it turned where the turn lies behind the place that the run went back to, but in the view of that attempt", async () => {
    await train("a1", { reward: every(rising), [FALLING]: scores(turned, 3) });
    await train("a2", {
      reward: every(rising, { from: 101, to: 300 }),
      [FALLING]: scores((at) => turned(10) + 0.001 * at, 8, { count: 20, from: 100 }),
    });
    await bench.store.pool.query("UPDATE attempt SET parent = 'a1', branch_step = 100 WHERE run_id = $1 AND name = 'a2'", [runId]);
    expect((await view()).turningPoint).toMatchObject({ turned: false });
    expect((await view("a1")).turningPoint).toMatchObject({ turned: true });
    expect((await view("a2")).turningPoint).toMatchObject({ turned: false });
  });

  it("is over where the detector has taken it back", async () => {
    const back = (at: number): number => (at < 40 ? turned(at) : turned(40) + 0.03 * (at - 40));
    const findings = await train("a1", { reward: every(rising), [FALLING]: scores(back, 3) });
    expect(findings.map(({ state }) => state)).toEqual(["recovered"]);
    expect((await view()).turningPoint).toMatchObject({ turned: false });
  });

  it("writes a score that is logged per cent as one: what it has lost is in percentage points", async () => {
    const percent: Points = scores(turned, 3).map(([step, value]) => [step, 100 * value] as const);
    await train("a1", { reward: every(rising), kl: every((step) => step / 3_000), [FALLING]: percent });
    const { turningPoint } = await view();
    expect(turningPoint).toMatchObject({ metric: FALLING, turned: true });
    expect(turningPoint?.text).toMatch(/it has lost 2\d\.\d ± \d\.\d pp since\.$/);
  });

  it("leaves an evaluation before the first KL out of the fit over it, and goes on fitting over the KL", async () => {
    const distance = (step: number): number => 0.2 * ((step - 30) / LAST_STEP) ** 4;
    const over: Points = scores(() => 0, 4).map(([step, noise]) => {
      const root = Math.sqrt(distance(Math.max(31, step)));
      return [step, 0.3 + 2 * root - 3 * root ** 2 + 0.1 * noise] as const;
    });
    await train("a1", { reward: every(rising), kl: every(distance, { from: 31 }), [FALLING]: over });
    expect((await view()).turningPoint).toMatchObject({ over: "kl" });
  });

  it("of forty scores shows the one with the most evaluations, whatever its name, and says how many there are and that not all are watched", async () => {
    const others = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`eval/a${index}/accuracy`, scores(saturating, 60 + index, { count: 12 })] as const),
    );
    await train("a1", { reward: every(rising), ...others, "eval/z/accuracy": scores(saturating, 5) });
    const { heldOut, turningPoint } = await view();
    expect(heldOut).toMatchObject({ metric: "eval/z/accuracy", scores: 41 });
    expect(turningPoint?.text).toMatch(
      /^No turning point is shown: of 41 held-out scores the 16 that were logged first are watched\. The score/,
    );
  });

  it("asks for the names that it looks for, and is not led astray by a run of thousands of others", async () => {
    await train("a1", { reward: every(rising), [FALLING]: scores(saturating, 5) });
    await bench.store.pool.query(
      `INSERT INTO series (run_id, metric, source_name, labels, labels_key)
       SELECT $1, 'debug/' || n, 'debug', '{}', '{}' FROM generate_series(1, 12000) AS n`,
      [runId],
    );
    expect(await view()).toMatchObject({ isPostTraining: true, heldOut: { metric: FALLING, scores: 1 } });
  });

  it("tells what the entropy can still buy, from the run so far: the start is that of the first points though bins are longer", async () => {
    const last = 9_000;
    const entropyAt = (step: number): number => 0.1 + 0.7 * Math.exp(-step / 60);
    await train("a1", {
      entropy: every(entropyAt, { to: last }),
      reward: every((step) => 1.2 - 0.4 * Math.exp(entropyAt(step)), { to: last }),
    });
    const { rewardCeiling, heldOut } = await view();
    expect(heldOut).toBeNull();
    expect(Math.abs((rewardCeiling?.ceiling ?? 0) - 0.8)).toBeLessThan(0.02);
    // Of exp(0.8) - 1 at the start, exp(0.1) - 1 is left: 91 % is used up.
    expect(rewardCeiling?.used).toBeCloseTo(1 - Math.expm1(0.1) / Math.expm1(entropyAt(5)), 2);
    expect(rewardCeiling?.text).toMatch(/^As the reward has followed the entropy so far, .* 9\d % of the gain /);
    await train("a1", { kl: every(() => 0.1) });
    expect((await view()).rewardCeiling?.ceiling).toBe(rewardCeiling?.ceiling);
  });

  it("says nothing of it where the entropy stands still", async () => {
    await train("a1", { entropy: every(() => 0.5), reward: every(rising) });
    expect((await view()).rewardCeiling).toBeNull();
  });

  describe("on results of checkpoints", () => {
    const measure = (step: number, value: number, given: object = {}): EvalRecordInput => ({
      kind: "measure",
      subject: { model: `step ${step}`, step },
      task: "gsm8k",
      metric: "exact_match",
      value,
      n: 1_000,
      ...given,
    });
    const fileOf = (records: readonly EvalRecordInput[]) => importRecords(bench, "a", records, { run: RUN });

    it("shows them where the log holds none, with the interval of each, and says that nobody watches them", async () => {
      await train("a1", { reward: every(rising) });
      await checkpoints(["a1", 150], ["a1", 500]);
      await fileOf(scores(turned, 3).map(([step, value]) => measure(step, value)));
      const { heldOut, turningPoint } = await view();
      expect(heldOut).toMatchObject({ source: "scorecards", metric: "eval/gsm8k/exact_match", prompts: 1_000 });
      expect(heldOut?.points).toHaveLength(EVALUATIONS);
      const [first] = heldOut?.points ?? [];
      // Wilson, by hand for a share near 0.35 of 1,000: ± 0.03.
      expect((first?.high ?? 0) - (first?.low ?? 0)).toBeCloseTo(0.059, 2);
      expect(turningPoint).toMatchObject({ turned: false, checkpoint: { step: 150 } });
      expect(turningPoint?.text).toMatch(
        /^Imported results are not watched for a turn: only a score in the log is\. The score is highest about step/,
      );
    });

    it("takes the error that a source prints before one that is computed", async () => {
      await train("a1", { reward: every(rising) });
      await fileOf([measure(100, 0.5, { stderr: 0.02 })]);
      expect((await view()).heldOut?.points).toEqual([{ step: 100, value: 0.5, low: 0.5 - 1.96 * 0.02, high: 0.5 + 1.96 * 0.02 }]);
    });

    it("shows those of the attempt that is asked for, and of today's weights where none is", async () => {
      await train("a1", { reward: every(rising) });
      await train("a2", { reward: every(rising, { from: 301, to: 500 }) });
      await bench.store.pool.query("UPDATE attempt SET parent = 'a1', branch_step = 300 WHERE run_id = $1 AND name = 'a2'", [runId]);
      await checkpoints(["a1", 100], ["a1", 300], ["a1", 400], ["a2", 450]);
      await fileOf([100, 300, 400, 450, 250].map((step) => measure(step, step / 1_000)));
      const steps = async (attempt?: string) => (await view(attempt)).heldOut?.points.map(({ step }) => step);
      // 250 is of no known checkpoint: it is of today's way, and there of the first attempt.
      expect(await steps()).toEqual([100, 250, 300, 450]);
      expect(await steps("a2")).toEqual([100, 250, 300, 450]);
      expect(await steps("a1")).toEqual([100, 250, 300, 400]);
    });
  });
});

async function replaced(bench: VerbBench): Promise<VerbBench> {
  await bench[Symbol.asyncDispose]();
  return createVerbBench();
}

function fail(): never {
  throw new Error("no finding");
}
