import type { BucketCount, IncidentDetail, SeriesLine } from "@trainwatch/core";
import { useMemo } from "react";
import { dataOf } from "../../data/loaded.ts";
import { useSeriesWindow } from "../../data/series.ts";
import type { StepRange } from "./chart-range.ts";
import { suspectRanks } from "./suspect-ranks.ts";

const NONE: readonly SeriesLine[] = [];

/** The lines of the accused ranks alone, in the metrics that accuse them: the band shows their peers. */
export function useRankLines(
  { findings }: IncidentDetail,
  runId: number,
  lanes: readonly string[],
  range: StepRange,
  buckets: BucketCount,
): readonly SeriesLine[] {
  const accused = useMemo(() => suspectRanks(findings), [findings]);
  const metrics = accused?.metrics.filter((metric) => lanes.includes(metric)) ?? [];
  const asked = accused !== null && metrics.length > 0;
  const window = dataOf(
    useSeriesWindow(asked ? { runId, metrics, axis: "step", ...range, buckets, attempts: accused.attempts, ranks: accused.ranks } : null),
  );
  return asked && window !== null ? window.lines : NONE;
}
