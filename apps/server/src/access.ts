import { hashSecret, newToken, secretPrefix } from "@trainwatch/api";
import { AppError, SCOPES } from "@trainwatch/core";
import type { Records, Store } from "@trainwatch/store";
import type { Config } from "./config.ts";
import { isLoopback } from "./http/host-guard.ts";

export interface Access {
  /** The token that a browser on this machine is signed in with by itself; null where it has to show one. */
  readonly localTokenId: number | null;
  /** The secret of a token made just now, to be shown once; null where there was one. */
  readonly madeToken: string | null;
}

const ENVIRONMENT_TOKEN = "TRAINWATCH_ADMIN_TOKEN";
const LOCAL_TOKEN = "this machine";
const SYSTEM_ACTOR = "trainwatch serve";

/**
 * Who may come in. On loopback with a database of our own a first token is made and the page opens signed in; everywhere else somebody
 * must have decided on a token before.
 * @throws AppError `misconfigured` beyond loopback without any token
 */
export async function prepareAccess(store: Store, config: Config, isEmbedded: boolean, nowMs: number): Promise<Access> {
  await store.records.transaction((records) => keepEnvironmentToken(records, config.adminToken, nowMs));
  if (!isLoopback(config.host)) {
    if ((await store.records.tokens.countLive()) === 0) throw openToEverybody(config.host);
    return { localTokenId: null, madeToken: null };
  }
  // Behind a proxy a request from this machine may be anybody's.
  if (!isEmbedded || config.url !== null) return { localTokenId: null, madeToken: null };
  return store.records.transaction((records) => keepLocalToken(records, nowMs));
}

function openToEverybody(host: string): AppError {
  return new AppError(
    "misconfigured",
    `The host ${host} can be reached from other machines, and no token guards it yet. Set ${ENVIRONMENT_TOKEN} (\`openssl rand -hex 24\` makes one), or make a token first with \`trainwatch token create admin --scope admin\`.`,
  );
}

/** The configured admin token is a token like any other, under a name of its own: a changed one revokes what it was before. */
async function keepEnvironmentToken(records: Records, secret: string | null, nowMs: number): Promise<void> {
  const held = await records.tokens.findLive(ENVIRONMENT_TOKEN);
  if (secret === null) {
    if (held !== null) await revoke(records, held.id, nowMs);
    return;
  }
  const hash = hashSecret(secret);
  if (held !== null && (await records.tokens.hasHash(held.id, hash))) return;
  if (held !== null) await revoke(records, held.id, nowMs);
  await make(records, { name: ENVIRONMENT_TOKEN, hash, prefix: secretPrefix(secret) }, nowMs);
}

async function keepLocalToken(records: Records, nowMs: number): Promise<Access> {
  const held = await records.tokens.findLive(LOCAL_TOKEN);
  if (held !== null) return { localTokenId: held.id, madeToken: null };
  const { secret, hash, prefix } = newToken();
  const id = await make(records, { name: LOCAL_TOKEN, hash, prefix }, nowMs);
  return { localTokenId: id, madeToken: secret };
}

async function make(
  records: Records,
  { name, hash, prefix }: { readonly name: string; readonly hash: string; readonly prefix: string },
  nowMs: number,
): Promise<number> {
  const token = await records.tokens.create({ name, hash, prefix, scopes: [...SCOPES], createdAtMs: nowMs });
  if (token === null)
    throw new AppError("conflict", `A token named "${name}" was made at the same moment by another process. Start again.`);
  await records.audit.append({
    atMs: nowMs,
    actor: SYSTEM_ACTOR,
    verb: "tokens.create",
    target: `token:${token.id}`,
    details: { name, scopes: token.scopes },
  });
  return token.id;
}

async function revoke(records: Records, id: number, nowMs: number): Promise<void> {
  await records.tokens.revoke(id, nowMs);
  await records.audit.append({
    atMs: nowMs,
    actor: SYSTEM_ACTOR,
    verb: "tokens.revoke",
    target: `token:${id}`,
    details: { name: ENVIRONMENT_TOKEN },
  });
}
