import {
  createCaller,
  createFleetIngest,
  createFleetViews,
  createMoveHub,
  createComparisons,
  createSignalCache,
  LOCAL_ACTOR,
} from "@trainwatch/api";
import { openStore } from "@trainwatch/store";
import type { Config } from "./config.ts";
import { borrowDatabase } from "./database.ts";
import { VERSION } from "./version.ts";

export type Verbs = ReturnType<typeof createCaller>;

/**
 * Calls verbs on the database itself, as the machine's own command line: for `trainwatch token`, which must work before any token
 * exists and whether or not a server runs. Who can read the data directory or holds DATABASE_URL can do all of it anyway.
 */
export async function administer<T>(config: Config, act: (verbs: Verbs) => Promise<T>): Promise<T> {
  const database = await borrowDatabase(config);
  try {
    const store = await openStore({ url: database.url, poolSize: 2 });
    try {
      const server = { version: VERSION, demo: false };
      return await act(
        createCaller({
          store,
          now: Date.now,
          actor: LOCAL_ACTOR,
          requestId: "local",
          moves: createMoveHub(),
          signals: createSignalCache(Date.now),
          comparisons: createComparisons(),
          fleetIngest: createFleetIngest(store, Date.now),
          fleetViews: createFleetViews(store, Date.now),
          server,
        }),
      );
    } finally {
      await store.close();
    }
  } finally {
    await database.stop();
  }
}
