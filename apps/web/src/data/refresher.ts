import type { QueryClient } from "@tanstack/react-query";
import type { LiveMove } from "@trainwatch/core";
import { askedQuery, isIncidentView, isListMovedBy, isMovedBy, LIST_REFRESH_MS, type AskedQuery } from "./tail.ts";

/** Moves of a busy cluster come many a second; pages are asked to redraw at most this often. */
export const COALESCE_MS = 250;

export interface Refresher {
  readonly moved: (move: LiveMove) => void;
  /** Everything on the page may be old: after a lost stream, or a return from a hidden tab. */
  readonly everything: () => void;
  readonly stop: () => void;
}

export interface RefresherEnvironment {
  /** A hidden tab asks nothing; what moved meanwhile is fetched on return. */
  readonly isHidden: () => boolean;
  readonly onVisible: (listener: () => void) => () => void;
  readonly now: () => number;
}

/** Turns "run X moved" into refetches of exactly the answers that are out of date by it. */
export function createRefresher(queries: QueryClient, environment: RefresherEnvironment): Refresher {
  const pending = new Map<number, LiveMove>();
  let incidentsPending = false;
  let listsPending = false;
  let listsRefreshedAtMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const filter = (matches: (query: AskedQuery) => boolean) => ({
    predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean => {
      const query = askedQuery(queryKey);
      return query !== null && matches(query);
    },
  });
  /** False while the same answers are still on their way: aborting them on every move would starve a slow chart. */
  const refresh = (matches: (query: AskedQuery) => boolean): boolean => {
    if (queries.isFetching(filter(matches)) > 0) return false;
    void queries.invalidateQueries(filter(matches));
    return true;
  };

  const flush = (): void => {
    timer = null;
    if (environment.isHidden()) return;
    for (const [runId, move] of pending) {
      if (refresh((query) => isMovedBy(query, move))) pending.delete(runId);
    }
    if (incidentsPending && refresh(isIncidentView)) incidentsPending = false;
    if (listsPending && environment.now() - listsRefreshedAtMs >= LIST_REFRESH_MS && refresh(isListMovedBy)) {
      listsRefreshedAtMs = environment.now();
      listsPending = false;
    }
    if (pending.size > 0 || incidentsPending || listsPending) schedule();
  };
  const schedule = (): void => {
    timer ??= setTimeout(flush, COALESCE_MS);
  };
  const stopListening = environment.onVisible(() => schedule());

  return {
    moved(move) {
      pending.set(move.runId, move);
      incidentsPending ||= move.incidentsChanged;
      listsPending = true;
      schedule();
    },
    everything() {
      if (environment.isHidden()) return;
      void queries.invalidateQueries({}, { cancelRefetch: false });
    },
    stop() {
      stopListening();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
