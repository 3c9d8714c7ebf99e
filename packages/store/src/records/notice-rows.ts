import { NOTICE_REASONS, NOTICE_STATES, noticeSchema, type DeliveryView, type NoticeView } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { known } from "./known-word.ts";

interface NoticeRow {
  readonly id: number;
  readonly incidentId: number;
  readonly channelId: number;
  readonly channel: string;
  readonly kind: string;
  readonly reason: string;
  readonly state: string;
  readonly createdAtMs: number;
  readonly body: unknown;
  readonly deliveries: readonly DeliveryView[];
}

interface NoticeSelection {
  readonly where: Prisma.Sql;
  readonly newestFirst: boolean;
  readonly limit: number;
}

const CHANNEL_KINDS = ["slack", "webhook"] as const;

/** Notices with their channel and every try. One statement: inside a transaction Prisma's `include` would send several at once on one connection. */
export async function noticeViews(db: Db, { where, newestFirst, limit }: NoticeSelection): Promise<readonly NoticeView[]> {
  const rows = await db.$queryRaw<NoticeRow[]>`
    SELECT n.id, n.incident_id AS "incidentId", n.channel_id AS "channelId", c.name AS channel, c.body ->> 'kind' AS kind, n.reason, n.state,
      n.created_at_ms AS "createdAtMs", n.body, coalesce((
        SELECT json_agg(json_build_object('atMs', d.at_ms, 'ok', d.ok, 'status', d.status, 'message', d.message) ORDER BY d.id)
        FROM delivery d WHERE d.notice_id = n.id), '[]'::json) AS deliveries
    FROM notice n JOIN channel c ON c.id = n.channel_id JOIN incident i ON i.id = n.incident_id
    WHERE ${where} ORDER BY n.id ${newestFirst ? Prisma.sql`DESC` : Prisma.sql`ASC`} LIMIT ${limit}`;
  return rows.map(({ kind, reason, state, body, ...row }) => ({
    ...row,
    kind: known(CHANNEL_KINDS, kind),
    reason: known(NOTICE_REASONS, reason),
    state: known(NOTICE_STATES, state),
    body: noticeSchema.parse(body),
  }));
}
