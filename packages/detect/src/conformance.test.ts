import { findingSchema, POST_TRAINING_DETECTORS } from "@trainwatch/core";
import type { Finding, Sample } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DETECTORS, monitorOf } from "./index.ts";
import type { DetectorEntry } from "./index.ts";
import { CONTEXT, series } from "./testing/series.fixture.ts";
import { troubledRlTrace } from "./testing/rl-traces.fixture.ts";
import { roughTrace, spikyTrace, strainedTrace, troubledTrace } from "./testing/traces.fixture.ts";

const TRACES: readonly (readonly [name: string, samples: readonly Sample[]])[] = [
  ["a troubled run", troubledTrace()],
  ["an unstable regime", spikyTrace()],
  ["a strained run", strainedTrace()],
  ["a careless source", roughTrace()],
  ["post-training gone wrong", troubledRlTrace()],
];

/** Everything said, in order, over batches that end at `cuts`, with the state stored and read back at each cut if asked. */
function said(entry: DetectorEntry, samples: readonly Sample[], cuts: readonly number[] = [], isRestored = false): readonly Finding[] {
  let monitor = monitorOf([entry], CONTEXT);
  const findings: Finding[] = [];
  let from = 0;
  for (const cut of [...cuts, samples.length]) {
    findings.push(...monitor.observe(samples.slice(from, cut)));
    from = cut;
    if (isRestored) {
      const stored: unknown = JSON.parse(JSON.stringify(monitor.state()));
      monitor = monitorOf([entry], CONTEXT, stored);
    }
  }
  return [...findings, ...monitor.finish()];
}

const cutsWithin = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: length }), { maxLength: 6 }).map((cuts) => cuts.toSorted((a, b) => a - b));

/** A number for every sort of value a metric may take. */
const anyValue = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: 1e-6, max: 1e6, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, -3.5, 1e308, 5e-324) },
);

it("ids are unique and stable words", () => {
  const ids = DETECTORS.map((entry) => entry.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+(?:-[a-z]+)*$/.test(id))).toEqual([]);
});

describe.each(DETECTORS.map((entry): [string, DetectorEntry] => [entry.id, entry]))("detector %s", (_, entry) => {
  it("has its manual filled in", () => {
    expect(Number.isInteger(entry.version) && entry.version >= 1).toBe(true);
    for (const text of [entry.title, entry.finds, entry.source]) expect(text.length).toBeGreaterThan(5);
    expect(entry.metrics.length).toBeGreaterThan(0);
    expect(entry.parameters.length).toBeGreaterThan(0);
    for (const parameter of entry.parameters) {
      expect(parameter.meaning.length).toBeGreaterThan(5);
      expect(Number.isFinite(parameter.value)).toBe(true);
    }
    expect(new Set(entry.parameters.map((parameter) => parameter.name)).size).toBe(entry.parameters.length);
  });

  it("speaks on a run that has its trouble, in findings of the common schema with evidence for and against", () => {
    const findings = TRACES.flatMap(([, samples]) => said(entry, samples));
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(findingSchema.strict().parse(finding)).toEqual(finding);
      expect(finding.summary).toMatch(/^[A-Z].*\.$/);
      expect(finding.evidence.some((item) => item.weight === "for")).toBe(true);
      expect(finding.evidence.some((item) => item.weight === "against")).toBe(true);
      expect(finding.onsetLowerStep).toBeLessThanOrEqual(finding.onsetStep ?? Number.NaN);
      expect(finding.onsetStep).toBeLessThanOrEqual(finding.detectedStep ?? Number.NaN);
    }
  });

  it.each(TRACES)("says the same twice on %s", (_name, samples) => {
    expect(said(entry, samples)).toEqual(said(entry, samples));
  });

  it.each(TRACES)("says the same however %s is cut into batches", (_name, samples) => {
    const whole = said(entry, samples);
    fc.assert(
      fc.property(cutsWithin(samples.length), (cuts) => {
        expect(said(entry, samples, cuts)).toEqual(whole);
      }),
      { numRuns: 8 },
    );
  });

  it.each(TRACES)("stored as JSON and read back, goes on over %s as if it had never stopped", (_name, samples) => {
    const whole = said(entry, samples);
    fc.assert(
      fc.property(cutsWithin(samples.length), (cuts) => {
        expect(said(entry, samples, cuts, true)).toEqual(whole);
      }),
      { numRuns: 8 },
    );
  });

  it("takes any sample without throwing, and its state stays JSON", () => {
    const anySample = fc.record({
      metric: fc.constantFrom(...entry.metrics, "something else"),
      step: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 1e9, Number.MAX_SAFE_INTEGER)),
      timeMs: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 2e12 })),
      value: anyValue,
    });
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 400 }), (samples) => {
        const monitor = monitorOf([entry], CONTEXT);
        for (const finding of [...monitor.observe(samples), ...monitor.finish()]) findingSchema.parse(finding);
        const state = monitor.state();
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        // A detector of post-training has nothing to say of a run that shows no sign of it.
        expect(monitor.coverage().length).toBeGreaterThanOrEqual(POST_TRAINING_DETECTORS.has(entry.id) ? 0 : 1);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps a state that does not grow with the run", () => {
    const long = entry.metrics.flatMap((metric, index) =>
      series({ metric, count: 6_000, sigma: 0.05, seed: index, level: (at) => (at % 211 === 0 ? 9 : 1) }),
    );
    const monitor = monitorOf([entry], CONTEXT);
    const sizes: number[] = [];
    for (const metric of entry.metrics) {
      const own = long.filter((sample) => sample.metric === metric);
      monitor.observe(own.slice(0, 1_000));
      const early = JSON.stringify(monitor.state()).length;
      monitor.observe(own.slice(1_000));
      sizes.push(JSON.stringify(monitor.state()).length / early);
    }
    expect(Math.max(...sizes)).toBeLessThan(1.6);
  });

  it("says why it cannot see when nothing it reads is logged", () => {
    const monitor = monitorOf([entry], CONTEXT);
    if (POST_TRAINING_DETECTORS.has(entry.id)) {
      expect(monitor.coverage()).toEqual([]);
      monitor.observe([{ metric: "reward", step: 1, timeMs: null, value: 0.5 }]);
    }
    const [coverage] = monitor.coverage();
    expect(coverage?.sees).toBe(false);
    expect(coverage?.why).toMatch(/logged|short|No held-out/);
  });

  it("starts fresh from a state that is not its own", () => {
    for (const stored of [
      null,
      7,
      "x",
      {},
      { detectors: null },
      { detectors: { [entry.id]: { version: 999, state: {} } } },
      { detectors: { [entry.id]: [] } },
    ]) {
      const samples = troubledTrace().slice(0, 400);
      const monitor = monitorOf([entry], CONTEXT, stored);
      expect([...monitor.observe(samples), ...monitor.finish()]).toEqual(said(entry, samples));
    }
  });
});
