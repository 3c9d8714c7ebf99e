import type { RuleScope } from "@trainwatch/core";

/** A scope stands in the body too; as columns a run that is deleted takes with it what was for it alone. */
export function scopeColumns({ scope }: { readonly scope: RuleScope }): { readonly runId: number | null; readonly cluster: string | null } {
  return { runId: scope.runId, cluster: scope.cluster };
}
