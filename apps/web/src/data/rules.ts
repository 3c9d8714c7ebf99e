import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Mute, RuleInput, StoredMute, StoredRule } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

/** All rules, oldest first. */
export function useRules(): Loaded<readonly StoredRule[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.rules.list.queryOptions()));
}

export interface RuleVerbs {
  readonly create: Verb<RuleInput, StoredRule>;
  readonly update: Verb<{ readonly ruleId: number; readonly rule: RuleInput }, StoredRule>;
  readonly remove: Verb<{ readonly ruleId: number }>;
}

/** A changed rule changes what is in force of detectors. */
export function useRuleVerbs(): RuleVerbs {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all(
      [trpc.rules.list.queryFilter(), trpc.detectors.pathFilter(), trpc.audit.pathFilter()].map((filter) =>
        queries.invalidateQueries(filter),
      ),
    );
  return {
    create: verbOf(useMutation(trpc.rules.create.mutationOptions({ onSuccess }))),
    update: verbOf(useMutation(trpc.rules.update.mutationOptions({ onSuccess }))),
    remove: verbOf(useMutation(trpc.rules.delete.mutationOptions({ onSuccess }))),
  };
}

/** All mute calendars, oldest first. */
export function useMutes(): Loaded<readonly StoredMute[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.mutes.list.queryOptions()));
}

export interface MuteVerbs {
  readonly create: Verb<Mute, StoredMute>;
  readonly update: Verb<{ readonly muteId: number; readonly mute: Mute }, StoredMute>;
  readonly remove: Verb<{ readonly muteId: number }>;
}

export function useMuteVerbs(): MuteVerbs {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all([trpc.mutes.pathFilter(), trpc.audit.pathFilter()].map((filter) => queries.invalidateQueries(filter)));
  return {
    create: verbOf(useMutation(trpc.mutes.create.mutationOptions({ onSuccess }))),
    update: verbOf(useMutation(trpc.mutes.update.mutationOptions({ onSuccess }))),
    remove: verbOf(useMutation(trpc.mutes.delete.mutationOptions({ onSuccess }))),
  };
}
