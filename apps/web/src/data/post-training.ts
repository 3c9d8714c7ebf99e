import { skipToken, useQuery } from "@tanstack/react-query";
import type { PostTrainingView } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";

/** What only post-training has: reward against held-out results, and the turn. Null asks nothing; without an attempt it is the effective view. */
export function usePostTraining(question: { readonly runId: number; readonly attempt?: string } | null): Loaded<PostTrainingView> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.postTraining.get.queryOptions(question ?? skipToken)));
}
