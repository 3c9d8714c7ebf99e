import type { FrameAnswer, FrameDictionary } from "@trainwatch/core";
import type { Group } from "../spool/segment-reader.ts";
import type { ReadRecord } from "../spool/record.ts";
import type { Spool } from "../spool/spool.ts";
import { readJson } from "../read-json.ts";
import type { DeadLetters } from "./dead-letters.ts";
import { digestsOf, joinFrames, oldestMs } from "./join-frames.ts";
import type { Lane, Progress } from "./lane.ts";
import type { Delivery, Server } from "./server.ts";

/** A spool without churn needs a handful; what is forgotten stands again in the next segment. */
const MAX_DICTIONARIES = 512;

export interface ReadingsLaneOptions {
  readonly dead: DeadLetters;
  readonly say: (line: string) => void;
}

/** Readings on their way: frames that lie one behind the other go as one request. */
export class ReadingsLane implements Lane {
  readonly name = "readings";
  /** Answers added up since the start. */
  accepted = 0;
  repeated = 0;
  refused = 0;
  /** Time of the oldest reading that the server does not take; null while it takes all. */
  heldMs: number | null = null;
  private readonly options: ReadingsLaneOptions;
  private readonly dictionaries = new Map<string, FrameDictionary>();
  private readonly serverKnows = new Set<string>();
  private attached: { readonly spool: Spool; readonly server: Server; readonly source: string } | null = null;

  constructor(options: ReadingsLaneOptions) {
    this.options = options;
  }

  /** The spool tells its dictionaries while it is being opened, so it comes after. @param source names this agent: dictionaries are known by it */
  attach(spool: Spool, server: Server, source: string): void {
    this.attached = { spool, server, source };
  }

  get spool(): Spool {
    return this.parts.spool;
  }

  private get parts(): { readonly spool: Spool; readonly server: Server; readonly source: string } {
    if (this.attached === null) throw new Error("the lane of readings has no spool yet");
    return this.attached;
  }

  /** A dictionary of a segment, before any frame that needs it. */
  learn(record: ReadRecord): void {
    if (record.kind !== "dictionary") return;
    const dictionary = readJson<FrameDictionary>(record.payload);
    this.dictionaries.delete(dictionary.digest);
    this.dictionaries.set(dictionary.digest, dictionary);
    for (const digest of this.dictionaries.keys()) {
      if (this.dictionaries.size <= MAX_DICTIONARIES) break;
      this.dictionaries.delete(digest);
      this.serverKnows.delete(digest);
    }
  }

  async deliver(groups: readonly Group[], stop: AbortSignal): Promise<Progress> {
    for (const group of groups) for (const record of group.records) this.learn(record);
    const delivery = await this.send(groups, stop);
    this.heldMs = delivery.kind === "later" ? oldestMs(framesOf(groups), this.dictionaries) : null;
    if (delivery.kind === "taken") return { done: groups.length, held: null };
    if (delivery.kind === "later") return { done: 0, held: delivery };
    if (groups.length > 1) return this.deliverOneByOne(groups, stop);
    await this.putAside(groups, delivery.why);
    return { done: groups.length, held: null };
  }

  /** Something in the joined request is bad: finds it, so that the rest gets through. */
  private async deliverOneByOne(groups: readonly Group[], stop: AbortSignal): Promise<Progress> {
    for (const [done, group] of groups.entries()) {
      const delivery = await this.send([group], stop);
      if (delivery.kind === "later") return { done, held: delivery };
      if (delivery.kind === "never") await this.putAside([group], delivery.why);
    }
    return { done: groups.length, held: null };
  }

  private async send(groups: readonly Group[], stop: AbortSignal): Promise<Delivery> {
    const frames = framesOf(groups);
    if (frames.length === 0) return { kind: "taken", answer: null };
    const digests = digestsOf(frames, this.dictionaries);
    const missing = [...digests].find((digest) => !this.dictionaries.has(digest));
    if (missing !== undefined) return { kind: "never", why: `the series of ${missing} are not in the spool` };
    const delivery = await this.call(frames, (digest) => !this.serverKnows.has(digest), stop);
    if (delivery.kind !== "taken" || delivery.answer.unknown.length === 0) return this.settled(delivery, digests);
    const again = await this.call(frames, () => true, stop);
    if (again.kind === "taken" && again.answer.unknown.length > 0)
      return { kind: "later", why: "the server asks for series that it has just been sent", retryAfterMs: null };
    return this.settled(again, digests);
  }

  private async call(frames: readonly Uint8Array[], withSeries: (digest: string) => boolean, stop: AbortSignal): Promise<FrameDelivery> {
    const body = joinFrames(this.parts.source, frames, this.dictionaries, withSeries);
    const delivery = await this.parts.server.call("ingest.frame", body, stop);
    if (delivery.kind !== "taken") return delivery;
    return isFrameAnswer(delivery.answer)
      ? { kind: "taken", answer: delivery.answer }
      : { kind: "later", why: "the server's answer to a frame is not one that this agent knows", retryAfterMs: null };
  }

  private settled(delivery: FrameDelivery, digests: ReadonlySet<string>): Delivery {
    if (delivery.kind !== "taken") return delivery;
    for (const digest of digests) this.serverKnows.add(digest);
    const { accepted, repeated, refused, refusedTotal } = delivery.answer;
    this.accepted += accepted;
    this.repeated += repeated;
    this.refused += refusedTotal;
    const first = refused[0];
    if (first !== undefined)
      this.options.say(`${refusedTotal} readings were refused by the server, the first: ${first.code}, ${first.message}`);
    return delivery;
  }

  private async putAside(groups: readonly Group[], why: string): Promise<void> {
    for (const { segment, end, records } of groups)
      for (const { kind, payload } of records)
        if (kind === "frame") await this.options.dead.put(`readings-${segment}-${end}`, "ingest.frame", why, payload);
  }
}

type FrameDelivery = Exclude<Delivery, { readonly kind: "taken" }> | { readonly kind: "taken"; readonly answer: FrameAnswer };

function framesOf(groups: readonly Group[]): readonly Uint8Array[] {
  return groups.flatMap(({ records }) => records.filter(({ kind }) => kind === "frame").map(({ payload }) => payload));
}

function isFrameAnswer(answer: unknown): answer is FrameAnswer {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "accepted" in answer &&
    "repeated" in answer &&
    "refusedTotal" in answer &&
    "refused" in answer &&
    Array.isArray(answer.refused) &&
    "unknown" in answer &&
    Array.isArray(answer.unknown)
  );
}
