import type { IncomingHttpHeaders } from "node:http";

/** A header that a page of another site cannot send without a preflight, which is never granted. */
export const CLIENT_HEADER = "x-trainwatch-client";

/**
 * Whether a request that rides on the browser's cookie was made by our own page (or by a program that says so).
 * SameSite=Strict keeps the cookie from other sites already; this holds against other ports and sub-domains of the same site too.
 */
export function isOwnRequest(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  if (headers[CLIENT_HEADER] !== undefined) return true;
  const { origin, host } = headers;
  if (origin === undefined) return headers["sec-fetch-site"] === "same-origin";
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}
