import type { FleetLayout } from "@trainwatch/core";

export interface FoundGpus {
  /** Index into the layout's GPUs, best first. */
  readonly gpus: readonly number[];
  readonly total: number;
}

/**
 * GPUs that a reader names: `c11-n07 3` or `c11-n07 GPU 3`, a host or a part of it, a UUID or a part of it, `rank 5427` or the number alone.
 * What is written exactly so comes before what merely contains it.
 */
export function findGpus(layout: FleetLayout, query: string, limit: number): FoundGpus {
  const text = query.trim().toLowerCase();
  if (text === "") return { gpus: [], total: 0 };
  const rank = /^(?:rank\s*)?(\d{1,9})$/.exec(text)?.[1];
  const slot = /^(\S+)(?:\s*[:/]\s*|\s+(?:gpu\s*)?)(\d{1,2})$/.exec(text);
  const scored: { readonly gpu: number; readonly score: number }[] = [];
  layout.gpu.id.forEach((id, gpu) => {
    const score = scoreOf({
      text,
      id: id.toLowerCase(),
      host: (layout.nodes[layout.gpu.node[gpu] ?? -1]?.host ?? "").toLowerCase(),
      index: layout.gpu.index[gpu] ?? null,
      isRank: rank !== undefined && layout.gpu.rank[gpu] === Number(rank),
      slotHost: slot?.[1] ?? null,
      slotIndex: slot?.[2] === undefined ? null : Number(slot[2]),
    });
    if (score > 0) scored.push({ gpu, score });
  });
  scored.sort((a, b) => b.score - a.score || a.gpu - b.gpu);
  return { gpus: scored.slice(0, limit).map(({ gpu }) => gpu), total: scored.length };
}

interface Candidate {
  readonly text: string;
  readonly id: string;
  readonly host: string;
  readonly index: number | null;
  readonly isRank: boolean;
  readonly slotHost: string | null;
  readonly slotIndex: number | null;
}

function scoreOf({ text, id, host, index, isRank, slotHost, slotIndex }: Candidate): number {
  if (id === text) return 9;
  if (isRank) return 8;
  if (slotHost !== null && slotIndex === index && (host === slotHost || host.split(".")[0] === slotHost)) return 7;
  if (host === text) return 6;
  if (id.startsWith(text) || id.startsWith(`gpu-${text}`)) return 5;
  if (host.startsWith(text)) return 4;
  // Two characters of a UUID stand in one in four of them by chance.
  if (text.length >= 3 && (id.includes(text) || host.includes(text))) return 3;
  return 0;
}
