import { Button, formatDateTime, Segmented, Select, Text, Toolbar } from "@trainwatch/ui";
import { useNow } from "../clock/now.tsx";
import { useZone } from "../zone/zone.tsx";
import { CHART_SPANS, type ChartWindow } from "./chart-window.ts";

export interface WindowControlsProps {
  readonly window: ChartWindow;
  readonly onWindow: (ends: { readonly from: number; readonly to: number } | null) => void;
  readonly metric: string;
  readonly metrics: readonly { readonly value: string; readonly label: string }[];
  readonly onMetric: (metric: string) => void;
}

/** Which metric, and which stretch of time; a range is also dragged out on a chart. */
export function WindowControls({ window, onWindow, metric, metrics, onMetric }: WindowControlsProps) {
  const { zone } = useZone();
  const nowMs = useNow();
  const span = CHART_SPANS.find(({ ms }) => ms === window.toMs - window.fromMs);
  return (
    <Toolbar label="Charts">
      <Select label="Metric of the first chart" prefix="Metric:" value={metric} options={metrics} onChange={onMetric} />
      <Segmented
        label="Window"
        value={span?.label ?? "other"}
        options={[
          ...CHART_SPANS.map(({ label }) => ({ value: String(label), label: String(label) })),
          ...(span === undefined ? [{ value: "other", label: "chosen" }] : []),
        ]}
        onChange={(label) => {
          const chosen = CHART_SPANS.find((candidate) => candidate.label === label);
          if (chosen !== undefined) onWindow({ from: window.toMs - chosen.ms, to: window.toMs });
        }}
      />
      <Text
        size="label"
        tone="label"
      >{`${formatDateTime(window.fromMs, zone, nowMs)} to ${formatDateTime(window.toMs, zone, nowMs)}`}</Text>
      {window.isOpen ? null : (
        <Button size="small" kind="quiet" onClick={() => onWindow(null)}>
          Back to live
        </Button>
      )}
    </Toolbar>
  );
}
