import { AppError } from "@trainwatch/core";
import { ingestVerb } from "../procedures.ts";

/** Our own check in the form that tRPC takes; `types` says what clients may send and is never there. */
const frameInput: {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: Uint8Array };
    readonly types?: { readonly input: Uint8Array; readonly output: Uint8Array };
  };
} = { "~standard": { version: 1, vendor: "trainwatch", validate: (value) => ({ value: bytesOf(value) }) } };

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new AppError("bad-request", "A frame is sent as bytes: send the header `Content-Type: application/octet-stream`.");
}

/** Readings of a fleet: header and rows in one body of at most 64 MiB, `application/octet-stream`; see `encodeFrame` in core. */
export const frame = ingestVerb.input(frameInput).mutation(({ ctx, input }) => ctx.fleetIngest.writeFrame(input));
