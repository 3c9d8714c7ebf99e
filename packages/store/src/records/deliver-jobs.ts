import type { Db } from "./db.ts";

/** What one job of the deliver worker is about: all that waits to be told to a channel about an incident, in order. */
export interface DeliverJob {
  readonly incidentId: number;
  readonly channelId: number;
}

export const DELIVER_TASK = "deliver";

/** graphile-worker counts tries; when we give up is decided by time, long before so many. */
const MOST_TRIES = 100;

/**
 * The outbox: the job stands or falls with the transaction that writes the notice. Jobs of a channel share a queue, so that one is at work at a time
 * on all servers together; one that waits for its next try already is taken up at once, since there is more to tell.
 */
export async function addDeliverJob(db: Db, { incidentId, channelId }: DeliverJob): Promise<void> {
  await db.$executeRaw`
    SELECT graphile_worker.add_job(${DELIVER_TASK}, json_build_object('incidentId', ${incidentId}::int, 'channelId', ${channelId}::int),
      queue_name => 'channel:' || ${channelId}::int, max_attempts => ${MOST_TRIES}::int, job_key => 'notices:' || ${incidentId}::int || ':' || ${channelId}::int)`;
}

/** Once a minute so many: the rest comes with the next. */
const MOST_REQUEUED = 1_000;

/** Gives a job to waiting notices that have none, as after somebody has emptied the queue; answers how many jobs. */
export async function requeueNotices(db: Db): Promise<number> {
  const lost = await db.$queryRaw<DeliverJob[]>`
    SELECT DISTINCT n.incident_id AS "incidentId", n.channel_id AS "channelId" FROM notice n
    WHERE n.state = 'waiting' AND NOT EXISTS (
      SELECT FROM graphile_worker.jobs j WHERE j.key = 'notices:' || n.incident_id || ':' || n.channel_id AND j.attempts < j.max_attempts) LIMIT ${MOST_REQUEUED}`;
  for (const job of lost) await addDeliverJob(db, job);
  return lost.length;
}

/**
 * Frees jobs and queues of workers that died at work. A try ends within seconds, so who has held a job for `afterS` seconds is gone; graphile-worker itself would wait
 * four hours. At worst something is sent twice, under the same id.
 */
export async function unlockDeadJobs(db: Db, afterS: number): Promise<number> {
  const rows = await db.$queryRaw<{ worker: string }[]>`
    SELECT DISTINCT j.locked_by AS worker FROM graphile_worker.jobs j
    WHERE j.task_identifier = ${DELIVER_TASK} AND j.locked_at < now() - make_interval(secs => ${afterS})`;
  if (rows.length > 0) await db.$executeRaw`SELECT graphile_worker.force_unlock_workers(${rows.map(({ worker }) => worker)})`;
  return rows.length;
}
