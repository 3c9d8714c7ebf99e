import type { ChannelHealth, DeliveryView, NoticeBody, NoticeReason, NoticeView, SentNotice } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import { channelHealth } from "./channel-health.ts";
import type { Db } from "./db.ts";
import { addDeliverJob, requeueNotices, unlockDeadJobs, type DeliverJob } from "./deliver-jobs.ts";
import { IS_ON_NOW, IS_REPLACED } from "./incident-standing.ts";
import { asJson } from "./json.ts";
import { withMerged } from "./merge-incidents.ts";
import { noticeViews } from "./notice-rows.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";

export interface NewNotice {
  readonly incidentId: number;
  readonly channelId: number;
  readonly reason: NoticeReason;
  /** Tells apart what is told for the same reason more than once; see `tellIncident`. */
  readonly ordinal: number;
  readonly body: NoticeBody;
  readonly state: "waiting" | "muted";
}

export interface NoticeQuestion {
  /** Null: of any. */
  readonly incidentId: number | null;
  readonly channelId: number | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** What was told to whom, and each try to. */
export interface NoticeRecords {
  /** Null where the same (incident, channel, reason, ordinal) has been written already, by whomever. One that waits gets its job in the same transaction. */
  create(notice: NewNotice, nowMs: number): Promise<number | null>;
  /** Newest first, with their tries; of an incident and of what was merged into it. */
  list(question: NoticeQuestion): Promise<{ readonly items: readonly NoticeView[]; readonly next: string | null }>;
  /** What was written of an incident and of what was merged into it, delivered or not, oldest first; one for all channels it went to. As `noticesOf` asks. */
  sent(incidentId: number): Promise<readonly SentNotice[]>;
  /** Those that are to be sent to a channel about an incident, oldest first. */
  waiting(job: DeliverJob): Promise<readonly NoticeView[]>;
  addDelivery(noticeId: number, delivery: DeliveryView): Promise<void>;
  /** It waits no longer; false where somebody else has settled it. */
  settle(noticeId: number, state: "delivered" | "failed"): Promise<boolean>;
  /**
   * Incidents to which the clock alone may do something: what has ended and was not told to be over (`noticesOf` decides whether it is to be), and what was put off until now.
   * Snoozes first, as an end that may not be told stays among them for a day; then the ones that were changed last. Index: (state, opened_at_ms) of `incident`.
   */
  due(nowMs: number, limit: number): Promise<readonly number[]>;
  /** Incidents with an id above `afterId`, ascending, that are open and go on and of which a mute keeps something back: what may be told once it ends. Indexes: (state, opened_at_ms) of `incident`, (incident_id, …) of `notice`. */
  kept(afterId: number, limit: number): Promise<readonly number[]>;
  /** A notice that was kept back is to be told after all, as things stand now; false where it is not kept back any more. */
  release(notice: Pick<NoticeView, "id" | "incidentId" | "channelId">, body: NoticeBody): Promise<boolean>;
  /** Gives a job to waiting notices that have none, as after somebody has emptied the queue; answers how many jobs. */
  requeue(): Promise<number>;
  /** Frees jobs of workers that have held one for longer than a try can take: they died. Answers how many workers. */
  unlockDead(afterS: number): Promise<number>;
  health(): Promise<readonly ChannelHealth[]>;
}

/** What has ended so long ago and was not told to be over by now will not be: it has been told of often enough. */
const DUE_FOR_MS = 86_400_000;

/** Far more than an incident ever has for one channel: at most three, and one an escalation. */
const MOST_WAITING = 100;

export function createNoticeRecords(db: Db): NoticeRecords {
  return {
    async create({ incidentId, channelId, reason, ordinal, body, state }, nowMs) {
      const [row] = await db.notice.createManyAndReturn({
        data: [{ incidentId, channelId, reason, ordinal, body: asJson(body), createdAtMs: nowMs, state }],
        skipDuplicates: true,
        select: { id: true },
      });
      if (row !== undefined && state === "waiting") await addDeliverJob(db, { incidentId, channelId });
      return row?.id ?? null;
    },
    async list({ incidentId, channelId, limit, cursor }) {
      const before = cursor === null ? null : Number(decodeCursor(cursor, 1)[0]);
      const conditions = [
        incidentId === null ? Prisma.sql`true` : Prisma.sql`n.incident_id = ANY(${await withMerged(db, incidentId)}::int[])`,
        channelId === null ? Prisma.sql`true` : Prisma.sql`n.channel_id = ${channelId}`,
        before === null ? Prisma.sql`true` : Prisma.sql`n.id < ${before}`,
      ];
      const rows = await noticeViews(db, { where: Prisma.join(conditions, " AND "), newestFirst: true, limit: limit + 1 });
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return { items, next: rows.length > limit && last !== undefined ? encodeCursor([last.id]) : null };
    },
    sent: (incidentId) => db.$queryRaw<SentNotice[]>`
      SELECT n.incident_id AS "incidentId", n.reason, min(n.body ->> 'severity') AS severity, min(n.created_at_ms) AS "atMs",
        array_agg(n.channel_id) AS channels, coalesce((array_agg(n.body -> 'merged'))[1], '[]'::jsonb) AS merged
      FROM incident i JOIN notice n ON n.incident_id = i.id WHERE i.id = ${incidentId}::int OR i.merged_into = ${incidentId}::int
      GROUP BY n.incident_id, n.reason, n.ordinal ORDER BY min(n.id)`,
    waiting: ({ incidentId, channelId }) =>
      noticeViews(db, {
        where: Prisma.sql`n.incident_id = ${incidentId} AND n.channel_id = ${channelId} AND n.state = 'waiting'`,
        newestFirst: false,
        limit: MOST_WAITING,
      }),
    async addDelivery(noticeId, delivery) {
      await db.delivery.create({ data: { noticeId, ...delivery } });
    },
    async settle(noticeId, state) {
      return (await db.notice.updateMany({ where: { id: noticeId, state: "waiting" }, data: { state } })).count === 1;
    },
    async due(nowMs, limit) {
      const rows = await db.$queryRaw<{ id: number }[]>`
        SELECT i.id FROM incident i LEFT JOIN run r ON r.id = i.run_id
        -- As heardOf of core: what was merged into it has ended, and it may go on.
        LEFT JOIN LATERAL (
          SELECT n.reason FROM incident m JOIN notice n ON n.incident_id = m.id
          WHERE m.id = i.id OR (m.merged_into = i.id AND n.reason NOT IN ('over', 'resolved')) ORDER BY n.id DESC LIMIT 1) last ON true
        WHERE i.state IN ('open', 'acknowledged', 'snoozed') AND (
          ((NOT i.ongoing OR (NOT ${IS_ON_NOW} AND ${IS_REPLACED})) AND last.reason NOT IN ('over', 'resolved') AND i.updated_at_ms > ${nowMs - DUE_FOR_MS}::float8)
          OR (i.state = 'snoozed' AND i.snoozed_until_ms <= ${nowMs}::float8))
        ORDER BY i.state = 'snoozed' DESC, i.updated_at_ms DESC LIMIT ${limit}`;
      return rows.map(({ id }) => id);
    },
    async kept(afterId, limit) {
      const rows = await db.$queryRaw<{ id: number }[]>`
        SELECT i.id FROM incident i LEFT JOIN run r ON r.id = i.run_id
        WHERE i.id > ${afterId}::int AND i.state = 'open' AND i.ongoing AND (${IS_ON_NOW} OR NOT ${IS_REPLACED}) AND EXISTS (
          SELECT FROM notice n WHERE n.incident_id = i.id AND n.state = 'muted' AND n.reason IN ('opened', 'escalated', 'reopened'))
        ORDER BY i.id LIMIT ${limit}`;
      return rows.map(({ id }) => id);
    },
    async release({ id, incidentId, channelId }, body) {
      const { count } = await db.notice.updateMany({ where: { id, state: "muted" }, data: { state: "waiting", body: asJson(body) } });
      if (count === 1) await addDeliverJob(db, { incidentId, channelId });
      return count === 1;
    },
    requeue: () => requeueNotices(db),
    unlockDead: (afterS) => unlockDeadJobs(db, afterS),
    health: () => channelHealth(db),
  };
}
