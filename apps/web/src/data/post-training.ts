import { skipToken, useQuery } from "@tanstack/react-query";
import type { PostTrainingView } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";

/** The fit is made anew at each answer: it follows a run at this pace, not with every point. */
const FOLLOW_MS = 15_000;
/** Whether a run has turned out to be post-training. */
const LOOK_MS = 60_000;

/** What only post-training has: reward against held-out results, and the turn. Null asks nothing; without an attempt it is the effective view. */
export function usePostTraining(question: { readonly runId: number; readonly attempt?: string } | null): Loaded<PostTrainingView> {
  const trpc = useTRPC();
  return loadedOf(
    useQuery(
      trpc.postTraining.get.queryOptions(question ?? skipToken, {
        refetchInterval: (query) => (query.state.data?.isPostTraining === true ? FOLLOW_MS : LOOK_MS),
      }),
    ),
  );
}
