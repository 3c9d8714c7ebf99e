import { metricEntry, sayInteger, sayQuantity, sayRatio, saySigned, sayValue } from "@trainwatch/core";
import type { ShiftRecord } from "./shift-record.ts";

/** From so many excursions on, one speaks of the regime and not of its last spike (F7). */
const REGIME_EPISODES = 3;

/** One sentence: what, how much, where it began, how it stands. */
export function shiftSummary(metric: string, record: ShiftRecord): string {
  const title = metricEntry(metric)?.title ?? metric;
  const unit = metricEntry(metric)?.unit ?? "";
  const from = `from ${sayValue(record.baselineValue)} to ${sayQuantity(sayValue(record.peakValue), unit)}`;
  const many = record.episodes >= REGIME_EPISODES ? `, ${record.episodes} excursions since: an unstable regime` : "";
  return `${title} ${record.shape === "ramp" ? "crept up" : "rose"} ${from} (${record.peakSigma.toFixed(1)} σ) from step ${sayInteger(record.onsetStep)} on${many}; ${standing(record, unit)}.`;
}

function standing(record: ShiftRecord, unit: string): string {
  switch (record.state) {
    case "ongoing":
      return `not recovered by step ${sayInteger(record.lastStep)}`;
    case "diverged":
      return `diverged: still ${record.levelSigma.toFixed(0)} σ out at step ${sayInteger(record.lastStep)}`;
    case "recovered":
      return `recovered: yes, by step ${sayInteger(record.endStep ?? record.lastStep)}${remainder(record, unit)}`;
    case "shifted":
      return `recovered: no${remainder(record, unit)}`;
  }
}

function remainder(record: ShiftRecord, unit: string): string {
  if (record.levelShift === null) return "";
  return `, ${saySigned(record.levelShift.value)} ± ${sayQuantity(sayValue(record.levelShift.standardError), unit)}`;
}

export function sayTimes(ratio: number): string {
  return sayRatio(ratio, 1);
}
