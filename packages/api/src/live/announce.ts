import { NO_RUN } from "@trainwatch/core";
import type { RunFacts } from "@trainwatch/store";
import type { ApiContext } from "../context.ts";

/** A verb has changed an incident of this run, or of none: every open page looks again. */
export function announceIncident({ moves, now }: Pick<ApiContext, "moves" | "now">, run: Pick<RunFacts, "id" | "lastStep"> | null): void {
  moves.announce({ runId: run?.id ?? NO_RUN, lastStep: run?.lastStep ?? null, samples: 0, atMs: now(), incidentsChanged: true });
}

/** Results of evaluations of this run's checkpoints have come, or of a model by name: comparisons and trends look again. */
export function announceEvaluations({ moves, now }: Pick<ApiContext, "moves" | "now">, runId: number | null): void {
  moves.announce({
    runId: runId ?? NO_RUN,
    lastStep: null,
    samples: 0,
    atMs: now(),
    incidentsChanged: false,
    evaluationsChanged: true,
  });
}
