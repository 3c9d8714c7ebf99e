import { ingestVerb } from "../procedures.ts";
import { frameBytes } from "./frame-bytes.ts";

/** Our own check in the form that tRPC takes; `types` says what clients may send and is never there. */
const frameInput: {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Promise<{ readonly value: Uint8Array }>;
    readonly types?: { readonly input: Blob | Uint8Array; readonly output: Uint8Array };
  };
} = { "~standard": { version: 1, vendor: "trainwatch", validate: async (value) => ({ value: await frameBytes(value) }) } };

/** Readings of a fleet: `FrameHeader` and rows in one body, `application/octet-stream`; see `encodeFrame` in core. */
export const frame = ingestVerb.input(frameInput).mutation(({ ctx, input }) => ctx.fleetIngest.writeFrame(input));
