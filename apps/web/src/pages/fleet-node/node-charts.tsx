import { getRouteApi } from "@tanstack/react-router";
import { EmptyState } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { useFleetMetrics } from "../../data/fleet.ts";
import { dataOf } from "../../data/loaded.ts";
import { chartWindow } from "../../fleet-parts/chart-window.ts";
import { MetricFan } from "../../fleet-parts/metric-fan.tsx";
import { WindowControls } from "../../fleet-parts/window-controls.tsx";
import { mapMetrics, metricLabels, shownMetric } from "../fleet/metric-choice.ts";
import { gpuWord, type NodeGpu } from "./node-gpu.ts";

const route = getRouteApi("/fleet/node/$nodeId");
const BUCKETS = 512;
const CHART_PX = 208;

/** One metric of everything on the node, a line each. */
export function NodeCharts({ nodeId, gpus }: { readonly nodeId: string; readonly gpus: readonly NodeGpu[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const nowMs = useNow();
  const metrics = dataOf(useFleetMetrics()) ?? [];
  const metric = shownMetric(search.metric, metrics);
  if (metric === null) return <EmptyState title="No metric has been sent yet" />;
  const window = chartWindow(search, nowMs);
  const setWindow = (ends: { readonly from: number; readonly to: number } | null): void =>
    void navigate({ search: ({ from: _from, to: _to, at: _at, ...rest }) => (ends === null ? rest : { ...rest, ...ends }) });
  return (
    <>
      <WindowControls
        window={window}
        onWindow={setWindow}
        metric={metric.name}
        metrics={metricLabels(mapMetrics(metrics))}
        onMetric={(name) => void navigate({ search: (before) => ({ ...before, metric: name }) })}
      />
      <MetricFan
        question={{ metric: metric.name, fromMs: window.fromMs, toMs: window.toMs, buckets: BUCKETS, nodeId }}
        lit={null}
        title={(id) => gpuWord(id, gpus)}
        heightPx={CHART_PX}
        onZoom={(fromMs, toMs) => setWindow({ from: Math.floor(fromMs), to: Math.ceil(toMs) })}
      />
    </>
  );
}
