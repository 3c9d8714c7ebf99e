import type { Store } from "@trainwatch/store";
import type { Actor } from "./auth/actor.ts";
import type { FleetViews } from "./fleet/fleet-views-contract.ts";
import type { FleetIngest } from "./fleet-ingest/index.ts";
import type { MoveFeed } from "./live/move-feed.ts";
import type { Comparisons } from "./releases/comparisons.ts";
import type { SignalCache } from "./series/signal-cache.ts";

/** All a verb may reach. A receiver or a test builds one and calls verbs through `createCaller`. */
export interface ApiContext {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Null: nobody has proved who they are. */
  readonly actor: Actor | null;
  /** Shared by the answer and the log, so that a failure can be found. */
  readonly requestId: string;
  readonly moves: MoveFeed;
  /** One a process. */
  readonly signals: SignalCache;
  /** One a process. */
  readonly comparisons: Comparisons;
  /** One a process. */
  readonly fleetIngest: FleetIngest;
  /** One a process. */
  readonly fleetViews: FleetViews;
  readonly server: { readonly version: string; readonly demo: boolean };
}
