import { createHmac } from "node:crypto";

/**
 * Proof that a body comes from who holds the secret, and from when: `t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA-256 of `<t>.<body>`. A receiver that checks the time too
 * cannot be fed an old message again.
 */
export function signatureOf(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}
