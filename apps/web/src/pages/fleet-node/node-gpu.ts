/** A GPU of the node, as at the time shown. */
export interface NodeGpu {
  readonly id: string;
  readonly index: number | null;
}

/** "GPU 3"; by its UUID where no source tells its index. */
export function gpuWord(id: string, gpus: readonly NodeGpu[]): string {
  const [gpu = id, ...rest] = id.split("/");
  const index = gpus.find((candidate) => candidate.id === gpu)?.index ?? null;
  return [index === null ? gpu.slice(0, 12) : `GPU ${index}`, ...rest].join(" ");
}
