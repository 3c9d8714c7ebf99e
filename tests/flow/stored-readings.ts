import { openStore } from "@trainwatch/store";
import type { Store } from "@trainwatch/store";

const MOST_SERIES = 1_000;
const MOST_READINGS = 100_000;
/** Beyond every time that a test writes at. */
const FAR_MS = 4e12;

export interface StoredSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

/** Every reading of a metric in a database, series by series, in time order. */
export async function storedReadings(store: Store, metric: string): Promise<readonly StoredSeries[]> {
  const found = await store.fleet.reader.series({ metric, limit: MOST_SERIES });
  return Promise.all(
    found.map(async ({ place, labels }) => ({
      labels,
      values: [...(await store.fleet.reader.readings(place, 0, FAR_MS, MOST_READINGS)).values],
    })),
  );
}

/** A look at a database that another process may kill at any moment. Null while it cannot be reached. */
export async function lookInto<T>(url: string, look: (store: Store) => Promise<T>): Promise<T | null> {
  try {
    const store = await openStore({ url, migrate: false, poolSize: 2 });
    try {
      return await look(store);
    } finally {
      await store.close();
    }
  } catch {
    return null;
  }
}
