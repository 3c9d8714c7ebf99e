import type { Finding } from "@trainwatch/core";

/** Seed of the draws behind an advice, from the finding that came first: the same fault is advised the same wherever it is replayed. */
export function adviceSeed(findings: readonly Finding[]): number {
  return Number.parseInt((findings[0]?.id ?? "0").slice(0, 8), 16) || 0;
}
