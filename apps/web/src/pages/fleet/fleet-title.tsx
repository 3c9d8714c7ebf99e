import type { FleetLayout, FleetMetricView } from "@trainwatch/core";
import { formatCount, formatInteger, FindBox, Segmented, Select, TitleRow } from "@trainwatch/ui";
import { findGpus, gpuTitle, groupingOptions, shownGrouping, type CellCursor } from "@trainwatch/ui/charts/fleet";
import { useMemo, useRef, useState } from "react";
import { useKeys } from "../../keys/keys.tsx";
import { mapMetrics, metricLabels } from "./metric-choice.ts";
import { SCALES, without } from "./search.ts";
import { useFleetSearch } from "./use-fleet-search.ts";

export interface FleetTitleProps {
  readonly layout: FleetLayout;
  readonly metrics: readonly FleetMetricView[];
  readonly metric: FleetMetricView | null;
  readonly cursor: CellCursor;
}

/** How many there are, and what the map shows of them. */
export function FleetTitle({ layout, metrics, metric, cursor }: FleetTitleProps) {
  const { search, go } = useFleetSearch();
  return (
    <TitleRow
      title="Fleet"
      note={`${formatCount(layout.nodes.length, "node")}, ${formatCount(layout.gpu.id.length, "GPU")}`}
      chips={
        <>
          {metric === null ? null : (
            <Select
              label="Metric of the map"
              prefix="Colour:"
              value={metric.name}
              options={metricLabels(mapMetrics(metrics))}
              onChange={(name) => go((before) => ({ ...before, metric: name }))}
            />
          )}
          <Segmented
            label="Scale"
            value={search.scale ?? "absolute"}
            options={SCALES.map((value) => ({ value, label: value === "absolute" ? "Absolute" : "Against peers" }))}
            onChange={(value) => go((before) => (value === "absolute" ? without(before, "scale") : { ...before, scale: value }))}
          />
          <Select
            label="What the cells are grouped by"
            prefix="Group:"
            value={shownGrouping(search.group, layout)}
            options={groupingOptions(layout).map((option) => ({
              ...option,
              label: option.value === "stage" ? "pipeline stage" : option.value,
            }))}
            onChange={(group) => go((before) => ({ ...before, group }))}
          />
          {layout.runs.length === 0 ? null : <OutlineChoice layout={layout} />}
        </>
      }
      actions={
        <>
          <FindGpu layout={layout} cursor={cursor} />
          <Segmented
            label="View"
            value={search.table === true ? "table" : "map"}
            options={[
              { value: "map", label: "Map" },
              { value: "table", label: "Table" },
            ]}
            onChange={(value) => go((before) => (value === "map" ? without(before, "table") : { ...before, table: true }))}
          />
        </>
      }
    />
  );
}

const NO_RUN = "";

function OutlineChoice({ layout }: { readonly layout: FleetLayout }) {
  const { search, go } = useFleetSearch();
  const options = [{ value: NO_RUN, label: "none" }, ...layout.runs.map(({ id, name }) => ({ value: String(id), label: name }))];
  const value = layout.runs.some(({ id }) => id === search.run) ? String(search.run) : NO_RUN;
  return (
    <Select
      label="Run whose GPUs are outlined"
      prefix="Outline:"
      value={value}
      options={options}
      onChange={(run) => go((before) => (run === NO_RUN ? without(before, "run") : { ...before, run: Number(run) }))}
    />
  );
}

const FOUND = 8;

/** Goes to a GPU by its UUID, host or rank. */
function FindGpu({ layout, cursor }: Pick<FleetTitleProps, "layout" | "cursor">) {
  const { adjust } = useFleetSearch();
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const found = useMemo(() => findGpus(layout, text, FOUND), [layout, text]);
  useKeys([{ keys: "/", label: "Find a GPU by UUID, host or rank", group: "Lists", run: () => field.current?.focus() }]);
  const foot =
    text.trim() === ""
      ? null
      : found.total === 0
        ? "No GPU by that UUID, host or rank"
        : found.total > found.gpus.length
          ? `${formatInteger(found.gpus.length)} of ${formatInteger(found.total)}`
          : null;
  return (
    <FindBox
      label="Find UUID, host or rank"
      keys="/"
      inputRef={field}
      text={text}
      onText={setText}
      items={found.gpus.map((gpu) => ({ id: layout.gpu.id[gpu] ?? "", label: gpuTitle(layout, gpu), note: layout.gpu.id[gpu] }))}
      foot={foot}
      onChoose={(id) => {
        const gpu = layout.gpu.id.indexOf(id);
        if (gpu >= 0) cursor.set(gpu, "key");
        adjust((before) => ({ ...before, gpu: id }));
        setText("");
      }}
    />
  );
}
