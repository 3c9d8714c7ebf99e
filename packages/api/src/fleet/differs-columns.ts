import { gpuOf } from "@trainwatch/core";
import type { AttributeColumn } from "@trainwatch/stats";
import type { LayoutCore } from "./layout-core.ts";
import type { GpuLabel } from "./ranks-at.ts";

/** An attribute by which GPUs may differ, and what is counted of it. */
export interface DiffersColumn extends AttributeColumn {
  readonly title: string;
  readonly counts: "gpu" | "node";
}

/** Attributes that sources tell of GPUs, with their titles. Those of the host are the same on all its GPUs, so that nodes are counted. */
export const GPU_ATTRIBUTES = [
  { name: "driver", title: "Driver", counts: "node" },
  { name: "vbios", title: "VBIOS", counts: "gpu" },
  { name: "inforom_image_version", title: "InfoROM", counts: "gpu" },
  { name: "brand", title: "Brand", counts: "gpu" },
  { name: "profile", title: "MIG profile", counts: "gpu" },
  { name: "job", title: "Job", counts: "node" },
  { name: "namespace", title: "Namespace", counts: "node" },
] as const;

/** A level whose band may be what the bad ones share: per row of the layout, null where there is no reading. */
export interface BandedReading {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly bandWidth: number;
  readonly values: readonly (number | null)[];
}

export interface DiffersSources {
  readonly layout: LayoutCore;
  /** Rows of the layout that are compared at all. */
  readonly rows: readonly number[];
  readonly isChosen: (row: number) => boolean;
  readonly labels: readonly GpuLabel[];
  readonly readings: readonly BandedReading[];
}

/** One column an attribute, a value a GPU or a node. */
export function differsColumns({ layout, rows, isChosen, labels, readings }: DiffersSources): readonly DiffersColumn[] {
  const { gpu, nodes, models } = layout;
  const told = new Map(labels.map(({ key, name, value }) => [`${name} ${key}`, value]));
  const idOf = (row: number): string => gpu.id[row] ?? "";
  const number = (value: number | null | undefined): string | null => (value === null || value === undefined ? null : String(value));
  const ofGpu = (name: string, title: string, valueOf: (row: number) => string | null): DiffersColumn => ({
    name,
    title,
    counts: "gpu",
    values: rows.map(valueOf),
    chosen: rows.map(isChosen),
  });
  const ofNode = (name: string, title: string, valueOf: (row: number) => string | null): DiffersColumn => {
    // A node counts as chosen as soon as one of its GPUs is, and has the value that its first GPU with one has.
    const values = new Map<number, string | null>();
    const chosen = new Set<number>();
    for (const row of rows) {
      const node = gpu.node[row] ?? -1;
      values.set(node, values.get(node) ?? valueOf(row));
      if (isChosen(row)) chosen.add(node);
    }
    return { name, title, counts: "node", values: [...values.values()], chosen: [...values.keys()].map((node) => chosen.has(node)) };
  };
  return [
    ofGpu("host", "Host", (row) => nodes[gpu.node[row] ?? -1]?.host ?? null),
    ofNode("rack", "Rack", (row) => nodes[gpu.node[row] ?? -1]?.rack ?? null),
    ofGpu("model", "Model", (row) => models[gpu.model[row] ?? -1] ?? null),
    ofGpu("index", "Index on its node", (row) => number(gpu.index[row])),
    ...GPU_ATTRIBUTES.map(({ name, title, counts }) => {
      const valueOf = (row: number): string | null => told.get(`${name} ${idOf(row)}`) ?? told.get(`${name} ${gpuOf(idOf(row))}`) ?? null;
      return counts === "node" ? ofNode(name, title, valueOf) : ofGpu(name, title, valueOf);
    }),
    ofGpu("run", "Run", (row) => layout.runs[gpu.run[row] ?? -1]?.name ?? null),
    ofGpu("stage", "Pipeline stage", (row) => number(gpu.stage[row])),
    ofGpu("tp", "Tensor rank", (row) => number(layout.rankOf(idOf(row))?.tp)),
    ofGpu("dp", "Data-parallel rank", (row) => number(layout.rankOf(idOf(row))?.dp)),
    ofGpu("ep", "Expert group", (row) => number(layout.rankOf(idOf(row))?.ep)),
    ...readings.map(({ name, title, unit, bandWidth, values }) => ofGpu(name, title, (row) => band(values[row] ?? null, unit, bandWidth))),
  ];
}

function band(value: number | null, unit: string, width: number): string | null {
  if (value === null) return null;
  const from = Math.floor(value / width) * width;
  return `${from} to ${from + width} ${unit}`;
}
