import type { TokenView } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { isLive, tokenView } from "./token-records.ts";

export interface NewSession {
  /** SHA-256 of the cookie's value in hex. */
  readonly hash: string;
  readonly tokenId: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface SessionRecords {
  create(session: NewSession): Promise<void>;
  /** The token behind a session; null where the session is unknown or over or its token is revoked. */
  tokenOf(hash: string, nowMs: number): Promise<TokenView | null>;
  delete(hash: string): Promise<void>;
  /** Removes what is over; answers how many. */
  deleteExpired(nowMs: number): Promise<number>;
}

export function createSessionRecords(db: Db): SessionRecords {
  return {
    async create(session) {
      await db.session.create({ data: session });
    },
    async tokenOf(hash, nowMs) {
      const session = await db.session.findUnique({ where: { hash, expiresAtMs: { gt: nowMs } }, include: { token: true } });
      return session === null || !isLive(session.token) ? null : tokenView(session.token);
    },
    async delete(hash) {
      await db.session.deleteMany({ where: { hash } });
    },
    async deleteExpired(nowMs) {
      return (await db.session.deleteMany({ where: { expiresAtMs: { lte: nowMs } } })).count;
    },
  };
}
