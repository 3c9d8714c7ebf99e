import { createHash, randomBytes } from "node:crypto";

/** 256 random bits: nothing that can be guessed, so a plain SHA-256 at rest is enough and a lookup stays one index probe. */
const SECRET_BYTES = 32;
const PREFIX_LENGTH = 10;

export const TOKEN_MARK = "tw_";
const SESSION_MARK = "tws_";

export interface NewSecret {
  /** Shown once, never stored. */
  readonly secret: string;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** The first characters, enough to tell secrets apart. */
  readonly prefix: string;
}

export function newToken(): NewSecret {
  return newSecret(TOKEN_MARK);
}

export function newSessionId(): NewSecret {
  return newSecret(SESSION_MARK);
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** How a token that a person chose (`TRAINWATCH_ADMIN_TOKEN`) is shown in lists. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}

function newSecret(mark: string): NewSecret {
  const secret = `${mark}${randomBytes(SECRET_BYTES).toString("base64url")}`;
  return { secret, hash: hashSecret(secret), prefix: secretPrefix(secret) };
}
