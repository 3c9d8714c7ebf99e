import { AppError } from "@trainwatch/core";

/** Bounds what all requests of the receivers hold in memory together. */
export interface ByteGate {
  /**
   * Runs `work` while `bytes` count as held.
   * @throws AppError `unavailable` where too many are held already
   */
  hold<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>;
}

export function createByteGate(mostBytes: number): ByteGate {
  let held = 0;
  return {
    async hold(bytes, work) {
      if (held > 0 && held + bytes > mostBytes)
        throw new AppError(
          "unavailable",
          "Too many requests are being stored at the moment. Nothing of this one was; send it again in a moment.",
          {
            details: { heldBytes: held },
          },
        );
      held += bytes;
      try {
        return await work();
      } finally {
        held -= bytes;
      }
    },
  };
}
