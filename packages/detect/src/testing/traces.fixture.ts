import type { Sample } from "@trainwatch/core";
import { series, woven } from "./series.fixture.ts";

/** A run with every kind of trouble in it, so that each detector speaks at least once. */
export function troubledTrace(): Sample[] {
  const loss = series({ count: 900, sigma: 0.01, seed: 3, level: (index) => 2 + 3 * (index + 1) ** -0.4 + spikeAt(index) });
  const norm = series({
    metric: "grad_norm",
    count: 900,
    sigma: 0.1,
    seed: 4,
    level: (index) => (index === 300 ? 9 : index >= 640 ? 5 : 1),
  });
  const time = series({
    metric: "step_time",
    count: 900,
    sigma: 0.005,
    seed: 5,
    level: (index) => (index === 200 ? 9 : index >= 500 && index < 560 ? 1.4 : 1),
  });
  const rate = series({ metric: "learning_rate", count: 900, sigma: 0, seed: 6, level: (index) => (index < 590 ? 1e-3 : 2e-3) });
  const broken = norm.map((sample) => (sample.step >= 800 ? { ...sample, value: Number.NaN } : sample));
  const filtered = loss.map((sample) => {
    if (sample.step >= 760 && sample.step < 770) return { ...sample, value: Number.POSITIVE_INFINITY };
    return sample.step >= 800 ? { ...sample, value: 2.25 } : sample;
  });
  return woven(rate, filtered, broken, time);
}

/** 60 outliers in 400 points: an unstable regime. */
export function spikyTrace(): Sample[] {
  return series({ count: 700, sigma: 0.01, seed: 7, level: (index) => (index > 300 && index % 13 === 0 ? 2.6 : 2) });
}

/** A run whose pace, scales and schedule go wrong one after another. */
export function strainedTrace(): Sample[] {
  const time = series({
    metric: "step_time",
    count: 1_400,
    sigma: 0.005,
    seed: 11,
    level: (index) => (index > 700 && isHit(index, 0.12) ? 1.3 : 1),
  });
  const rate = series({
    metric: "tokens_per_second",
    count: 1_400,
    sigma: 0.01,
    seed: 12,
    level: (index) => (index >= 900 && index < 1_000 ? 8e5 : 1e6),
  });
  const scale = series({
    metric: "loss_scale",
    count: 1_400,
    sigma: 0,
    level: (index) => (index < 600 ? 65_536 : 65_536 / 2 ** Math.min(18, index - 600)),
  });
  const logit = series({
    metric: "attention_logit_max",
    count: 1_400,
    sigma: 0.02,
    seed: 13,
    level: (index) => 40 * Math.exp(index / 300),
  });
  const schedule = series({
    metric: "learning_rate",
    count: 1_400,
    sigma: 0,
    level: (index) => (index < 1_100 ? 1e-3 : 2e-3) * (1 - index / 2_000),
  });
  const saves = series({
    metric: "checkpoint_save_time",
    count: 28,
    every: 50,
    sigma: 0.05,
    seed: 14,
    level: (index) => (index >= 20 && index < 24 ? 90 : 30),
  });
  return woven(schedule, rate, scale, logit, time, saves);
}

/** True for a share of all indices, without a pattern. */
export function isHit(index: number, share: number): boolean {
  const hash = Math.sin(index * 12.9898) * 43_758.5453;
  return hash - Math.floor(hash) < share;
}

/** What a careless source does to a trace: repeats, late and far samples, gaps, values out of every range. */
export function roughTrace(): Sample[] {
  return troubledTrace().flatMap((sample, index): Sample[] => {
    if (index % 97 === 0) return [];
    if (index % 89 === 0) return [sample, sample, { ...sample, step: Math.max(0, sample.step - 40) }];
    if (index % 83 === 0) return [{ ...sample, value: index % 2 === 0 ? Number.NaN : Number.NEGATIVE_INFINITY }];
    if (index === 1500) return [{ ...sample, step: 1_000_000_000 }];
    if (index % 79 === 0) return [{ ...sample, timeMs: null }];
    return [sample];
  });
}

function spikeAt(index: number): number {
  if (index === 400) return 2;
  return index >= 600 && index < 660 ? 1.2 * Math.exp(-(index - 600) / 15) : 0;
}
