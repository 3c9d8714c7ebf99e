import type { Finding, Sample } from "@trainwatch/core";
import { normalDraw, seededRandom } from "@trainwatch/stats";
import { createMonitor } from "../index.ts";

export const CONTEXT = { run: "lab/run", attempt: "a1" };

/** A series of `count` logged points: `level` at each index, times exp of Gaussian noise of `sigma` (a share of the level). */
export interface SeriesPlan {
  readonly metric?: string;
  readonly count: number;
  readonly every?: number;
  readonly firstStep?: number;
  readonly sigma?: number;
  readonly seed?: number;
  level(index: number): number;
}

export function series({ metric = "loss", count, every = 1, firstStep = 0, sigma = 0.01, seed = 1, level }: SeriesPlan): Sample[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const step = firstStep + index * every;
    return { metric, step, timeMs: 1_700_000_000_000 + step * 1000, value: level(index) * Math.exp(sigma * normalDraw(random)) };
  });
}

/** Several series as a trainer logs them: by step, in the order given within a step. */
export function woven(...parts: readonly (readonly Sample[])[]): Sample[] {
  return parts
    .flat()
    .map((sample, order) => ({ sample, order }))
    .sort((a, b) => a.sample.step - b.sample.step || a.order - b.order)
    .map(({ sample }) => sample);
}

/** The findings as they stand at the end, each in its newest form. */
export function findingsOf(samples: readonly Sample[], finish = true): Finding[] {
  const monitor = createMonitor(CONTEXT);
  const byId = new Map<string, Finding>();
  for (const finding of monitor.observe(samples)) byId.set(finding.id, finding);
  if (finish) for (const finding of monitor.finish()) byId.set(finding.id, finding);
  return [...byId.values()];
}

export function alarmsOf(samples: readonly Sample[], finish = true): Finding[] {
  return findingsOf(samples, finish).filter((finding) => finding.severity !== "info");
}
