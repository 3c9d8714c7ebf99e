import { isIP } from "node:net";

/** Whether a bound or connecting address never leaves this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare.endsWith(".localhost")) return true;
  const address = bare.startsWith("::ffff:") ? bare.slice("::ffff:".length) : bare;
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

/** The name in a `Host` header without its port: `localhost:4400` is `localhost`, `[::1]:4400` is `::1`; null where it is none. */
export function hostName(header: string | undefined): string | null {
  if (header === undefined || !URL.canParse(`http://${header}`)) return null;
  const parsed = new URL(`http://${header}`);
  return parsed.pathname === "/" && parsed.username === "" ? parsed.hostname.replace(/^\[|\]$/g, "") : null;
}

/**
 * Whether a server bound to loopback may answer a request for this host. A page of the internet can point its own name at
 * 127.0.0.1 (DNS rebinding) and would then be let in as the person at the keyboard; its name in `Host` gives it away.
 */
export function isOwnHost(header: string | undefined, publicUrl: string | null): boolean {
  const name = hostName(header);
  if (name === null) return false;
  return isLoopback(name) || (publicUrl !== null && new URL(publicUrl).hostname.toLowerCase() === name.toLowerCase());
}
