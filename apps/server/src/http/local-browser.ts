import type { FastifyRequest } from "fastify";
import { hostName, isLoopback } from "./host-guard.ts";

/** Headers by which a proxy says that somebody else is behind it: then "from this machine" means nothing. */
const PROXY_HEADERS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"] as const;

/**
 * Whether a request comes from this machine and was meant for it: over loopback, to a loopback name, through no proxy, and not on
 * behalf of another site's page.
 */
export function isLocalBrowser(request: FastifyRequest): boolean {
  const host = hostName(request.headers.host);
  if (!isLoopback(request.ip) || host === null || !isLoopback(host)) return false;
  if (PROXY_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  const site = request.headers["sec-fetch-site"];
  return site === undefined || site === "none" || site === "same-origin";
}
