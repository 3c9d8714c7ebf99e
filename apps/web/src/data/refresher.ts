import type { QueryClient } from "@tanstack/react-query";
import type { LiveMove } from "@trainwatch/core";
import { askedQuery, isEvaluationView, isIncidentView, isListMovedBy, isMovedBy, LIST_REFRESH_MS, type AskedQuery } from "./tail.ts";

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

/** Answers that are asked for at most once in {@link LIST_REFRESH_MS}. */
interface Paced {
  isPending: boolean;
  refreshedAtMs: number;
}

function createPaced(): Paced {
  return { isPending: false, refreshedAtMs: Number.NEGATIVE_INFINITY };
}

/** Turns "run X moved" into refetches of exactly the answers that are out of date by it. */
export function createRefresher(queries: QueryClient, environment: RefresherEnvironment): Refresher {
  const pending = new Map<number, LiveMove>();
  let incidentsPending = false;
  const lists = createPaced();
  const evaluations = createPaced();
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

  const refreshPaced = (paced: Paced, matches: (query: AskedQuery) => boolean): void => {
    if (!paced.isPending || environment.now() - paced.refreshedAtMs < LIST_REFRESH_MS || !refresh(matches)) return;
    paced.refreshedAtMs = environment.now();
    paced.isPending = false;
  };

  const flush = (): void => {
    timer = null;
    if (environment.isHidden()) return;
    for (const [runId, move] of pending) {
      if (refresh((query) => isMovedBy(query, move))) pending.delete(runId);
    }
    if (incidentsPending && refresh(isIncidentView)) incidentsPending = false;
    refreshPaced(lists, isListMovedBy);
    refreshPaced(evaluations, isEvaluationView);
    if (pending.size > 0 || incidentsPending || lists.isPending || evaluations.isPending) schedule();
  };
  const schedule = (): void => {
    timer ??= setTimeout(flush, COALESCE_MS);
  };
  const stopListening = environment.onVisible(() => schedule());

  return {
    moved(move) {
      pending.set(move.runId, move);
      incidentsPending ||= move.incidentsChanged;
      lists.isPending = true;
      evaluations.isPending ||= move.evaluationsChanged === true;
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
