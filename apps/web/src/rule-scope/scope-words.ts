import type { RuleScope } from "@trainwatch/core";

/** "everybody", "cluster fjord-1", "run 12". */
export function scopeWord({ runId, cluster }: RuleScope): string {
  if (runId !== null) return `run ${runId}`;
  return cluster === null ? "everybody" : `cluster ${cluster}`;
}
