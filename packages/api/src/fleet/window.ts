import { fieldOf, metricName, type FleetWindow } from "@trainwatch/core";
import { bucketPlan, type FleetSeriesInfo } from "@trainwatch/store";
import { z } from "zod";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import type { LayoutCore } from "./layout-core.ts";
import { nodeOfEntity } from "./node-view.ts";
import { entityIdInput, isRange, metricInput, nodeInput, RANGE_FAULT, rangeInput } from "./schemas.ts";
import { windowSeries } from "./window-series.ts";

/** More lines than this nobody tells apart; `seriesTotal` says how many there are. */
const MAX_SERIES = 64;
const MAX_BUCKETS = 2_048;

const windowInput = z
  .object({
    metric: metricInput,
    ...rangeInput,
    buckets: z.number().int().min(1).max(MAX_BUCKETS),
    /** Entities, each with what hangs on it: a GPU with its MIG instances and links. */
    entityIds: z.array(entityIdInput).max(MAX_SERIES).default([]),
    /** All that sits on a node. */
    nodeId: nodeInput.nullable().default(null),
    /** GPUs that run this run's ranks at `toMs`. */
    runId: idInput.nullable().default(null),
  })
  .refine(isRange, RANGE_FAULT);

/** A metric over wall time: at most 64 series, of those that were asked for, in the order of node and index. */
export const getWindow = readVerb.input(windowInput).query(async ({ ctx, input }): Promise<FleetWindow> => {
  const { fromMs, toMs, buckets } = input;
  const metric = metricName(input.metric);
  const field = fieldOf(metric);
  const isRate = field?.kind === "counter";
  const layout = await ctx.fleetViews.layout(toMs);
  const wanted = inOrder(layout, (await ctx.fleetViews.series(metric)).filter(chooser(layout, input)));
  const shown = wanted.slice(0, MAX_SERIES);
  const read = await ctx.store.fleet.reader.window(
    shown.map(({ place }) => place),
    fromMs,
    toMs,
    buckets,
  );
  const { edges } = bucketPlan(fromMs, toMs, buckets);
  return {
    metric,
    unit: isRate ? `${field?.unit ?? ""}/s` : (field?.unit ?? ""),
    isRate,
    startMs: [...edges.subarray(0, buckets)],
    toMs: edges[buckets] ?? toMs,
    series: shown.flatMap((info, index) => {
      const columns = read[index];
      return columns === undefined ? [] : [windowSeries(info, columns, isRate)];
    }),
    seriesTotal: wanted.length,
  };
});

type Wanted = Pick<z.output<typeof windowInput>, "entityIds" | "nodeId" | "runId">;

function chooser(layout: LayoutCore, { entityIds, nodeId, runId }: Wanted): (series: FleetSeriesInfo) => boolean {
  const node = nodeId === null ? null : layout.nodeIndex(nodeId);
  const run = runId === null ? null : layout.runs.findIndex(({ id }) => id === runId);
  return ({ entity }) => {
    if (entity === null) return entityIds.length === 0 && node === null && run === null;
    if (entityIds.length > 0 && !entityIds.some((id) => entity.id === id || entity.id.startsWith(`${id}/`))) return false;
    if (node !== null && (node < 0 || nodeOfEntity(layout, entity.kind, entity.id) !== node)) return false;
    if (run === null) return true;
    return (
      run >= 0 && (entity.kind === "gpu" || entity.kind === "link") && layout.rowsOf(entity.id).some((row) => layout.gpu.run[row] === run)
    );
  };
}

function inOrder(layout: LayoutCore, series: readonly FleetSeriesInfo[]): readonly FleetSeriesInfo[] {
  const place = ({ entity }: FleetSeriesInfo): number => {
    if (entity === null) return Number.POSITIVE_INFINITY;
    const row = entity.kind === "gpu" || entity.kind === "link" ? layout.rowsOf(entity.id)[0] : layout.rowsOfNode(entity.id)[0];
    return row ?? nodeOfEntity(layout, entity.kind, entity.id) + layout.gpu.id.length;
  };
  const keyed = series.map((each) => ({ each, place: place(each), id: each.entity?.id ?? "" }));
  const byName = new Intl.Collator("en", { numeric: true });
  return keyed.sort((a, b) => a.place - b.place || byName.compare(a.id, b.id)).map(({ each }) => each);
}
