import { Readable } from "node:stream";
import { AppError, FRAME_LIMITS } from "@trainwatch/core";

/** Bodies of all frames that are being read or stored. More are sent away before they cost memory: whoever sends them keeps them, too. */
const HELD_BYTES = 4 * FRAME_LIMITS.bytes;

export interface FrameBodies {
  /**
   * Reads a body, inflated by now where it came compressed, and holds it while `act` works on it. It is counted as it comes: a length that a client
   * claims is not that of what it sends. The bytes lie in memory of their own, so that readings begin at multiples of 8.
   * @param body a stream of bytes, or whatever else came
   * @throws AppError `bad-request` for what is no stream, `too-large` for a body beyond the limit of a frame, `unavailable` where others hold too much
   */
  hold<T>(body: unknown, act: (bytes: Uint8Array) => Promise<T>): Promise<T>;
}

export function createFrameBodies({ heldBytes = HELD_BYTES, frameBytes = FRAME_LIMITS.bytes } = {}): FrameBodies {
  let held = 0;
  return {
    async hold(body, act) {
      if (!(body instanceof Readable))
        throw new AppError("bad-request", "A frame is sent as bytes: send the header `Content-Type: application/octet-stream`.");
      let size = 0;
      try {
        const chunks: Uint8Array[] = [];
        for await (const chunk of body) {
          if (!(chunk instanceof Uint8Array)) throw new TypeError("a body came as text");
          size += chunk.length;
          held += chunk.length;
          if (size > frameBytes) throw tooLarge(frameBytes);
          if (held > heldBytes) throw tooMuchHeld();
          chunks.push(chunk);
        }
        return await act(joined(chunks, size));
      } finally {
        held -= size;
      }
    },
  };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function tooLarge(limitBytes: number): AppError {
  return new AppError("too-large", `A frame may have ${limitBytes} bytes at most. Send fewer rows at a time.`, { details: { limitBytes } });
}

function tooMuchHeld(): AppError {
  return new AppError("unavailable", "Too many large frames arrive at once. Nothing of this one was stored; send it again in a moment.");
}
