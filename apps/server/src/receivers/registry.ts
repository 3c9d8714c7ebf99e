import { createOtlp } from "./otlp.ts";
import type { Receiver } from "./receiver.ts";
import { remoteWrite } from "./remote-write.ts";

/** The receivers of one server. */
export function createReceivers(): readonly Receiver[] {
  return [remoteWrite, createOtlp()] satisfies readonly Receiver[];
}
