import type { Store } from "@trainwatch/store";

const DAY_MS = 86_400_000;
/** Runs a round: deleting is work for the database, and the next round comes. */
const RUNS_A_ROUND = 20;
const ACTOR = "retention";

/** Deletes runs that have not moved for longer than the setting allows; each leaves an audit row. Nothing without the setting. */
export async function deleteOldRuns(store: Store, nowMs: number): Promise<number> {
  const { retentionDays } = await store.records.settings.get();
  if (retentionDays === null) return 0;
  const old = await store.records.runs.idleSince(nowMs - retentionDays * DAY_MS, RUNS_A_ROUND);
  for (const run of old) {
    await store.records.transaction(async (records) => {
      if (!(await records.runs.delete(run.id))) return;
      await records.audit.append({
        atMs: nowMs,
        actor: ACTOR,
        verb: "runs.delete",
        target: `run:${run.id}`,
        details: { run: run.fullName, retentionDays },
      });
    });
  }
  return old.length;
}
