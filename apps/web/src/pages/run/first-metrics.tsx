import type { RunDetail } from "@trainwatch/core";
import { EmptyState, SkeletonBlock } from "@trainwatch/ui";
import { useEffect } from "react";
import { dataOf } from "../../data/loaded.ts";
import { useMetricKeys } from "../../data/runs.ts";
import { STACK_PX } from "./stack-measures.ts";
import { useRunSearch } from "./use-run-search.ts";

const SHOWN = 4;

/** A run that logs none of the usual metrics: its first ones become the lanes. */
export function FirstMetrics({ run }: { readonly run: RunDetail }) {
  const { adjust } = useRunSearch();
  const page = dataOf(useMetricKeys({ runId: run.id, search: "", cursor: null, limit: SHOWN }));
  const metrics = page?.items.map((key) => key.metric);
  const found = metrics === undefined || metrics.length === 0 ? null : JSON.stringify(metrics);
  useEffect(() => {
    if (found !== null && metrics !== undefined) adjust((before) => ({ ...before, metrics }));
    // Once a set of names: `adjust` is new on each render and changes nothing about what is chosen.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [found]);
  if (page === null || found !== null) return <SkeletonBlock label="charts" heightPx={STACK_PX} />;
  return <EmptyState title="No metric with points">The run is known, but none of its series holds a sample.</EmptyState>;
}
