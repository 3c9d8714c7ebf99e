import type { Finding } from "@trainwatch/core";
import { newWatch } from "@trainwatch/detect";
import type { RankSample, AttemptWatch as Watch } from "@trainwatch/detect";

/** Detectors judge after so many samples, or when asked: a call for each sample would cost more than the judging. */
const BATCH_SAMPLES = 512;

/** One attempt of a log as detectors see it, a point at a time. */
export class AttemptWatch {
  private readonly watch: Watch;
  private batch: RankSample[] = [];

  constructor(run: string, attempt: string) {
    this.watch = newWatch({ run, attempt });
  }

  /** @param rank null where the source names none */
  observe(
    metric: string,
    rank: string | null,
    point: { readonly step: number; readonly timeMs: number | null; readonly value: number },
  ): readonly Finding[] {
    const { step, timeMs, value } = point;
    this.batch.push({ metric, rank, step, timeMs, value });
    return this.batch.length < BATCH_SAMPLES ? [] : this.flush();
  }

  /** Judges what has been collected. */
  flush(): readonly Finding[] {
    const samples = this.batch;
    this.batch = [];
    return this.watch.observe(samples);
  }

  /** The log is at its end. */
  finish(): readonly Finding[] {
    return [...this.flush(), ...this.watch.conclude()];
  }

  coverage(): ReturnType<Watch["coverage"]> {
    return this.watch.coverage();
  }

  /** Median seconds an optimizer step; null where unknown. */
  stepTimeS(): number | null {
    return this.watch.stepTimeS();
  }

  /** Median steps between logged points; 1 before two came. */
  logEvery(): number {
    return this.watch.logEvery() ?? 1;
  }
}
