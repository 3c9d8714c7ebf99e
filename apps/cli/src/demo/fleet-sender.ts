import { AppError, encodeFrame } from "@trainwatch/core";
import type { FleetEventsPush, FrameDictionary, FrameRow } from "@trainwatch/core";
import { systemClock } from "../agent/clock.ts";
import { backoffMs } from "../agent/ship/backoff.ts";
import type { Server, Verb } from "../agent/ship/server.ts";
import type { ReadingBatch } from "../agent/source.ts";

/** Sends what a fleet's agents would send, without their spool: what a demonstration loses when it ends is lost anyway. */
export class FleetSender {
  private readonly server: Server;
  private readonly source: string;
  private readonly stop: AbortSignal;
  /** Digests whose series the server has. */
  private readonly known = new Set<string>();

  constructor(server: Server, source: string, stop: AbortSignal) {
    this.server = server;
    this.source = source;
    this.stop = stop;
  }

  async readings(batches: readonly ReadingBatch[]): Promise<void> {
    const dictionaries = new Map(batches.map(({ dictionary }) => [dictionary.digest, dictionary]));
    const places = new Map([...dictionaries.keys()].map((digest, place) => [digest, place]));
    const rows = batches.flatMap(({ dictionary, rows: own }) =>
      own.map((row): FrameRow => ({ ...row, dictionary: places.get(dictionary.digest) ?? 0 })),
    );
    if (rows.length === 0) return;
    const answer = await this.call("ingest.frame", this.frame([...dictionaries.values()], rows));
    if (unknownOf(answer).length > 0) {
      this.known.clear();
      await this.call("ingest.frame", this.frame([...dictionaries.values()], rows));
    }
    for (const digest of dictionaries.keys()) this.known.add(digest);
  }

  async events(push: FleetEventsPush): Promise<void> {
    await this.call("ingest.events", new TextEncoder().encode(JSON.stringify(push)));
  }

  private frame(dictionaries: readonly FrameDictionary[], rows: readonly FrameRow[]): Uint8Array {
    const needed = dictionaries.map((dictionary): FrameDictionary =>
      this.known.has(dictionary.digest) ? { digest: dictionary.digest } : dictionary,
    );
    return encodeFrame({ source: this.source, dictionaries: needed }, rows);
  }

  /** Until the server has taken it, or the demonstration ends. @throws AppError where it never will */
  private async call(verb: Verb, body: Uint8Array): Promise<unknown> {
    for (let failures = 1; !this.stop.aborted; failures++) {
      const delivery = await this.server.call(verb, body, this.stop);
      if (delivery.kind === "taken") return delivery.answer;
      if (delivery.kind === "never") throw new AppError("bad-request", delivery.why);
      await systemClock.sleep(backoffMs(failures, delivery.retryAfterMs, Math.random), this.stop);
    }
    return null;
  }
}

function unknownOf(answer: unknown): readonly unknown[] {
  return typeof answer === "object" && answer !== null && "unknown" in answer && Array.isArray(answer.unknown) ? answer.unknown : [];
}
