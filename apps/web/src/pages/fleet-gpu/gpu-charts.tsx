import { getRouteApi } from "@tanstack/react-router";
import { fieldOf, type FleetGpuView } from "@trainwatch/core";
import { EmptyState, Inset, Rule, Text } from "@trainwatch/ui";
import { Fragment } from "react";
import { useNow } from "../../clock/now.tsx";
import { dataOf } from "../../data/loaded.ts";
import { useRun } from "../../data/runs.ts";
import { chartWindow } from "../../fleet-parts/chart-window.ts";
import { MetricFan } from "../../fleet-parts/metric-fan.tsx";
import { byWeight, fieldTitle } from "../../fleet-parts/reading-words.ts";
import { WindowControls } from "../../fleet-parts/window-controls.tsx";
import { stepTicks } from "../../step-time/step-ticks.ts";
import { useRunTimes } from "../../step-time/use-run-times.ts";

const route = getRouteApi("/fleet/gpu/$gpuId");

/** What is drawn under the chosen metric, as far as the GPU sends it. */
const USUAL = [
  "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
  "DCGM_FI_DEV_BOARD_POWER_WATTS",
  "DCGM_FI_DEV_SM_CLOCK",
  "DCGM_FI_DEV_GPU_UTIL_RATIO",
] as const;
const CHARTS = 4;
const FIRST_PX = 188;
const OTHER_PX = 116;
const BUCKETS = 512;
const MAX_STEP_TICKS = 6;

/** Its metrics among those of its node: its own line lit, its neighbours' grey. The run's steps stand under the time axis. */
export function GpuCharts({ gpu, runId }: { readonly gpu: FleetGpuView; readonly runId: number | null }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const nowMs = useNow();
  const window = chartWindow(search, nowMs);
  const run = dataOf(useRun(runId));
  const { times, why } = useRunTimes(run, window.fromMs, window.toMs);
  const sent = [...new Set(byWeight(gpu.readings).map(({ metric }) => metric))];
  const first = sent.find((metric) => metric === search.metric) ?? sent.find((metric) => fieldOf(metric) !== null) ?? sent[0];
  if (first === undefined) return <EmptyState title="No metric of this GPU has been sent" />;
  const metrics = [first, ...USUAL.filter((metric) => sent.includes(metric)), ...sent].filter(
    (metric, index, all) => all.indexOf(metric) === index,
  );
  const second = times === null || run === null ? null : { title: `step`, ticks: stepTicks(times, window, MAX_STEP_TICKS) };
  const setWindow = (ends: { readonly from: number; readonly to: number } | null): void =>
    void navigate({ search: ({ from: _from, to: _to, at: _at, ...rest }) => (ends === null ? rest : { ...rest, ...ends }) });
  const titles = new Map([[gpu.id, gpu.index], ...gpu.neighbours.map(({ id, index }) => [id, index] as const)]);
  return (
    <>
      <WindowControls
        window={window}
        onWindow={setWindow}
        metric={first}
        metrics={sent.map((metric) => ({ value: metric, label: fieldTitle(metric) }))}
        onMetric={(metric) => void navigate({ search: (before) => ({ ...before, metric }) })}
      />
      {metrics.slice(0, CHARTS).map((metric, index) => (
        <Fragment key={metric}>
          {index === 0 ? null : <Rule />}
          <MetricFan
            question={{ metric, fromMs: window.fromMs, toMs: window.toMs, buckets: BUCKETS, nodeId: gpu.node.id }}
            lit={gpu.id}
            title={(id) => gpuWord(id, titles)}
            heightPx={index === 0 ? FIRST_PX : OTHER_PX}
            onZoom={(fromMs, toMs) => setWindow({ from: Math.floor(fromMs), to: Math.ceil(toMs) })}
            second={second}
          />
        </Fragment>
      ))}
      <Inset foot>
        <Text>
          {run === null
            ? "No run is known to use it at this time, so that no steps stand under the time."
            : (why ?? `Steps are those of ${run.name}.`)}{" "}
          Grey lines are the other GPUs of the node; lines are means, the band is lowest to highest.
        </Text>
      </Inset>
    </>
  );
}

function gpuWord(id: string, titles: ReadonlyMap<string, number | null>): string {
  const [gpu = id, ...rest] = id.split("/");
  const index = titles.get(gpu) ?? titles.get(id) ?? null;
  return [index === null ? gpu.slice(0, 10) : `GPU ${index}`, ...rest].join(" ");
}
