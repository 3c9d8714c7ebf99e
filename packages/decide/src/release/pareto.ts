import type { DimensionScore, ParetoPoint, ParetoView } from "@trainwatch/core";
import { DIMENSION_TITLES } from "@trainwatch/core";
import { QUALITY_DIMENSIONS } from "./dimension-scores.ts";
import { isMeasuredAlike } from "./judge-cell.ts";
import type { JudgedRow } from "./judged-row.ts";
import { hasValue } from "./reading.ts";

/** Which cost is looked at first, by unit: money, tokens, time. */
const UNITS = ["$", "¢", "tokens", "s"];

/**
 * Quality (the first quality dimension that all columns have, task results before others) against the cost row that most columns have. Null: fewer
 * than two columns have both.
 */
export function paretoOf(judged: readonly JudgedRow[], dimensions: readonly DimensionScore[], columns: number): ParetoView | null {
  const quality = QUALITY_DIMENSIONS.map((name) => dimensions.find(({ dimension, rows }) => dimension === name && rows > 0)).find(
    (found) => found !== undefined,
  );
  const cost = costRow(judged);
  if (quality === undefined || cost === null) return null;
  const points = Array.from({ length: columns }, (_, column) => column).flatMap((column) => {
    const score = quality.scores[column] ?? null;
    const reading = cost.readings[column] ?? null;
    if (score === null || !hasValue(reading) || !isMeasuredAlike(cost.judgements[column] ?? null)) return [];
    return [
      {
        column,
        quality: score.value,
        qualityLow: score.low,
        qualityHigh: score.high,
        cost: reading.value,
        costLow: reading.low,
        costHigh: reading.high,
      },
    ];
  });
  if (points.length < 2) return null;
  return {
    costRow: cost.entry.key,
    costTitle: cost.description.title,
    costUnit: cost.description.unit,
    qualityTitle: DIMENSION_TITLES[quality.dimension],
    points: withFront(points),
  };
}

function costRow(judged: readonly JudgedRow[]): JudgedRow | null {
  const rank = (row: JudgedRow): number => {
    const place = UNITS.indexOf(row.description.unit);
    return place < 0 ? UNITS.length : place;
  };
  const valued = (row: JudgedRow): number =>
    row.readings.filter((reading, column) => hasValue(reading) && isMeasuredAlike(row.judgements[column] ?? null)).length;
  const costs = judged.filter((row) => row.description.dimension === "cost" && row.direction === -1 && valued(row) > 1);
  const suite = (row: JudgedRow): number => Number(row.entry.group !== null);
  return [...costs].sort((a, b) => valued(b) - valued(a) || rank(a) - rank(b) || suite(b) - suite(a))[0] ?? null;
}

/** A point is on the front where none is at least as good in both and better in one. */
export function withFront(points: readonly Omit<ParetoPoint, "onFront">[]): readonly ParetoPoint[] {
  return points.map((point) => ({
    ...point,
    onFront: !points.some(
      (other) => other.quality >= point.quality && other.cost <= point.cost && (other.quality > point.quality || other.cost < point.cost),
    ),
  }));
}
