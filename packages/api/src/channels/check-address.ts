import { AppError } from "@trainwatch/core";
import { forbiddenHost } from "../notices/send/forbidden-host.ts";

/** @throws AppError `bad-request` for an address that nothing is ever sent to */
export function checkAddress(url: string): void {
  const { hostname, username, password } = new URL(url);
  const fault = forbiddenHost(hostname);
  if (fault !== null) throw new AppError("bad-request", `Nothing is sent to ${hostname}: ${fault}.`);
  if (username !== "" || password !== "")
    throw new AppError("bad-request", "The address must not hold a user or a password; what is sent is signed with the channel's secret.");
}
