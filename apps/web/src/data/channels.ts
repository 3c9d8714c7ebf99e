import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Channel, ChannelHealth, ChannelTest, NoticePage, StoredChannel } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

/** Deliveries happen behind the page's back: whoever waits for one sees it within so long. */
const POLL_MS = 4_000;

/** All channels, oldest first, addresses masked. */
export function useChannels(): Loaded<readonly StoredChannel[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.channels.list.queryOptions()));
}

/** What waits, what was delivered last, what has failed since. */
export function useChannelHealth(): Loaded<readonly ChannelHealth[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.channels.health.queryOptions(undefined, { refetchInterval: POLL_MS })));
}

export const NOTICES_PAGE_SIZE = 25;

/** The delivery log, newest first; null: of any channel. */
export function useNotices(channelId: number | null, cursor: string | null): Loaded<NoticePage> {
  const trpc = useTRPC();
  const input = { channelId, cursor, limit: NOTICES_PAGE_SIZE };
  const live = cursor === null ? { refetchInterval: POLL_MS } : {};
  return loadedOf(useQuery(trpc.notices.list.queryOptions(input, { placeholderData: keepPreviousData, ...live })));
}

export interface ChannelVerbs {
  /** A secret of null signs nothing. */
  readonly create: Verb<Channel & { readonly secret: string | null }, StoredChannel>;
  /** What is left out stays as it is, the address and the secret too. */
  readonly update: Verb<{ readonly channelId: number; readonly secret?: string | null } & Partial<Omit<Channel, "kind">>, StoredChannel>;
  readonly remove: Verb<{ readonly channelId: number }>;
  readonly test: Verb<{ readonly channelId: number }, ChannelTest>;
}

export function useChannelVerbs(): ChannelVerbs {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all(
      [trpc.channels.pathFilter(), trpc.notices.pathFilter(), trpc.audit.pathFilter()].map((filter) => queries.invalidateQueries(filter)),
    );
  return {
    create: verbOf(useMutation(trpc.channels.create.mutationOptions({ onSuccess }))),
    update: verbOf(useMutation(trpc.channels.update.mutationOptions({ onSuccess }))),
    remove: verbOf(useMutation(trpc.channels.delete.mutationOptions({ onSuccess }))),
    test: verbOf(useMutation(trpc.channels.test.mutationOptions({ onSuccess }))),
  };
}
