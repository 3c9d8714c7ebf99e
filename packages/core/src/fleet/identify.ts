import { fieldOf, linkInName } from "./catalogue/index.ts";
import type { Entity, EntityAttribute } from "./entity.ts";
import type { FleetField } from "./field.ts";
import { MIG_LABEL, UUID_LABELS, gpuId } from "./gpu-id.ts";
import { sortGpuLabels } from "./gpu-attributes.ts";
import { NODE_NAME_LABELS, nodeKey, nodeName } from "./node-name.ts";
import type { NodeName, RawLabels, SeriesIdentity } from "./series-identity.ts";

/** Labels of an NVLink metric that hold the link's number. */
const LINK_LABELS = ["nvlink", "link", "nvlink_id", "link_id", "port"] as const;
/** Labels by which a scraper says where it read; they tell no series of a node apart once the node is known. */
const SCRAPE_LABELS: ReadonlySet<string> = new Set([
  "job",
  "instance",
  "endpoint",
  "service",
  "prometheus",
  "prometheus_replica",
  "__replica__",
  "replica",
]);

/**
 * What a labelled reading is about: see {@link SeriesIdentity}. `labels` are as the source sends them, without `__name__`. The same GPU under
 * `UUID` and `gpu_uuid`, before and after an exporter's upgrade, gives the same identity (E2); so does a metric under its old and new name.
 */
export function identifySeries(sourceName: string, labels: RawLabels): SeriesIdentity {
  const field = fieldOf(sourceName);
  const node = nodeName(labels);
  const sorted = field === null ? unknownSeries(labels) : (knownSeries(sourceName, field, labels, node) ?? unknownSeries(labels));
  const metric = field?.name ?? sourceName;
  const ordered = Object.fromEntries(Object.entries(sorted.labels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  return {
    metric,
    sourceName,
    entity: sorted.entity,
    labels: ordered,
    key: JSON.stringify([metric, sorted.entity?.kind ?? null, sorted.entity?.id ?? null, Object.entries(ordered)]),
    target: targetOf(labels, node),
    node,
    attributes: sorted.attributes,
  };
}

interface Sorted {
  readonly entity: Entity | null;
  readonly labels: RawLabels;
  readonly attributes: readonly EntityAttribute[];
}

/** A metric without a meaning, or of a thing that its labels do not name: every label may matter. */
function unknownSeries(labels: RawLabels): Sorted {
  const gpu = gpuId(labels, false);
  if (gpu === null) return { entity: null, labels, attributes: [] };
  const { attributes } = sortGpuLabels("", labels, () => false);
  return { entity: { kind: "gpu", id: gpu }, labels, attributes };
}

function knownSeries(sourceName: string, field: FleetField, labels: RawLabels, node: NodeName | null): Sorted | null {
  switch (field.entity) {
    case "gpu":
    case "link":
      return gpuSeries(sourceName, field, labels);
    case "node":
      return node === null ? null : nodeSeries({ kind: "node", id: nodeKey(node) }, labels, []);
    case "port": {
      const { device, port } = labels;
      if (node === null || device === undefined || port === undefined) return null;
      return nodeSeries({ kind: "port", id: `${nodeKey(node)}/port/${device}:${port}` }, labels, ["device", "port"]);
    }
    case "switch": {
      const number = labels["nvswitch"];
      if (node === null || number === undefined) return null;
      return nodeSeries({ kind: "switch", id: `${nodeKey(node)}/switch/${number}` }, labels, ["nvswitch"]);
    }
  }
}

function gpuSeries(sourceName: string, field: FleetField, labels: RawLabels): Sorted | null {
  const gpu = gpuId(labels, true);
  if (gpu === null) return null;
  const linkLabel = /nvlink/i.test(field.name) ? LINK_LABELS.find((name) => /^\d+$/.test(labels[name] ?? "")) : undefined;
  const link = linkInName(sourceName) ?? (linkLabel === undefined ? null : Number(labels[linkLabel]));
  const identity: ReadonlySet<string> = new Set([
    ...UUID_LABELS,
    MIG_LABEL,
    ...NODE_NAME_LABELS,
    ...(linkLabel === undefined ? [] : [linkLabel]),
  ]);
  const { attributes, rest } = sortGpuLabels(sourceName, labels, (name) => identity.has(name));
  const entity: Entity = link === null ? { kind: "gpu", id: gpu } : { kind: "link", id: `${gpu}/link/${link}` };
  return { entity, labels: rest, attributes };
}

function nodeSeries(entity: Entity, labels: RawLabels, own: readonly string[]): Sorted {
  const rest = Object.entries(labels).filter(
    ([name, value]) =>
      !own.includes(name) && !SCRAPE_LABELS.has(name) && (!NODE_NAME_LABELS.includes(name) || (name === "node" && /^\d+$/.test(value))),
  );
  return { entity, labels: Object.fromEntries(rest), attributes: [] };
}

/** Series of one scraped target are stored next to each other; without a scraper's labels those of one node are. */
function targetOf({ job, instance }: RawLabels, node: NodeName | null): string {
  if (instance !== undefined && instance !== "") return `${job ?? ""}|${instance}`;
  return node === null ? `${job ?? ""}|` : `${job ?? ""}|${nodeKey(node)}`;
}
