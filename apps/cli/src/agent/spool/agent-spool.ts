import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError, encodeFrame } from "@trainwatch/core";
import type { FleetEvent, FrameDictionary } from "@trainwatch/core";
import type { NodeIdentity } from "../node-identity.ts";
import { readJson, writeJson } from "../read-json.ts";
import type { ReadingBatch, SourceOutput } from "../source.ts";
import type { ReadRecord, SpoolRecord } from "./record.ts";
import type { OpenSegmentWriter } from "./segment-files.ts";
import { replaceFile } from "./segment-files.ts";
import { Spool } from "./spool.ts";
import type { AppendOutcome } from "./spool.ts";

export interface AgentSpoolOptions {
  readonly dir: string;
  /** Of readings. */
  readonly maxBytes: number;
  /** Of events and pushes. */
  readonly maxEventBytes: number;
  readonly whenFull: "drop-oldest" | "stop";
  readonly node: NodeIdentity;
  readonly openWriter?: OpenSegmentWriter;
  passed(record: ReadRecord): void;
}

/** What one request may carry; the server takes 10,000. */
const EVENTS_A_RECORD = 1_000;

/**
 * Two spools side by side. Readings may be dropped when there are too many: newer ones say more. Events and pushes never are; there the
 * source waits, and what it reads (a log, the kernel's ring) is the spool behind the spool.
 */
export class AgentSpool {
  /** Names this spool to the server: sequence numbers count within it, and a spool that was wiped begins anew. */
  readonly id: string;
  readonly readings: Spool;
  readonly facts: Spool;
  private readonly states: StateBook;
  private readonly node: NodeIdentity;

  private constructor(id: string, readings: Spool, facts: Spool, states: StateBook, node: NodeIdentity) {
    this.id = id;
    this.readings = readings;
    this.facts = facts;
    this.states = states;
    this.node = node;
  }

  static async open({ dir, maxBytes, maxEventBytes, whenFull, node, openWriter, passed }: AgentSpoolOptions): Promise<AgentSpool> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const id = await readId(join(dir, "id"));
    const writer = openWriter === undefined ? {} : { openWriter };
    const states = await StateBook.read(join(dir, "states"));
    const readings = await Spool.open({ dir: join(dir, "readings"), maxBytes, whenFull, passed, ...writer });
    const facts = await Spool.open({
      dir: join(dir, "events"),
      maxBytes: maxEventBytes,
      whenFull: "stop",
      recover: ({ records }) => records.forEach((record) => states.learn(record)),
      beforeRemove: () => states.write(),
      ...writer,
    });
    return new AgentSpool(id, readings, facts, states, node);
  }

  /** The newest state of a source that was taken. */
  stateOf(source: string): unknown {
    return this.states.get(source);
  }

  /** Each half counts as a whole: readings, and events with pushes and the source's state. */
  async take(source: string, output: SourceOutput): Promise<{ readonly readings: AppendOutcome; readonly facts: AppendOutcome }> {
    const readings = await appendAny(this.readings, readingRecords(output.readings ?? []));
    const state = "state" in output ? [stateRecord(source, output.state)] : [];
    const events = eventRecords(output.events ?? [], this.node);
    const facts = await appendAny(this.facts, [...events, ...pushRecords(output), ...state]);
    if (facts.ok && "state" in output) this.states.set(source, output.state);
    return { readings, facts };
  }

  async close(): Promise<void> {
    await this.readings.close();
    await this.facts.close();
  }
}

function appendAny(spool: Spool, records: readonly SpoolRecord[]): Promise<AppendOutcome> | AppendOutcome {
  return records.length === 0 ? { ok: true } : spool.append(records);
}

/** A dictionary stays the same object as long as its series do, and is far longer than a row of their values. */
const encoded = new WeakMap<FrameDictionary, Uint8Array>();

function dictionaryPayload(dictionary: FrameDictionary): Uint8Array {
  const payload = encoded.get(dictionary) ?? writeJson(dictionary);
  encoded.set(dictionary, payload);
  return payload;
}

function readingRecords(batches: readonly ReadingBatch[]): readonly SpoolRecord[] {
  return batches.flatMap(({ dictionary, rows, count }): SpoolRecord[] => {
    if (rows.length === 0) return [];
    const { digest } = dictionary;
    const frame = encodeFrame({ source: "spool", dictionaries: [{ digest }] }, rows);
    return [
      { kind: "dictionary", payload: dictionaryPayload(dictionary), weight: 0, once: digest },
      { kind: "frame", payload: frame, weight: count },
    ];
  });
}

function eventRecords(events: readonly FleetEvent[], node: NodeIdentity): readonly SpoolRecord[] {
  const records: SpoolRecord[] = [];
  for (let at = 0; at < events.length; at += EVENTS_A_RECORD) {
    const some = events.slice(at, at + EVENTS_A_RECORD);
    records.push({ kind: "events", payload: writeJson({ node, events: some }), weight: some.length });
  }
  return records;
}

function pushRecords({ pushes }: SourceOutput): readonly SpoolRecord[] {
  return (pushes ?? []).map((push) => ({ kind: "push", payload: writeJson(push), weight: 1 }));
}

function stateRecord(source: string, state: unknown): SpoolRecord {
  return { kind: "state", payload: writeJson({ source, state }), weight: 0 };
}

/** Where each source stands. The spool is its log; the file holds what the segments that are gone have said. */
class StateBook {
  private readonly path: string;
  private readonly states: Map<string, unknown>;

  private constructor(path: string, states: Map<string, unknown>) {
    this.path = path;
    this.states = states;
  }

  static async read(path: string): Promise<StateBook> {
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return Buffer.from("{}");
      throw error;
    });
    try {
      return new StateBook(path, new Map(Object.entries(readJson<Record<string, unknown>>(bytes))));
    } catch (cause) {
      throw new AppError("unreadable-input", `${path} is damaged; move it away, and each log is read as one that was never seen`, {
        cause,
      });
    }
  }

  get(source: string): unknown {
    return this.states.get(source);
  }

  set(source: string, state: unknown): void {
    this.states.set(source, state);
  }

  learn({ kind, payload }: ReadRecord): void {
    if (kind !== "state") return;
    const { source, state } = readJson<{ readonly source: string; readonly state: unknown }>(payload);
    this.states.set(source, state);
  }

  async write(): Promise<void> {
    await replaceFile(this.path, writeJson(Object.fromEntries(this.states)), true);
  }
}

async function readId(path: string): Promise<string> {
  const known = await readFile(path, "utf8").catch(() => "");
  if (known.trim() !== "") return known.trim();
  const id = randomUUID();
  await replaceFile(path, `${id}\n`, true);
  return id;
}
