import { SCOPES, type Scope, type TokenView } from "@trainwatch/core";
import type { Token } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { sharedLookups } from "./shared-lookups.ts";

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the secret in hex: unique. The secret itself is never stored. */
  readonly hash: string;
  readonly prefix: string;
  readonly createdAtMs: number;
}

export interface TokenRecords {
  /** The live token with this hash, noting that it was used (to the minute); null where unknown or revoked. */
  use(hash: string, nowMs: number): Promise<TokenView | null>;
  /** Newest first, revoked ones too. */
  list(): Promise<readonly TokenView[]>;
  /** Newest live token of that name; null where there is none. */
  findLive(name: string): Promise<TokenView | null>;
  /** Whether this token's secret has that hash. */
  hasHash(id: number, hash: string): Promise<boolean>;
  /** Live tokens; beyond loopback the server asks for at least one. */
  countLive(): Promise<number>;
  /** Null where a live token has that name already. */
  create(token: NewToken): Promise<TokenView | null>;
  /** Null where it is unknown or revoked already. Sessions opened with it end with it. */
  revoke(id: number, nowMs: number): Promise<TokenView | null>;
}

/** A busy agent uses its token many times a second; that it did is news once a minute. */
const LAST_USED_GRAIN_MS = 60_000;

export function createTokenRecords(db: Db): TokenRecords {
  // A fleet of agents may share one token: a thousand requests a second would else be a thousand look-ups.
  const find = sharedLookups((hash) => db.token.findUnique({ where: { hash } }));
  return {
    async use(hash, nowMs) {
      const token = await find(hash);
      if (token === null || !isLive(token)) return null;
      if (token.lastUsedAtMs === null || token.lastUsedAtMs < nowMs - LAST_USED_GRAIN_MS) {
        await db.token.updateMany({ where: { id: token.id, revokedAtMs: null }, data: { lastUsedAtMs: nowMs } });
      }
      return tokenView(token);
    },
    async list() {
      return (await db.token.findMany({ orderBy: { id: "desc" } })).map(tokenView);
    },
    async findLive(name) {
      const token = await db.token.findFirst({ where: { name, revokedAtMs: null }, orderBy: { id: "desc" } });
      return token === null ? null : tokenView(token);
    },
    async hasHash(id, hash) {
      return (await db.token.count({ where: { id, hash } })) === 1;
    },
    countLive: () => db.token.count({ where: { revokedAtMs: null } }),
    async create({ name, scopes, hash, prefix, createdAtMs }) {
      // `ON CONFLICT DO NOTHING`: a unique violation would abort the transaction around it.
      const [token] = await db.token.createManyAndReturn({
        data: [{ name, scopes: [...scopes], hash, prefix, createdAtMs }],
        skipDuplicates: true,
      });
      return token === undefined ? null : tokenView(token);
    },
    async revoke(id, nowMs) {
      const { count } = await db.token.updateMany({ where: { id, revokedAtMs: null }, data: { revokedAtMs: nowMs } });
      if (count === 0) return null;
      await db.session.deleteMany({ where: { tokenId: id } });
      return tokenView(await db.token.findUniqueOrThrow({ where: { id } }));
    },
  };
}

/** A token lives until it is revoked. */
export function isLive({ revokedAtMs }: Pick<Token, "revokedAtMs">): boolean {
  return revokedAtMs === null;
}

export function tokenView(token: Token): TokenView {
  const { id, name, prefix, createdAtMs, lastUsedAtMs, revokedAtMs } = token;
  return { id, name, prefix, createdAtMs, lastUsedAtMs, revokedAtMs, scopes: SCOPES.filter((scope) => token.scopes.includes(scope)) };
}
