import type { Finding } from "@trainwatch/core";
import { AttemptWatch } from "./attempt-watch.ts";
import { ChartSketch } from "./chart-sketch.ts";

/** Attempts under watch at once. A log that restarts all day has the older ones concluded: each takes memory for its baselines. */
const MAX_LIVE = 16;

type Point = Parameters<AttemptWatch["observe"]>[2];

/** What is known of an attempt's pace and of what its detectors could see. */
export interface AttemptFacts {
  /** Median steps between logged points. */
  readonly logEvery: number;
  /** Median seconds an optimizer step; null where unknown. */
  readonly stepTimeS: number | null;
  readonly coverage: ReturnType<AttemptWatch["coverage"]>;
}

interface Live {
  readonly watch: AttemptWatch;
  readonly sketch: ChartSketch;
}

/** The attempts of a run under watch. Findings are told as they come, with the attempt's logging interval. */
export class AttemptShelf {
  private readonly live = new Map<string, Live>();
  private readonly concluded = new Map<string, AttemptFacts>();
  private newest: { readonly attempt: string; readonly held: Live } | null = null;
  private readonly run: string;
  private readonly tell: (findings: readonly Finding[], logEvery: number) => void;

  constructor(run: string, tell: (findings: readonly Finding[], logEvery: number) => void) {
    this.run = run;
    this.tell = tell;
  }

  /** @param rank null where the source names none */
  observe(attempt: string, metric: string, rank: string | null, point: Point): void {
    const held = this.newest?.attempt === attempt ? this.newest.held : this.take(attempt);
    if (held === null) return;
    if (metric === "loss") held.sketch.add(point.step, point.value);
    this.say(held.watch.observe(metric, rank, point), held.watch);
  }

  /** What was taken for an attempt is none. */
  forget(attempt: string): void {
    this.live.delete(attempt);
    this.concluded.delete(attempt);
    this.newest = null;
  }

  /** No more points come. */
  finish(): void {
    for (const attempt of [...this.live.keys()])
      this.say(this.live.get(attempt)?.watch.finish() ?? [], this.live.get(attempt)?.watch ?? null);
  }

  facts(attempt: string): AttemptFacts | null {
    const held = this.live.get(attempt);
    return held === undefined ? (this.concluded.get(attempt) ?? null) : factsOf(held.watch);
  }

  /** Outline of the loss, of the newest attempts only. */
  sketch(attempt: string): ChartSketch | null {
    const sketch = this.live.get(attempt)?.sketch ?? null;
    return sketch?.range() === null ? null : sketch;
  }

  /** The attempt under watch, moved to the end as the one last heard of; null where it was concluded. */
  private take(attempt: string): Live | null {
    if (this.concluded.has(attempt)) return null;
    const held = this.live.get(attempt) ?? { watch: new AttemptWatch(this.run, attempt), sketch: new ChartSketch() };
    this.live.delete(attempt);
    this.live.set(attempt, held);
    this.newest = { attempt, held };
    if (this.live.size > MAX_LIVE) this.conclude();
    return held;
  }

  private conclude(): void {
    const [oldest] = this.live;
    if (oldest === undefined) return;
    const [attempt, { watch }] = oldest;
    this.say(watch.finish(), watch);
    this.live.delete(attempt);
    this.concluded.set(attempt, factsOf(watch));
  }

  private say(findings: readonly Finding[], watch: AttemptWatch | null): void {
    if (findings.length > 0 && watch !== null) this.tell(findings, watch.logEvery());
  }
}

function factsOf(watch: AttemptWatch): AttemptFacts {
  return { logEvery: watch.logEvery(), stepTimeS: watch.stepTimeS(), coverage: watch.coverage() };
}
