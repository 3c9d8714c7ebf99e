import type { IncomingHttpHeaders } from "node:http";
import type { ByteGate } from "./byte-gate.ts";
import type { Intake } from "./intake.ts";
import type { ReceiverCounters } from "./receiver-counters.ts";

/** A protocol of somebody else's that brings readings: one path, and that protocol's own words for yes and no. */
export interface Receiver {
  /** Stable; names it in `/metrics`. */
  readonly id: string;
  readonly path: string;
  /** Of the body as it comes over the wire. */
  readonly bodyLimitBytes: number;
  /** Why media type or encoding are none that it takes (415); null where they are. */
  unsupported(headers: IncomingHttpHeaders): string | null;
  receive(request: ReceivedRequest, services: ReceiverServices): Promise<ReceiverAnswer>;
  /** What a request is told that could not be received at all. */
  refuse(refusal: Refusal, headers: IncomingHttpHeaders): ReceiverAnswer;
}

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Tells senders apart that may call one series by different labels at a time. */
  readonly sender: string;
}

export interface ReceiverServices {
  readonly intake: Intake;
  readonly counters: ReceiverCounters;
  /** To be held with the inflated size for as long as a request is worked on. */
  readonly memory: ByteGate;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

export interface Refusal {
  readonly status: number;
  /** One sentence for whoever runs the sender. */
  readonly message: string;
  /** Seconds after which it is worth another try; null: it is not. */
  readonly retryAfterS: number | null;
}
