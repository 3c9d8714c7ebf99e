import type { Spelling } from "./spelling.ts";
import { DEFAULT_FIELD_COUNT, GPU_FIELDS, LINK_FIELDS, linkFieldName, nameOf } from "./gpu-fields.ts";
import { GPU_VALUES, LINK_VALUES, fillGpu, fillLink } from "./gpu-values.ts";
import { DRIVER, MODEL, pciBusId } from "./inventory.ts";
import type { NodeMoment, NodeState } from "./node-state.ts";
import { hasFault, isGone, spellingAt } from "./node-state.ts";
import { seriesTable } from "./series-table.ts";
import type { ExposedSeries, Family, SeriesTable } from "./series-table.ts";

/** Length of the window of the exporter's count of XIDs, ms, as its label says. */
const XID_WINDOW_MS = 300_000;

/** What decides which series dcgm-exporter has: while the text is the same, so is the table. */
export function dcgmVersion(moment: NodeMoment): string {
  const { state, boot, timeMs } = moment;
  const gone = boot.chips.map((_, slot) => (isGone(moment, slot) ? "-" : "+")).join("");
  const xids = windowedXids(moment).map(({ slot, code }) => `${slot}:${code}`);
  return [boot.bootId, spellingAt(state, timeMs), hasFault(state, "default-fields", timeMs), gone, ...xids].join(" ");
}

export function dcgmTable(moment: NodeMoment): SeriesTable {
  const { state, boot, timeMs } = moment;
  const spelling = spellingAt(state, timeMs);
  const isDefault = hasFault(state, "default-fields", timeMs);
  const shown = boot.slots.map((slot, index) => ({ slot, index })).filter(({ slot }) => !isGone(moment, slot));
  const fields = GPU_FIELDS.slice(0, isDefault ? DEFAULT_FIELD_COUNT : GPU_FIELDS.length);
  const exposed = fields.flatMap((field, place) => {
    const name = nameOf(field, spelling);
    const family: Family = { name, type: field.type, help: field.help, write: field.digits === 0 ? "integer" : "fixed" };
    return shown.map(({ slot, index }): ExposedSeries => ({
      family,
      name,
      labels: gpuLabels(moment, slot, index, spelling),
      place: slot * GPU_VALUES + place,
    }));
  });
  if (isDefault) return seriesTable(dcgmVersion(moment), exposed);
  return seriesTable(dcgmVersion(moment), [...exposed, ...xidSeries(moment, shown, spelling), ...linkSeries(moment, shown, spelling)]);
}

interface Shown {
  readonly slot: number;
  readonly index: number;
}

/** The order in which dcgm-exporter's template writes them. */
function gpuLabels({ state, boot }: NodeMoment, slot: number, index: number, spelling: Spelling): Readonly<Record<string, string>> {
  return {
    gpu: String(index),
    UUID: boot.chips[slot]?.uuid ?? "",
    pci_bus_id: pciBusId(slot),
    device: `nvidia${index}`,
    modelName: MODEL,
    [spelling === "classic" ? "Hostname" : "hostname"]: state.identity.host,
    DCGM_FI_DRIVER_VERSION: DRIVER,
  };
}

function linkLabels({ state, boot }: NodeMoment, { slot, index }: Shown, link: number): Readonly<Record<string, string>> {
  return {
    nvlink: String(link),
    gpu: String(index),
    gpu_uuid: boot.chips[slot]?.uuid ?? "",
    pci_bus_id: pciBusId(slot),
    device: `nvidia${index}`,
    model_name: MODEL,
    hostname: state.identity.host,
    DCGM_FI_DRIVER_VERSION: DRIVER,
  };
}

function linkSeries(moment: NodeMoment, shown: readonly Shown[], spelling: Spelling): readonly ExposedSeries[] {
  const links = Array.from({ length: moment.state.plan.linksPerGpu }, (_, link) => link);
  return LINK_FIELDS.flatMap(({ of, type, help }, place) => {
    const isInName = of === "tx" || of === "rx" || of === "crc";
    const family = (link: number): Family => ({ name: linkFieldName(of, link, spelling), type, help, write: "integer" });
    const one = (each: Shown, link: number, at: Family): ExposedSeries => ({
      family: at,
      name: at.name,
      labels: isInName ? gpuLabels(moment, each.slot, each.index, spelling) : linkLabels(moment, each, link),
      place: linkPlace(moment.state, each.slot, link) + place,
    });
    if (isInName)
      return links.flatMap((link) => {
        const at = family(link);
        return shown.map((each) => one(each, link, at));
      });
    const at = family(0);
    return shown.flatMap((each) => links.map((link) => one(each, link, at)));
  });
}

function xidSeries(moment: NodeMoment, shown: readonly Shown[], spelling: Spelling): readonly ExposedSeries[] {
  const family: Family = {
    name: "DCGM_EXP_XID_ERRORS_COUNT",
    type: "gauge",
    help: "Count of XID Errors within user-specified time window (see xid-count-window-size param).",
    write: "integer",
  };
  const counts = windowedXids(moment);
  return shown.flatMap(({ slot, index }) => {
    const own = counts.filter((count) => count.slot === slot);
    return (own.length === 0 ? [{ code: 0, place: xidPlace(moment.state) }] : own).map(({ code, place }): ExposedSeries => ({
      family,
      name: family.name,
      labels: { ...gpuLabels(moment, slot, index, spelling), window_size_in_ms: String(XID_WINDOW_MS), xid: String(code) },
      place,
    }));
  });
}

interface XidCount {
  readonly slot: number;
  readonly code: number;
  readonly count: number;
  readonly place: number;
}

function windowedXids({ state, boot, timeMs }: NodeMoment): readonly XidCount[] {
  const counts = new Map<string, { slot: number; code: number; count: number }>();
  for (const xid of state.xids) {
    if (xid.timeMs > timeMs || xid.timeMs <= timeMs - XID_WINDOW_MS || xid.timeMs < boot.bootMs) continue;
    const key = `${xid.slot} ${xid.code}`;
    counts.set(key, { slot: xid.slot, code: xid.code, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  // The place before them is 0 for ever: GPUs without an XID show it.
  return [...counts.values()].map((count, index) => ({ ...count, place: xidPlace(state) + 1 + index }));
}

function linkPlace({ plan }: NodeState, slot: number, link: number): number {
  return plan.gpusPerNode * GPU_VALUES + (slot * plan.linksPerGpu + link) * LINK_VALUES;
}

function xidPlace({ plan }: NodeState): number {
  return plan.gpusPerNode * (GPU_VALUES + plan.linksPerGpu * LINK_VALUES);
}

/** Values of the whole node by place, then picked as the table has them. */
export function dcgmValues(moment: NodeMoment, { exposed }: SeriesTable): Float64Array {
  const { state } = moment;
  const { gpusPerNode, linksPerGpu } = state.plan;
  const xids = windowedXids(moment);
  const all = new Float64Array(xidPlace(state) + 1 + xids.length);
  for (let slot = 0; slot < gpusPerNode; slot++) {
    fillGpu(all, slot * GPU_VALUES, moment, slot);
    for (let link = 0; link < linksPerGpu; link++) fillLink(all, linkPlace(state, slot, link), moment, slot, link);
  }
  for (const { place, count } of xids) all[place] = count;
  const picked = new Float64Array(exposed.length);
  exposed.forEach(({ place }, index) => (picked[index] = all[place] ?? Number.NaN));
  return picked;
}
