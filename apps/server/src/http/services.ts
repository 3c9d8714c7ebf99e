import type { FleetIngest, MoveFeed } from "@trainwatch/api";
import type { Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import type { KnownClients } from "./known-clients.ts";
import type { LocalSession } from "./local-session.ts";
import type { Metrics } from "./metrics.ts";
import type { WebSource } from "./web-files.ts";

/** What the HTTP side is made of; `start` builds it, tests build their own. */
export interface Services {
  readonly store: Store;
  readonly moves: MoveFeed;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly server: { readonly version: string; readonly demo: boolean };
  readonly web: WebSource;
  /** Null: host and port as bound. */
  readonly publicUrl: string | null;
  /** Bound to loopback: only names of this machine (and the public one) may stand in `Host`. */
  readonly isLoopbackOnly: boolean;
  /** The token that a browser on this machine is signed in with by itself; null where it has to show one. */
  readonly localTokenId: number | null;
  readonly rateLimitPerMinute: number;
}

/** With what the HTTP side keeps in mind between requests. */
export interface AppServices extends Services {
  readonly clients: KnownClients;
  /** The way of fleet readings into the store, for verbs and receivers alike. */
  readonly fleetIngest: FleetIngest;
  /** Signs in a browser on this machine; null where it has to show a token. */
  readonly localSession: LocalSession | null;
}
