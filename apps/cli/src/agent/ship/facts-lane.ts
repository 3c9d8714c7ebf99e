import type { Group } from "../spool/segment-reader.ts";
import type { ReadRecord } from "../spool/record.ts";
import type { Spool } from "../spool/spool.ts";
import { readJson, writeJson } from "../read-json.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { Lane, Progress } from "./lane.ts";
import type { Delivery, Server, Verb } from "./server.ts";

export interface FactsLaneOptions {
  /** Names this spool: sequence numbers count within it. */
  readonly source: string;
  readonly server: Server;
  readonly dead: DeadLetters;
  readonly spool: Spool;
}

/** Events and pushes on their way, one request each, so that each keeps its own (source, seq) however often it is sent. */
export class FactsLane implements Lane {
  readonly name = "events and pushes";
  private readonly options: FactsLaneOptions;

  constructor(options: FactsLaneOptions) {
    this.options = options;
  }

  get spool(): Spool {
    return this.options.spool;
  }

  async deliver(groups: readonly Group[], stop: AbortSignal): Promise<Progress> {
    for (const [done, group] of groups.entries()) {
      for (const record of group.records) {
        const verb = verbOf(record);
        if (verb === null) continue;
        const delivery = await this.send(verb, group, record, stop);
        if (delivery.kind === "later") return { done, held: delivery };
        const lost = delivery.kind === "never" ? delivery.why : refusedIn(delivery.answer);
        if (lost !== null) await this.options.dead.put(nameOf(group, record), verb, lost, record.payload);
      }
    }
    return { done: groups.length, held: null };
  }

  private send(verb: Verb, group: Group, record: ReadRecord, stop: AbortSignal): Promise<Delivery> {
    const body = { source: this.options.source, seq: seqOf(group.segment, record.at), ...readJson<object>(record.payload) };
    return this.options.server.call(verb, writeJson(body), stop);
  }
}

/** Why parts of what was taken were not, in words; null where all of it was. */
function refusedIn(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("refused" in answer) || !Array.isArray(answer.refused)) return null;
  const first: unknown = answer.refused[0];
  if (typeof first !== "object" || first === null || !("message" in first)) return null;
  return `the rest was taken, ${answer.refused.length} of it not, the first because: ${String(first.message)}`;
}

function verbOf({ kind }: ReadRecord): Verb | null {
  if (kind === "events") return "ingest.events";
  return kind === "push" ? "ingest.push" : null;
}

/** Its place in the spool: the same each time it is read, and never given twice. Segments are far below 4 GiB. */
function seqOf(segment: number, at: number): number {
  return segment * 2 ** 32 + at;
}

function nameOf({ segment }: Group, { at }: ReadRecord): string {
  return `facts-${segment}-${at}`;
}
