import type { ChannelHealth } from "@trainwatch/core";
import type { Db } from "./db.ts";

/** How each channel does. Index: (channel_id, id) of `notice`, (notice_id) of `delivery`. */
export function channelHealth(db: Db): Promise<readonly ChannelHealth[]> {
  return db.$queryRaw<ChannelHealth[]>`
    SELECT c.id AS "channelId", (SELECT count(*)::int FROM notice n WHERE n.channel_id = c.id AND n.state = 'waiting') AS waiting,
      good.at_ms AS "lastDeliveredAtMs",
      CASE WHEN bad.id IS NULL THEN NULL
        ELSE json_build_object('atMs', bad.at_ms, 'ok', false, 'status', bad.status, 'message', bad.message) END AS "lastFailure"
    FROM channel c
    LEFT JOIN LATERAL (SELECT d.* FROM delivery d JOIN notice n ON n.id = d.notice_id WHERE n.channel_id = c.id AND d.ok ORDER BY d.id DESC LIMIT 1) good ON true
    LEFT JOIN LATERAL (SELECT d.* FROM delivery d JOIN notice n ON n.id = d.notice_id
      WHERE n.channel_id = c.id AND NOT d.ok AND d.id > coalesce(good.id, 0) ORDER BY d.id DESC LIMIT 1) bad ON true
    ORDER BY c.id`;
}
