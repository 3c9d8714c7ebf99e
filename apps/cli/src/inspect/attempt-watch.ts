import type { Finding } from "@trainwatch/core";
import { newWatch } from "@trainwatch/detect";
import type { RankSample, AttemptWatch as Watch } from "@trainwatch/detect";

/** Detectors judge after so many samples, or when asked: a call for each sample would cost more than the judging. */
const BATCH_SAMPLES = 512;

/** One attempt of a log as detectors see it, a point at a time. */
export class AttemptWatch {
  private readonly watch: Watch;
  /** Metrics in the order in which they first came. */
  private readonly order = new Map<string, number>();
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
    if (!this.order.has(metric)) this.order.set(metric, this.order.size);
    // A step is judged whole: what one metric says about another must not hang on where a batch ends.
    const isFull = this.batch.length >= BATCH_SAMPLES && this.batch.at(-1)?.step !== step;
    const findings = isFull ? this.flush() : [];
    this.batch.push({ metric, rank, step, timeMs, value });
    return findings;
  }

  /** Judges what has been collected. */
  flush(): readonly Finding[] {
    const samples = this.inOrder(this.batch);
    this.batch = [];
    return this.watch.observe(samples);
  }

  /** Metrics of one step in the same order each time, as a server reads them, wherever a line happens to name them. */
  private inOrder(samples: readonly RankSample[]): readonly RankSample[] {
    const place = ({ metric }: RankSample): number => this.order.get(metric) ?? 0;
    const ordered: RankSample[] = [];
    for (let from = 0, to = 0; from < samples.length; from = to) {
      while (to < samples.length && samples[to]?.step === samples[from]?.step) to++;
      ordered.push(...samples.slice(from, to).sort((a, b) => place(a) - place(b)));
    }
    return ordered;
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
