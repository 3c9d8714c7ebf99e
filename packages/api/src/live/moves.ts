import { tracked } from "@trpc/server";
import { z } from "zod";
import { readVerb } from "../procedures.ts";
import { movesSince } from "./moves-since.ts";

/** A move is stamped when its transaction begins and seen when it ends: what a reader missed is looked up from a little earlier. */
const COMMIT_LAG_MS = 10_000;

const movesInput = z
  .object({
    lastEventId: z
      .string()
      .regex(/^\d{1,16}$/)
      .nullish(),
  })
  .nullish();

/**
 * "Run X moved to step N", never data. A reader that comes back names the last message it saw (`Last-Event-ID`) and first gets
 * every run that has moved since; a message told twice is harmless.
 */
export const liveMoves = readVerb.input(movesInput).subscription(async function* ({ ctx, input, signal }) {
  const left = new AbortController();
  const follower = ctx.moves.follow(signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]));
  try {
    const since = input?.lastEventId;
    if (since !== undefined && since !== null) {
      for await (const move of movesSince(ctx.store.records, Number(since) - COMMIT_LAG_MS)) yield tracked(String(move.atMs), move);
    }
    for await (const move of follower) yield tracked(String(move.atMs), move);
  } finally {
    // Also where the catch-up fails or is left halfway, before the follower was first asked.
    left.abort();
  }
});
