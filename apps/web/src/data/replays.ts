import { useMutation } from "@tanstack/react-query";
import type { Replay } from "@trainwatch/core";
import { useRefreshIncidents } from "./incidents.ts";
import { useTRPC } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

/** Records what a replay gave; the causes of the run's open incidents that it concerns are weighed anew with it. */
export function useRecordReplay(): Verb<Replay & { readonly runId: number }> {
  const trpc = useTRPC();
  const onSuccess = useRefreshIncidents();
  return verbOf(useMutation(trpc.replays.record.mutationOptions({ onSuccess })));
}
