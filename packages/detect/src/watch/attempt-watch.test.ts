import type { Finding } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newWatch, RANK_DETECTORS, RANK_METRICS, resumeWatch } from "../index.ts";
import type { AttemptWatch, RankSample } from "../index.ts";
import { PLACEMENTS, rankTrace } from "../testing/rank-traces.fixture.ts";
import { CONTEXT } from "../testing/series.fixture.ts";

/** A rank's gradient norm goes off, another is not finite once, a third falls silent. */
const SAMPLES: readonly RankSample[] = rankTrace({
  steps: 170,
  value(metric, rank, step, healthy) {
    if (metric !== "loss" && metric !== "grad_norm") return undefined;
    if (metric === "grad_norm" && rank === 3 && step >= 100) return healthy * 2;
    if (metric === "loss" && rank === 5 && step === 90) return Number.NaN;
    return rank === 8 && step > 120 ? undefined : healthy;
  },
}).flatMap(({ metric, step, timeMs, values, has }) =>
  [...values].flatMap((value, rank) => (has[rank] === 1 ? [{ metric, rank: String(rank), step, timeMs, value }] : [])),
);

const RANK_IDS = new Set<string>(RANK_DETECTORS.map(({ id }) => id));
const ofRanks = (findings: readonly Finding[]) => findings.filter(({ detector }) => RANK_IDS.has(detector));

function watched(cuts: readonly number[], resume: boolean): { readonly said: readonly Finding[]; readonly watch: AttemptWatch } {
  let watch = newWatch(CONTEXT, PLACEMENTS);
  const said: Finding[] = [];
  let from = 0;
  for (const cut of [...cuts, SAMPLES.length]) {
    said.push(...watch.observe(SAMPLES.slice(from, cut)));
    from = cut;
    if (!resume) continue;
    const resumed = resumeWatch(CONTEXT, JSON.parse(JSON.stringify(watch.state())), PLACEMENTS);
    if (resumed === null) throw new Error("its own state was refused");
    watch = resumed;
  }
  return { said, watch };
}

describe("AttemptWatch over ranks", () => {
  const whole = watched([], false);

  it("names the rank that deviates and the one that was not finite, by place", () => {
    const findings = ofRanks(whole.said);
    expect(findings.find(({ detector }) => detector === "rank-deviation")).toMatchObject({
      subject: { kind: "rank", id: "3" },
      metric: "grad_norm",
      place: { rank: 3, gpuId: "GPU-3", nodeId: "node-0", host: "n0" },
    });
    expect(findings.find(({ detector }) => detector === "rank-non-finite")).toMatchObject({
      subject: { kind: "rank", id: "5" },
      severity: "critical",
      onsetStep: 90,
    });
  });

  it("still gives the mean of the ranks to the detectors of the run", () => {
    expect(whole.said.some(({ detector, onsetStep }) => detector === "non-finite" && onsetStep === 90)).toBe(true);
    expect(whole.watch.logEvery()).toBe(1);
  });

  it("says the same of ranks and of the run, however the samples are cut into batches", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(SAMPLES.length), { maxLength: 6 }), fc.boolean(), (at, resume) => {
        const { said, watch } = watched(
          at.toSorted((a, b) => a - b),
          resume,
        );
        expect(ofRanks(said)).toEqual(ofRanks(whole.said));
        expect(said.filter(({ detector }) => !RANK_IDS.has(detector))).toEqual(
          whole.said.filter(({ detector }) => !RANK_IDS.has(detector)),
        );
        expect(watch.conclude()).toEqual(whole.watch.conclude());
        expect(watch.coverage()).toEqual(whole.watch.coverage());
      }),
      { numRuns: 8 },
    );
  });

  it("tells the newest step of each rank", () => {
    const steps = whole.watch.rankSteps();
    expect(steps.size).toBe(16);
    expect([steps.get(0), steps.get(8)]).toEqual([169, 120]);
  });

  it("refuses the state of other versions", () => {
    expect(resumeWatch(CONTEXT, { detectors: { "rank-deviation": 0 }, ranks: {}, assembler: {}, pace: {} })).toBeNull();
    expect(resumeWatch(CONTEXT, null)).toBeNull();
  });

  it("learns the layout when it is told: cohorts are made anew and no finding is made of the change", () => {
    const watch = newWatch(CONTEXT);
    const healthy = rankTrace({ steps: 300, seed: 21 }).filter(({ metric }) => metric === "loss");
    const samples = healthy.flatMap(({ metric, step, timeMs, values }) =>
      [...values].map((value, rank) => ({ metric, rank: String(rank), step, timeMs, value })),
    );
    const half = samples.length / 2;
    const before = watch.observe(samples.slice(0, half));
    expect(watch.coverage().find(({ detector }) => detector === "rank-deviation")).toMatchObject({
      sees: true,
      why: "no layout is known, so all ranks are one cohort",
    });
    watch.place(PLACEMENTS);
    expect(ofRanks([...before, ...watch.observe(samples.slice(half))])).toEqual([]);
    expect(watch.coverage().find(({ detector }) => detector === "rank-deviation")).toMatchObject({ sees: true, why: null });
  });

  it("reads what rank detectors read, and nothing twice", () => {
    expect(new Set(RANK_METRICS).size).toBe(RANK_METRICS.length);
    expect(RANK_METRICS).toEqual(expect.arrayContaining(["loss", "grad_norm", "compute_time", "param_hash"]));
  });
});
