import { metricEntry, metricWords, sayInteger, sayRatio, type MetricWords } from "@trainwatch/core";
import type { ShiftRecord } from "./shift-record.ts";

/** From so many excursions on, one speaks of the regime and not of its last spike (F7). */
const REGIME_EPISODES = 3;

/** One sentence: what, how much, where it began, how it stands. */
export function shiftSummary(metric: string, record: ShiftRecord): string {
  const title = metricEntry(metric)?.title ?? metric;
  const words = metricWords(metric, [record.baselineValue, record.peakValue]);
  const from = `from ${words.bare(record.baselineValue)} to ${words.value(record.peakValue)}`;
  const many = record.episodes >= REGIME_EPISODES ? `, ${record.episodes} excursions since: an unstable regime` : "";
  return `${title} ${record.shape === "ramp" ? "crept up" : "rose"} ${from} (${record.peakSigma.toFixed(1)} σ) from step ${sayInteger(record.onsetStep)} on${many}; ${standing(record, words)}.`;
}

function standing(record: ShiftRecord, words: MetricWords): string {
  switch (record.state) {
    case "ongoing":
      return `not recovered by step ${sayInteger(record.lastStep)}`;
    case "diverged":
      return `diverged: still ${record.levelSigma.toFixed(0)} σ out at step ${sayInteger(record.lastStep)}`;
    case "recovered":
      return `recovered: yes, by step ${sayInteger(record.endStep ?? record.lastStep)}${remainder(record, words)}`;
    case "shifted":
      return `recovered: no${remainder(record, words)}`;
  }
}

function remainder(record: ShiftRecord, words: MetricWords): string {
  if (record.levelShift === null) return "";
  const { value, standardError } = record.levelShift;
  return `, ${value > 0 ? "+" : ""}${words.within(value, standardError)}`;
}

export function sayTimes(ratio: number): string {
  return sayRatio(ratio, 1);
}
