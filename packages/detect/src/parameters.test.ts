import { isAppError } from "@trainwatch/core";
import type { Finding, Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { checkParameters, DETECTORS, monitorOf, overridesOf, parametersOf } from "./index.ts";
import type { DetectorEntry, DetectorParameter } from "./index.ts";
import { stepTime } from "./detectors/step-time.ts";
import { CONTEXT, series, woven } from "./testing/series.fixture.ts";
import { healthyRlTrace, noisy, troubledRlTrace } from "./testing/rl-traces.fixture.ts";
import { roughTrace, spikyTrace, strainedTrace, troubledTrace } from "./testing/traces.fixture.ts";

/** A loss that climbs away and one that jumps, a norm that explodes and one of hardly any scatter, a scale that sinks slowly. */
function divergingTraces(): readonly Sample[][] {
  const climbing = series({
    count: 1_300,
    sigma: 0.001,
    seed: 51,
    level: (index) => 2 * (index < 600 ? 1 : Math.min(1.095, 1 + (index - 600) / 3_600)),
  });
  const jumping = series({ count: 1_300, sigma: 0.02, seed: 61, level: (index) => (index === 300 ? 2.3 : index < 600 ? 2 : 2.6) });
  const norm = series({
    metric: "grad_norm",
    count: 1_300,
    sigma: 0.05,
    seed: 52,
    level: (index) => (index < 600 ? 1 : Math.min(20, Math.exp((index - 600) / 150))),
  });
  const overflowing = norm.map((sample) => (sample.step === 100 ? { ...sample, value: Number.POSITIVE_INFINITY } : sample));
  const smooth = series({ metric: "update_norm", count: 1_300, sigma: 0.0005, seed: 58, level: (index) => (index < 600 ? 1 : 1.01) });
  const scattered = series({
    metric: "grad_norm",
    count: 1_300,
    sigma: 0.15,
    seed: 59,
    level: (index) => (index < 600 ? (index % 200 === 150 ? 2.5 : 1) : 25),
  });
  const scale = series({ metric: "loss_scale", count: 1_300, sigma: 0, level: (index) => (index < 100 ? 4 : index < 104 ? 2 : 4) });
  const sinking = series({
    metric: "loss_scale",
    count: 900,
    sigma: 0,
    level: (index) => 2 ** (16 - Math.floor(Math.max(0, index - 300) / 60)),
  });
  return [woven(scale, climbing, overflowing, smooth), woven(jumping, scattered), sinking];
}

/** fp16 begins: infinite norms in a row while it searches its scale. */
function openingTrace(): Sample[] {
  const norm = series({ metric: "grad_norm", count: 400, sigma: 0.05, seed: 53, level: () => 1 }).map((sample) =>
    sample.step < 6 ? { ...sample, value: Number.POSITIVE_INFINITY } : sample,
  );
  const scale = series({ metric: "loss_scale", count: 400, sigma: 0, level: (index) => 2 ** Math.max(16, 24 - index) });
  return woven(scale, norm);
}

/** A loss that freezes under sound norms, and one that freezes under zero norms. */
function frozenTrace(): Sample[] {
  const loss = series({ count: 900, sigma: 0.01, seed: 54, level: () => 2 }).map((sample) =>
    (sample.step > 300 && sample.step < 340) || sample.step > 600 ? { ...sample, value: 2.25 } : sample,
  );
  const norm = series({ metric: "grad_norm", count: 900, sigma: 0.1, seed: 55, level: (index) => (index > 603 ? 0 : 1) });
  return woven(loss, norm);
}

/** A loss printed so coarsely that it repeats for long. */
function coarseTrace(): Sample[] {
  return series({ count: 900, sigma: 0, level: (index) => Math.round(4 * (2 + Math.sin(index / 40))) / 4 });
}

/** Warm-ups that begin anew, jumps in the rate far apart, saves that are slow for long. */
function rateTrace(): Sample[] {
  const rate = series({
    metric: "learning_rate",
    count: 900,
    firstStep: 100,
    sigma: 0,
    level: (index) => (index < 60 ? index + 3 : 63) * (index < 300 ? 1 : 1.15) * (index < 400 ? 1 : 1.6) * (index < 480 ? 1 : 1.6),
  });
  const saves = series({
    metric: "checkpoint_save_time",
    count: 60,
    every: 10,
    sigma: 0.05,
    seed: 56,
    level: (index) => (index < 12 ? 30 : index < 40 ? 75 : 30),
  });
  const logit = series({
    metric: "attention_logit_max",
    count: 900,
    sigma: 0.05,
    seed: 57,
    level: (index) => (index > 100 && index < 400 ? (index % 90 < 45 ? 130 : 88) : 60),
  });
  return woven(rate, saves, logit);
}

/** Entropy falls to a little, and the reward does not move. */
function stalledTrace(): Sample[] {
  const reward = noisy({ metric: "reward", count: 400, sigma: 0.01, seed: 62, level: () => 0.5 });
  const entropy = noisy({ metric: "entropy", count: 400, sigma: 0.005, seed: 63, level: (index) => 0.13 + 0.87 * Math.exp(-index / 40) });
  return woven(reward, entropy);
}

const TRACES = [
  troubledTrace(),
  spikyTrace(),
  strainedTrace(),
  roughTrace(),
  ...divergingTraces(),
  openingTrace(),
  frozenTrace(),
  coarseTrace(),
  rateTrace(),
  troubledRlTrace(),
  healthyRlTrace(1_000),
  stalledTrace(),
];

function said(entry: DetectorEntry, parameters: Readonly<Record<string, number>>): readonly Finding[] {
  return TRACES.flatMap((samples) => {
    const monitor = monitorOf([entry], { ...CONTEXT, parameters: { [entry.id]: parameters } });
    return [
      ...monitor.observe(
        samples.filter(({ metric }) =>
          entry.metrics.some((each) => each === metric || (each.endsWith("/*") && metric.startsWith(each.slice(0, -1)))),
        ),
      ),
      ...monitor.finish(),
    ];
  });
}

/** Values an override may take, far from the default on both sides. */
function candidates({ value, least, most }: DetectorParameter): readonly number[] {
  const factors = [0.02, 0.2, 0.5, 0.9, 1.1, 2, 5, 50].map((factor) => value * factor);
  return [...factors, ...(least === undefined ? [] : [least]), ...(most === undefined ? [] : [most])].map((wanted) =>
    Math.min(most ?? Number.POSITIVE_INFINITY, Math.max(least ?? 1e-12, wanted)),
  );
}

describe("parameters of detectors", () => {
  const cases = DETECTORS.flatMap((entry: DetectorEntry) =>
    entry.parameters.map((parameter): [string, DetectorEntry, DetectorParameter] => [`${entry.id} ${parameter.name}`, entry, parameter]),
  );

  it.each(cases)("%s is honoured: another value says something else on one of the traces", (_, entry, parameter) => {
    const usual = JSON.stringify(said(entry, {}));
    const isHonoured = candidates(parameter).some((value) => JSON.stringify(said(entry, { [parameter.name]: value })) !== usual);
    expect(isHonoured).toBe(true);
  });

  it("in force are the defaults where nothing overrides them, and overrides of this detector only", () => {
    expect(parametersOf(stepTime, {})).toMatchObject({ ratio: 1.1, in_a_row: 5, window: 50 });
    expect(parametersOf(stepTime, { parameters: { "step-time": { ratio: 1.3 }, jitter: { window: 900 } } })).toMatchObject({
      ratio: 1.3,
      window: 50,
    });
    expect(overridesOf(stepTime, { parameters: { "step-time": { ratio: 1.3, window: 50 } } })).toEqual({ ratio: 1.3 });
  });

  it("that the edge would refuse are passed over", () => {
    const parameters = { "step-time": { ratio: Number.NaN, window: -3, lag: 1e9, "in-a-row": 2 } };
    expect(parametersOf(stepTime, { parameters })).toEqual(parametersOf(stepTime, {}));
  });

  it.each([
    [{ "in-a-row": 2 }, 'Detector step-time has no parameter "in-a-row"; it has ratio, in_a_row, deviations, window, lag, pause.'],
    [{ ratio: Number.NaN }, "Parameter ratio of detector step-time must be a finite number, and NaN is not."],
    [{ window: 3 }, "Parameter window of detector step-time must be at least 20, and 3 is not."],
    [{ window: 1e6 }, "Parameter window of detector step-time must be at most 2048, and 1000000 is not."],
    [{ in_a_row: 0 }, "Parameter in_a_row of detector step-time must be above 0, and 0 is not."],
  ])("%j are refused with the reason", (overrides, message) => {
    const refused = (): unknown => {
      try {
        return checkParameters(stepTime, overrides);
      } catch (error) {
        return isAppError(error) ? [error.code, error.message] : error;
      }
    };
    expect(refused()).toEqual(["bad-request", message]);
  });

  it("that the entry knows are let through", () => {
    expect(checkParameters(stepTime, { ratio: 1.2, deviations: 0 })).toBeUndefined();
  });

  it("that have changed make a stored state another detector's: it starts afresh", () => {
    const slow = series({ metric: "step_time", count: 300, sigma: 0.005, level: (index) => (index >= 200 ? 1.3 : 1) });
    const first = monitorOf([stepTime], CONTEXT);
    first.observe(slow.slice(0, 198));
    const changed = { ...CONTEXT, parameters: { "step-time": { ratio: 1.2 } } };
    expect(monitorOf([stepTime], CONTEXT, first.state()).coverage()).toMatchObject([{ sees: true }]);
    const anew = monitorOf([stepTime], changed, first.state());
    expect(anew.coverage()).toMatchObject([{ sees: false }]);
    anew.observe(slow.slice(198));
    expect(monitorOf([stepTime], changed, JSON.parse(JSON.stringify(anew.state()))).coverage()).toMatchObject([{ sees: true }]);
  });
});
