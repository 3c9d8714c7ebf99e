import type { RunDetail } from "@trainwatch/core";
import { formatInteger, Tabs, type TabOption } from "@trainwatch/ui";
import { usePostTraining } from "../../data/post-training.ts";
import { ChartControls } from "./chart-controls.tsx";
import { WaitingPoints } from "./post-training/waiting-points.tsx";
import { RunPostTraining } from "./post-training/run-post-training.tsx";
import { RunCharts } from "./run-charts.tsx";
import { RunCheckpoints } from "./run-checkpoints.tsx";
import { RunEvents } from "./run-events.tsx";
import { RunMetrics } from "./run-metrics.tsx";
import { without, type Tab } from "./search.ts";
import { useRunSearch } from "./use-run-search.ts";

/** Parts of the page below the strip. Only what exists has a tab. */
export function RunTabs({ run }: { readonly run: RunDetail }) {
  const { search, go } = useRunSearch();
  const view = usePostTraining(run.pointCount === 0 ? null : { runId: run.id });
  // A link to it holds its place until the server has said what the run is, or that it cannot.
  const isPostTraining = view.status === "ready" ? view.data.isPostTraining : search.tab === "post-training" && run.pointCount > 0;
  const options: readonly TabOption<Tab>[] = [
    { value: "charts", label: "Charts" },
    ...(isPostTraining ? [{ value: "post-training", label: "Post-training" } as const] : []),
    ...(run.seriesCount === 0 ? [] : [{ value: "metrics", label: "Metrics" } as const]),
    ...(run.checkpointTotal === 0
      ? []
      : [{ value: "checkpoints", label: "Checkpoints", count: formatInteger(run.checkpointTotal) } as const]),
    ...(run.noteTotal === 0 ? [] : [{ value: "events", label: "Events", count: formatInteger(run.noteTotal) } as const]),
  ];
  const tab = options.some((option) => option.value === search.tab) ? (search.tab ?? "charts") : "charts";
  return (
    <Tabs
      label="Parts of the run"
      value={tab}
      options={options}
      onChange={(next) => go((before) => (next === "charts" ? without(before, "tab") : { ...before, tab: next }))}
      trailing={
        tab === "post-training" ? <WaitingPoints /> : tab === "charts" && run.pointCount > 0 ? <ChartControls run={run} /> : undefined
      }
    >
      {tab === "charts" ? <RunCharts run={run} /> : null}
      {tab === "post-training" ? <RunPostTraining run={run} /> : null}
      {tab === "metrics" ? <RunMetrics run={run} /> : null}
      {tab === "checkpoints" ? <RunCheckpoints run={run} /> : null}
      {tab === "events" ? <RunEvents run={run} /> : null}
    </Tabs>
  );
}
