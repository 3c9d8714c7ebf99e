import type { SeriesIdentity } from "@trainwatch/core";

/** A series as a test needs it: of a GPU, or of nothing where `gpu` is null. */
export function identity(metric: string, gpu: string | null, target = "node-1"): SeriesIdentity {
  return {
    metric,
    sourceName: metric,
    entity: gpu === null ? null : { kind: "gpu", id: gpu },
    labels: {},
    key: JSON.stringify([metric, gpu, gpu === null ? target : null]),
    target,
    node: null,
    attributes: [],
  };
}
