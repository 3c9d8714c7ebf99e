import { CLIENT_HEADER } from "@trainwatch/server";

/**
 * Headers by which a command proves itself. Without a token it signs in as the page does on the server's own machine: a server on
 * loopback with its own database allows that. Elsewhere the answer is empty, and the server says what is missing.
 */
export async function credentials(url: string, token: string | null): Promise<Record<string, string>> {
  if (token !== null) return { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/auth/whoami`, { headers: { [CLIENT_HEADER]: "cli" } });
  const cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0];
  return cookie === undefined ? {} : { cookie, [CLIENT_HEADER]: "cli" };
}
