import { AppError, fieldOf, type FleetDifference, type FleetDiffers } from "@trainwatch/core";
import { groupDifferences, type GroupDifference } from "@trainwatch/stats";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { differsColumns, GPU_ATTRIBUTES, type BandedReading, type DiffersColumn } from "./differs-columns.ts";
import { frameOf, metricOnLayout } from "./frame-of.ts";
import type { LayoutCore } from "./layout-core.ts";
import { LOOK_BACK_MS } from "./readings.ts";
import { atInput, entityIdInput } from "./schemas.ts";

const MAX_CHOSEN = 2_048;
const MAX_ITEMS = 50;
const CLEAR_AT = 0.05;
/** One or two have much in common by chance, and no test can tell. */
const FEWEST = 3;
/** Temperatures differ between any two GPUs: what is compared is the band of five degrees. */
const BANDS = [
  { metric: "DCGM_FI_DEV_GPU_TEMP_CELSIUS", bandWidth: 5 },
  { metric: "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS", bandWidth: 5 },
] as const;

const differsInput = atInput.extend({
  gpuIds: z.array(entityIdInput).min(1).max(MAX_CHOSEN),
  /** Compared with the GPUs of this run alone; null: with the whole fleet. */
  runId: idInput.nullable().default(null),
});

/** What tells the chosen GPUs from the others: driver, VBIOS, rack, model, stage, temperature and the like, ranked. */
export const getDiffers = readVerb.input(differsInput).query(async ({ ctx, input }): Promise<FleetDiffers> => {
  const atMs = input.atMs ?? ctx.now();
  const layout = await ctx.fleetViews.layout(atMs);
  const wanted = new Set(input.gpuIds);
  const run = input.runId === null ? null : layout.runs.findIndex(({ id }) => id === input.runId);
  const all = layout.gpu.id.map((_, row) => row);
  // A chosen GPU outside the run is compared with it all the same: it was chosen.
  const rows = run === null ? all : all.filter((row) => (run >= 0 && layout.gpu.run[row] === run) || wanted.has(layout.gpu.id[row] ?? ""));
  const isChosen = (row: number): boolean => wanted.has(layout.gpu.id[row] ?? "");
  const chosen = rows.filter(isChosen);
  if (chosen.length === 0) throw new AppError("not-found", "None of these GPUs was on the fleet at that time.");
  const labels = await ctx.store.records.fleet.gpuAttributesAt(
    GPU_ATTRIBUTES.map(({ name }) => name),
    atMs,
  );
  const columns = differsColumns({ layout, rows, isChosen, labels, readings: await bandedReadings(ctx, layout, atMs) });
  const ranked = tied(groupDifferences(columns), columns);
  return {
    atMs,
    chosen: chosen.length,
    missing: input.gpuIds.filter((id) => !layout.gpu.id.includes(id)),
    others: rows.length - chosen.length,
    items: ranked.slice(0, MAX_ITEMS),
    itemTotal: ranked.length,
    untold: columns
      .filter(({ values, chosen: marks }) => !values.some((value, at) => value !== null && marks[at] === true))
      .map(({ title }) => title),
  };
});

async function bandedReadings(
  { store, fleetViews }: Pick<ApiContext, "store" | "fleetViews">,
  layout: LayoutCore,
  atMs: number,
): Promise<readonly BandedReading[]> {
  return Promise.all(
    BANDS.map(async ({ metric, bandWidth }): Promise<BandedReading> => {
      const shown = metricOnLayout(metric, await fleetViews.series(metric), layout);
      const now = await store.fleet.reader.at(
        shown.series.map(({ place }) => place),
        atMs,
        LOOK_BACK_MS,
      );
      const { values } = frameOf(shown, layout.gpu.id.length, atMs, now, null);
      const field = fieldOf(metric);
      return { name: metric, title: field?.title ?? metric, unit: field?.unit ?? "", bandWidth, values };
    }),
  );
}

/** Values that the very same GPUs have, such as a rack and the one driver installed there, are one entry that names them all. */
function tied(differences: readonly GroupDifference[], columns: readonly DiffersColumn[]): readonly FleetDifference[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const first = new Map<string, { item: FleetDifference; sameAs: { title: string; value: string }[] }>();
  for (const { p: _p, name, ...difference } of differences) {
    const column = byName.get(name);
    if (column === undefined) continue;
    const members = column.values.flatMap((value, at) => (value === difference.value ? [at] : []));
    const key = `${column.counts} ${members.join(" ")}`;
    const known = first.get(key);
    if (known !== undefined) {
      known.sameAs.push({ title: column.title, value: difference.value });
      continue;
    }
    const sameAs: { title: string; value: string }[] = [];
    const clear = difference.adjusted <= CLEAR_AT && difference.of >= FEWEST;
    first.set(key, { item: { ...difference, attribute: name, title: column.title, counts: column.counts, clear, sameAs }, sameAs });
  }
  return [...first.values()].map(({ item }) => item);
}
