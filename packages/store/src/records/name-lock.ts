import type { Db } from "./db.ts";

const NAMES = 7_313;

/** Held until the end of the transaction by who gives a name to a rule, a mute or a release: of two that give the same at once the second sees the first's. */
export async function lockNames(db: Db): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(${NAMES}::int, 0)::text`;
}
