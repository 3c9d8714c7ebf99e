import type { Finding, Sample } from "@trainwatch/core";
import { createMonitor } from "@trainwatch/detect";
import type { AttemptMonitor } from "@trainwatch/detect";
import { Pace } from "./pace.ts";
import { RankMean } from "./rank-mean.ts";

/** Detectors judge after so many samples, or when asked: a call for each sample would cost more than the judging. */
const BATCH_SAMPLES = 512;

/** One attempt as detectors see it: one series a metric, ranks averaged, evaluations and second writers left out. */
export class AttemptWatch {
  readonly pace = new Pace();
  private readonly monitor: AttemptMonitor;
  private readonly ranks = new Map<string, RankMean>();
  private readonly plain = new Set<string>();
  private batch: Sample[] = [];

  constructor(run: string, attempt: string) {
    this.monitor = createMonitor({ run, attempt });
  }

  /** @param rank null where the source names none */
  observe(
    metric: string,
    rank: string | null,
    point: { readonly step: number; readonly timeMs: number | null; readonly value: number },
  ): readonly Finding[] {
    const { step, timeMs, value } = point;
    if (rank === null) {
      this.plain.add(metric);
      return this.push({ metric, step, timeMs, value });
    }
    // A source that gives the mean beside its ranks has done the averaging itself.
    if (this.plain.has(metric)) return [];
    const done = this.rankMean(metric).add(step, timeMs, value);
    return done === null ? [] : this.push(done);
  }

  /** Judges what has been collected. */
  flush(): readonly Finding[] {
    if (this.batch.length === 0) return [];
    const samples = this.batch;
    this.batch = [];
    return this.monitor.observe(samples);
  }

  /** The log is at its end. */
  finish(): readonly Finding[] {
    for (const mean of this.ranks.values()) {
      const held = mean.take();
      if (held !== null) this.batch.push(held);
    }
    return [...this.flush(), ...this.monitor.finish()];
  }

  coverage(): ReturnType<AttemptMonitor["coverage"]> {
    return this.monitor.coverage();
  }

  private push(sample: Sample): readonly Finding[] {
    this.pace.observe(sample.metric, sample.step, sample.timeMs, sample.value);
    this.batch.push(sample);
    return this.batch.length < BATCH_SAMPLES ? [] : this.flush();
  }

  private rankMean(metric: string): RankMean {
    const held = this.ranks.get(metric);
    if (held !== undefined) return held;
    const fresh = new RankMean(metric);
    this.ranks.set(metric, fresh);
    return fresh;
  }
}
