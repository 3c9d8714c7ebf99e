import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalMetric, createLineage } from "@trainwatch/core";
import type { LineageCorrection, LineagePoint, LogRecord, PlacedPoint, Sample } from "@trainwatch/core";
import { HEAD_BYTES, detectFormat } from "@trainwatch/formats";
import { CORPUS_FOLDER } from "./corpus-folder.ts";

export interface ReadLog {
  readonly file: string;
  /** Null with the reason where no parser takes the file. */
  readonly format: string | null;
  readonly refusal: string | null;
  /** Samples of each attempt as detectors see them: first writer, no labels but rank 0. */
  readonly attempts: ReadonlyMap<string, readonly Sample[]>;
  /** Writers seen beside the first, as `attempt writer`. */
  readonly writers: ReadonlySet<string>;
}

interface Point extends LineagePoint {
  readonly metric: string;
  readonly isWatched: boolean;
}

/** Reads a file below `loss_curves` through the real parsers and the real lineage. */
export function readAttempts(file: string): ReadLog {
  const bytes = readFileSync(join(CORPUS_FOLDER, file));
  const detection = detectFormat(bytes.subarray(0, HEAD_BYTES));
  if (detection.kind === "refused")
    return { file, format: null, refusal: detection.refusal.message, attempts: new Map(), writers: new Set() };
  const records: LogRecord[] = [];
  const parser = detection.format.parser({ record: (record) => records.push(record), issue: () => undefined }, {});
  parser.push(bytes);
  parser.end();
  return { file, format: detection.format.id, refusal: null, ...split(records) };
}

function split(records: readonly LogRecord[]): Pick<ReadLog, "attempts" | "writers"> {
  const lineage = createLineage<Point>();
  const placed: PlacedPoint<Point>[] = [];
  const take = (items: readonly PlacedPoint<Point>[]): void => {
    for (const correction of lineage.takeCorrections()) correct(placed, correction);
    placed.push(...items);
  };
  for (const record of records) {
    if (record.kind === "start") lineage.marker(record.reason);
    if (record.kind !== "points" || record.step === null) continue;
    const labels = Object.entries(record.labels);
    const isWatched = labels.every(([name, value]) => name === "rank" && value === "0");
    for (const [sourceName, value] of record.values) {
      const series = JSON.stringify([sourceName, labels]);
      take(lineage.place({ series, step: record.step, timeMs: record.timeMs, value, metric: canonicalMetric(sourceName), isWatched }));
    }
  }
  take(lineage.settle());
  take([]);
  return gather(placed);
}

function correct(placed: PlacedPoint<Point>[], { series, attempt, writer, becomes, reflag }: LineageCorrection): void {
  placed.forEach((item, index) => {
    const { point, placement } = item;
    if (point.series !== series || placement.attempt !== attempt || placement.writer !== writer) return;
    if (reflag === undefined) placed[index] = { point, placement: { ...placement, ...becomes } };
    else if (placement.flag !== reflag.flag && point.step >= reflag.fromStep && point.step <= reflag.toStep)
      placed[index] = { point, placement: { ...becomes, flag: reflag.flag } };
  });
}

function gather(placed: readonly PlacedPoint<Point>[]): Pick<ReadLog, "attempts" | "writers"> {
  const attempts = new Map<string, Sample[]>();
  const writers = new Set<string>();
  for (const { point, placement } of placed) {
    if (placement.writer !== null) writers.add(`${placement.attempt} ${placement.writer}`);
    if (placement.writer !== null || placement.flag !== null || !point.isWatched) continue;
    const samples = attempts.get(placement.attempt) ?? [];
    samples.push({ metric: point.metric, step: point.step, timeMs: point.timeMs, value: point.value });
    attempts.set(placement.attempt, samples);
  }
  return { attempts, writers };
}
