import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CheckpointEntryPage, CheckpointState, Passport } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";

export interface CheckpointQuestion {
  /** Part of the run's name or of the path, or a step. */
  readonly query: string;
  readonly runId: number | null;
  /** None: in any state. */
  readonly states: readonly CheckpointState[];
  /** Null: on the way of today's weights or not. */
  readonly inEffect: boolean | null;
  readonly cursor: string | null;
}
export const CHECKPOINTS_PAGE_SIZE = 50;

/** Saved weights of all runs, newest first. */
export function useCheckpoints(question: CheckpointQuestion): Loaded<CheckpointEntryPage> {
  const trpc = useTRPC();
  const input = { ...question, states: [...question.states], limit: CHECKPOINTS_PAGE_SIZE };
  return loadedOf(useQuery(trpc.checkpoints.registry.queryOptions(input, { placeholderData: keepPreviousData })));
}

/** All that is known of one checkpoint. */
export function usePassport(checkpointId: number): Loaded<Passport> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.checkpoints.passport.queryOptions({ checkpointId })));
}
