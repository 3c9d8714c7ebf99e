import { findingSchema } from "@trainwatch/core";
import type { Finding, RankPlacement } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DETECTORS, RANK_DETECTORS, rankMonitorOf } from "../index.ts";
import type { RankDetectorEntry, RankStep } from "../index.ts";
import { PLACEMENTS, rankTrace, roughRanks, troubledRanks } from "../testing/rank-traces.fixture.ts";
import { CONTEXT } from "../testing/series.fixture.ts";

const TRACES: readonly (readonly [name: string, steps: readonly RankStep[], placements: readonly RankPlacement[]])[] = [
  ["a troubled run", troubledRanks(), PLACEMENTS],
  ["a troubled run of unknown layout", troubledRanks(), []],
  ["a careless source", roughRanks(), PLACEMENTS],
];

/** Everything said, in order, with the state stored and read back at each cut. */
function said(
  entry: RankDetectorEntry,
  steps: readonly RankStep[],
  placements: readonly RankPlacement[],
  cuts: readonly number[] = [],
): readonly Finding[] {
  const context = { ...CONTEXT, placements };
  let monitor = rankMonitorOf([entry], context);
  const findings: Finding[] = [];
  let from = 0;
  for (const cut of [...cuts, steps.length]) {
    for (const step of steps.slice(from, cut)) findings.push(...monitor.observe(step));
    from = cut;
    const stored: unknown = JSON.parse(JSON.stringify(monitor.state()));
    if (cuts.length > 0) monitor = rankMonitorOf([entry], context, stored);
  }
  return [...findings, ...monitor.finish()];
}

it("ids are unique and stable words, also among the detectors of the whole run", () => {
  const ids = [...DETECTORS, ...RANK_DETECTORS].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+(?:-[a-z]+)*$/.test(id))).toEqual([]);
});

describe.each(RANK_DETECTORS.map((entry): [string, RankDetectorEntry] => [entry.id, entry]))("rank detector %s", (_, entry) => {
  it("has its manual filled in", () => {
    expect(Number.isInteger(entry.version) && entry.version >= 1).toBe(true);
    for (const text of [entry.title, entry.finds, entry.source]) expect(text.length).toBeGreaterThan(5);
    expect(entry.metrics.length).toBeGreaterThan(0);
    expect(entry.parameters.length).toBeGreaterThan(0);
    for (const parameter of entry.parameters) {
      expect(parameter.meaning.length).toBeGreaterThan(5);
      expect(Number.isFinite(parameter.value)).toBe(true);
    }
    expect(new Set(entry.parameters.map(({ name }) => name)).size).toBe(entry.parameters.length);
  });

  it("speaks on a run that has its trouble, in findings of the common schema with evidence for and against", () => {
    const findings = TRACES.flatMap(([, steps, placements]) => said(entry, steps, placements));
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(findingSchema.strict().parse(finding)).toEqual(finding);
      expect(finding.summary).toMatch(/^[A-Z0-9].*\.$/);
      expect(finding.summary).not.toMatch(/NaN,|undefined|null/);
      expect(finding.evidence.some(({ weight }) => weight === "for")).toBe(true);
      expect(finding.evidence.some(({ weight }) => weight === "against")).toBe(true);
      expect(finding.onsetLowerStep).toBeLessThanOrEqual(finding.onsetStep ?? Number.NaN);
      expect(finding.onsetStep).toBeLessThanOrEqual(finding.detectedStep ?? Number.NaN);
      if (finding.subject.kind === "rank") expect(finding.place?.rank).toBe(Number(finding.subject.id));
    }
  });

  it("says nothing above a note on a healthy run", () => {
    const healthy = rankTrace({ steps: 500, seed: 9 });
    expect(said(entry, healthy, PLACEMENTS).filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(said(entry, healthy, []).filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  it.each(TRACES)("says the same twice on %s", (_name, steps, placements) => {
    expect(said(entry, steps, placements)).toEqual(said(entry, steps, placements));
  });

  it.each(TRACES)("stored as JSON and read back, goes on over %s as if it had never stopped", (_name, steps, placements) => {
    const whole = said(entry, steps, placements);
    const cuts = fc.array(fc.integer({ min: 0, max: steps.length }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(cuts, (at) => {
        expect(
          said(
            entry,
            steps,
            placements,
            at.toSorted((a, b) => a - b),
          ),
        ).toEqual(whole);
      }),
      { numRuns: 6 },
    );
  });

  it("takes any step without throwing, and its state stays JSON", () => {
    const anyValue = fc.oneof(
      { weight: 6, arbitrary: fc.double({ min: 1e-6, max: 1e6, noNaN: true }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, -3.5, 1e308, -1e308, 5e-324),
      },
    );
    const anyStep = fc.record({
      metric: fc.constantFrom(...entry.metrics, "something else"),
      gap: fc.integer({ min: 1, max: 1e6 }),
      timeMs: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 2e12 })),
      values: fc.array(fc.option(anyValue), { minLength: 0, maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 120 }), fc.boolean(), (rows, isPlaced) => {
        const monitor = rankMonitorOf([entry], { ...CONTEXT, placements: isPlaced ? PLACEMENTS : [] });
        const last = new Map<string, number>();
        for (const { metric, gap, timeMs, values } of rows) {
          const step = (last.get(metric) ?? 0) + gap;
          last.set(metric, step);
          const row = {
            metric,
            step,
            timeMs,
            values: Float64Array.from(values, (value) => value ?? Number.NaN),
            has: Uint8Array.from(values, (value) => (value === null ? 0 : 1)),
          };
          for (const finding of monitor.observe(row)) findingSchema.parse(finding);
        }
        monitor.place(isPlaced ? [] : PLACEMENTS);
        for (const finding of monitor.finish()) findingSchema.parse(finding);
        const state = monitor.state();
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        expect(monitor.coverage()).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps a state that does not grow with the run", () => {
    const monitor = rankMonitorOf([entry], { ...CONTEXT, placements: PLACEMENTS });
    const sizeAfter = (seed: number): number => {
      for (const step of rankTrace({ steps: 1_200, seed })) monitor.observe({ ...step, step: step.step + seed * 1_200 });
      return JSON.stringify(monitor.state()).length;
    };
    const early = sizeAfter(0);
    expect(sizeAfter(1) / early).toBeLessThan(1.6);
  });

  it("says why it cannot see when nothing it reads is logged", () => {
    const [coverage] = rankMonitorOf([entry], { ...CONTEXT, placements: [] }).coverage();
    expect(coverage?.sees).toBe(false);
    expect(coverage?.why).toMatch(/logged/);
  });

  it("starts fresh from a state that is not its own", () => {
    const steps = troubledRanks().slice(0, 2_500);
    const whole = said(entry, steps, PLACEMENTS);
    for (const stored of [
      null,
      7,
      {},
      { detectors: null },
      { detectors: { [entry.id]: { version: 999, state: {} } } },
      { detectors: { [entry.id]: [] } },
    ]) {
      const monitor = rankMonitorOf([entry], { ...CONTEXT, placements: PLACEMENTS }, stored);
      expect([...steps.flatMap((step) => monitor.observe(step)), ...monitor.finish()]).toEqual(whole);
    }
  });
});
