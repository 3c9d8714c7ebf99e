import type { RunFacts } from "@trainwatch/store";
import type { ApiContext } from "../context.ts";

/** A verb has changed an incident of this run: every open page looks again. */
export function announceIncident({ moves, now }: Pick<ApiContext, "moves" | "now">, run: Pick<RunFacts, "id" | "lastStep">): void {
  moves.announce({ runId: run.id, lastStep: run.lastStep, samples: 0, atMs: now(), incidentsChanged: true });
}
