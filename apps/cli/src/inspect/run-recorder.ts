import { createLineage } from "@trainwatch/core";
import type { Attempt, Checkpoint, Lineage, LineageCorrection, LineagePoint, LogRecord, PlacedPoint, PointsRecord } from "@trainwatch/core";
import { SeriesBook } from "../inputs/series-book.ts";
import type { SourceSeries } from "../inputs/series-book.ts";
import { AttemptShelf } from "./attempt-shelf.ts";
import { IncidentLedger } from "./incident-ledger.ts";
import { countPoint, mergeSummary, newSummary } from "./series-summary.ts";
import type { SeriesSummary } from "./series-summary.ts";

/** A save a second for half a day; no real log has a tenth of these. */
const MAX_CHECKPOINTS = 50_000;

interface Point extends LineagePoint {
  readonly of: SourceSeries;
}

/** What did not fit, counted. */
export interface Omissions {
  readonly points: number;
  readonly checkpoints: number;
  readonly notes: number;
}

/** Takes the records of one run, from one file or several, and keeps what a report says of it. Memory does not grow with its length. */
export class RunRecorder {
  readonly ledger: IncidentLedger;
  readonly checkpoints: Checkpoint[] = [];
  readonly facts = new Map<string, string | number>();
  stepUnit: PointsRecord["stepUnit"] = "optimizer-steps";
  private readonly lineage: Lineage<Point> = createLineage<Point>();
  private readonly book = new SeriesBook();
  private readonly summaries = new Map<string, SeriesSummary>();
  /** The summary each series was last counted in: it seldom changes from one point to the next. */
  private readonly newest = new Map<SourceSeries, SeriesSummary>();
  readonly shelf: AttemptShelf;
  private current = "a1";
  private checkpointsOmitted = 0;

  /** @param run `project/name` */
  constructor(run: string) {
    this.ledger = new IncidentLedger(run);
    this.shelf = new AttemptShelf(run, (findings, logEvery) => findings.forEach((finding) => this.ledger.take(finding, logEvery)));
  }

  accept(record: LogRecord): void {
    switch (record.kind) {
      case "points":
        return this.points(record);
      case "start":
        return this.lineage.marker(record.reason);
      case "checkpoint":
        return this.checkpoint({
          attempt: this.current,
          step: record.step,
          kind: "model",
          path: record.path,
          state: record.state,
          savedAtMs: record.timeMs,
          reason: null,
        });
      case "meta":
        this.facts.set(record.key, record.value);
        return;
      case "note":
        return;
    }
  }

  /** Another input of the run begins: where its steps do not go on above, it is another launch. */
  beginInput(): void {
    this.lineage.marker("another file begins");
  }

  /** One input of the run is at its end: what it left undecided is decided by the best guess. */
  endOfInput(): void {
    this.placed(this.lineage.settle());
  }

  /** The run is at its end. */
  finish(): void {
    this.endOfInput();
    this.shelf.finish();
  }

  attempts(): readonly Attempt[] {
    return this.lineage.attempts();
  }

  metrics(): readonly SeriesSummary[] {
    return [...this.summaries.values()];
  }

  /** A number that the log states about the run, such as `gpus`. */
  fact(key: string): number | null {
    const value = this.facts.get(key);
    return typeof value === "number" && value > 0 ? value : null;
  }

  omissions(): Omissions {
    return { points: this.book.omitted, checkpoints: this.checkpointsOmitted, notes: this.ledger.notesOmitted };
  }

  private points(record: PointsRecord): void {
    this.stepUnit = record.stepUnit;
    for (const [sourceName, value] of record.values) {
      const of = this.book.seriesOf(sourceName, record.labels, record.line);
      if (of === null) continue;
      if (record.step === null) this.unstepped(of, value);
      else this.placed(this.lineage.place({ series: of.key, step: record.step, timeMs: record.timeMs, value, of }));
    }
  }

  private placed(points: readonly PlacedPoint<Point>[]): void {
    for (const correction of this.lineage.takeCorrections()) this.correct(correction);
    for (const { point, placement } of points) {
      const { attempt, writer, flag } = placement;
      countPoint(this.summaryOf(point.of, attempt, writer), flag === null ? point.step : null, point.value);
      if (flag !== null || writer !== null) continue;
      this.current = attempt;
      const rank = watchedAs(point.of.labels);
      if (rank === undefined) continue;
      this.shelf.observe(attempt, point.of.name, rank, point);
    }
  }

  /** Points placed before turn out to belong elsewhere. What was an attempt and is none takes its findings with it. */
  private correct({ series, attempt, writer, becomes, reflag }: LineageCorrection): void {
    if (reflag !== undefined) return this.reflag(summaryKey(series, attempt, writer), attempt);
    this.newest.clear();
    const key = summaryKey(series, attempt, writer);
    const moved = this.summaries.get(key);
    if (moved !== undefined) {
      this.summaries.delete(key);
      const target = this.summaries.get(summaryKey(series, becomes.attempt, becomes.writer));
      if (target === undefined) {
        moved.attempt = becomes.attempt;
        moved.writer = becomes.writer;
        this.summaries.set(summaryKey(series, becomes.attempt, becomes.writer), moved);
      } else mergeSummary(target, moved);
    }
    if (becomes.attempt === attempt || this.lineage.attempts().some(({ name }) => name === attempt)) return;
    this.shelf.forget(attempt);
    this.ledger.forgetAttempt(attempt);
    for (const [index, checkpoint] of this.checkpoints.entries()) {
      if (checkpoint.attempt === attempt) this.checkpoints[index] = { ...checkpoint, attempt: becomes.attempt };
    }
    if (this.current === attempt) this.current = becomes.attempt;
  }

  /** Far points turned out to be real, or others to be far: the series ends where its attempt does at most, or there. */
  private reflag(key: string, attempt: string): void {
    const summary = this.summaries.get(key);
    const last = this.lineage.attempts().find(({ name }) => name === attempt)?.lastStep ?? null;
    if (summary === undefined || last === null || summary.lastStep === null) return;
    summary.lastStep = Math.min(summary.lastStep, last);
    summary.firstStep = Math.min(summary.firstStep ?? last, last);
  }

  private unstepped(of: SourceSeries, value: number): void {
    countPoint(this.summaryOf(of, this.current, null), null, value);
  }

  private checkpoint(checkpoint: Checkpoint): void {
    if (this.checkpoints.length < MAX_CHECKPOINTS) this.checkpoints.push(checkpoint);
    else this.checkpointsOmitted++;
  }

  private summaryOf(of: SourceSeries, attempt: string, writer: string | null): SeriesSummary {
    const newest = this.newest.get(of);
    if (newest !== undefined && newest.attempt === attempt && newest.writer === writer) return newest;
    const key = summaryKey(of.key, attempt, writer);
    const held = this.summaries.get(key) ?? newSummary({ name: of.name, sourceName: of.sourceName, labels: of.labels, attempt, writer });
    this.summaries.set(key, held);
    this.newest.set(of, held);
    return held;
  }
}

/** The rank as which detectors take a series, null where it stands alone; undefined where they leave it out: evaluations, other splits. */
function watchedAs(labels: Readonly<Record<string, string>>): string | null | undefined {
  let rank: string | null = null;
  for (const name in labels) {
    if (name !== "rank") return undefined;
    rank = labels[name] ?? null;
  }
  return rank;
}

function summaryKey(series: string, attempt: string, writer: string | null): string {
  return `${series}\u0001${attempt}\u0001${writer ?? ""}`;
}
