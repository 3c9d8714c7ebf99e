import { AppError } from "@trainwatch/core";
import { FORMATS, HEAD_BYTES, detectFormat, formatById } from "@trainwatch/formats";
import type { LogFormat, LogParser } from "@trainwatch/formats";
import { z } from "zod";
import { sourceOf } from "../../import/block-sender.ts";
import { blockAfterItems, pushBodyOf } from "../../import/log-block.ts";
import type { LogBlock } from "../../import/log-block.ts";
import { LogCutter } from "../../import/log-cutter.ts";
import type { OutgoingPush, Source, SourceDefinition, SourceOptions, SourceWorld } from "../source.ts";
import { FileTail } from "../tail/file-tail.ts";
import type { TailChunk } from "../tail/file-tail.ts";
import { tailCursorSchema } from "../tail/tail-cursor.ts";
import type { TailCursor } from "../tail/tail-cursor.ts";
import { sourceOptions, zoneSchema } from "./options.ts";
import { runSchema } from "./run-option.ts";

interface TrainerOptions extends SourceOptions {
  readonly path: string;
  readonly run: { readonly project: string; readonly name: string };
  readonly format: string;
  readonly timeZone?: string | undefined;
  readonly gpus?: number | undefined;
}

/** Written anew as a whole each time: there is nothing to follow. */
const DOCUMENTS = new Set(["hf-trainer-state", "json-list", "megatron-golden"]);
/** Binary: a record has no line break. */
const BINARY = new Set(["tensorboard"]);
const CHOICES = FORMATS.map(({ id }) => id).filter((id) => !DOCUMENTS.has(id));

export const trainer = {
  kind: "trainer",
  title: "Follows a training log of any format that grows (docs/sources.md) and sends what it says of the run.",
  options: z.strictObject({
    ...sourceOptions("trainer", "2s"),
    path: z.string().min(1).describe("the log"),
    run: runSchema.describe("PROJECT/NAME of the run"),
    format: z
      .enum(["auto", ...CHOICES])
      .default("auto")
      .describe("what the log is; `auto` tells text by content; `tensorboard` is to be named"),
    timeZone: zoneSchema.optional().describe("IANA zone of times that name none (default: UTC, marked as assumed)"),
    gpus: z.int().positive().optional().describe("GPUs of the run, for GPU-hours"),
  }),
  create: (options, world) => new Trainer(options, world),
} as const satisfies SourceDefinition<TrainerOptions>;

/** `items` counts what the cutter has given of the file that the cursor stands in, and all of that is in the spool. */
const stateSchema = z.object({ cursor: tailCursorSchema, items: z.number().int().nonnegative() });

/** What one file has become so far. */
interface Reading {
  readonly parser: LogParser;
  readonly cutter: LogCutter;
  readonly full: LogBlock[];
  items: number;
}

/** Parsers cannot begin in the middle of a log: after a restart it is read from its first byte, and what was taken before is passed over. */
class Trainer implements Source {
  private readonly options: TrainerOptions;
  private readonly world: SourceWorld;
  private readonly tail: FileTail;
  private reading: Reading | null = null;
  private head: Uint8Array[] = [];
  private readonly waiting: { readonly block: LogBlock; readonly cursor: TailCursor; readonly items: number }[] = [];
  /** Items of the first file that an earlier process has taken. */
  private known: number;
  private saidFacts = false;

  constructor(options: TrainerOptions, world: SourceWorld) {
    this.options = options;
    this.world = world;
    const state = stateSchema.safeParse(world.state()).data;
    this.known = state?.items ?? 0;
    const unit = BINARY.has(options.format) ? "bytes" : "lines";
    this.tail = new FileTail(options.path, state?.cursor ?? null, { from: "start", unit, rewind: true });
  }

  async collect(stop: AbortSignal): Promise<void> {
    await this.flush();
    let last: TailCursor | null = null;
    for (let chunk = await this.tail.read(); chunk !== null && !stop.aborted; chunk = await this.tail.read()) {
      if (chunk.isStart) await this.begin(chunk, last);
      if (chunk.lost !== null) this.world.say(`${this.options.name}: ${chunk.lost}`);
      this.feed(chunk);
      this.tail.advance(chunk);
      last = chunk.cursor;
      this.queueFull(last);
      await this.flush();
    }
    if (last === null) return;
    this.queueRest(last);
    await this.flush();
  }

  close(): Promise<void> {
    return this.tail.close();
  }

  /** A new file, or the first: what the old one still held goes out first. */
  private async begin({ lost }: TailChunk, last: TailCursor | null): Promise<void> {
    if (this.reading !== null) {
      this.reading.parser.end();
      if (last !== null) this.queueRest(last);
      await this.flush();
    }
    if (this.reading !== null || lost !== null) this.known = 0;
    this.reading = null;
    this.head = [];
  }

  private feed({ bytes }: TailChunk): void {
    if (this.reading !== null) return this.reading.parser.push(bytes);
    this.head.push(bytes.slice());
    const head = Buffer.concat(this.head);
    const format = this.formatOf(head);
    // Too little to tell: once more has come.
    if (format === null) return;
    this.reading = this.open(format);
    this.head = [];
    this.reading.parser.push(head);
  }

  private formatOf(head: Uint8Array): LogFormat | null {
    if (this.options.format !== "auto") return formatById(this.options.format) ?? null;
    const detection = detectFormat(head.subarray(0, HEAD_BYTES));
    if (detection.kind === "format") {
      if (!DOCUMENTS.has(detection.format.id)) return detection.format;
      const { path } = this.options;
      throw new AppError("unreadable-input", `${path} is ${detection.format.title}, written anew each time; use \`trainwatch import\``);
    }
    if (head.length < HEAD_BYTES) return null;
    throw new AppError("unreadable-input", `${this.options.path}: ${detection.refusal.message}`);
  }

  private open(format: LogFormat): Reading {
    const { run, timeZone } = this.options;
    const cutter = new LogCutter(run);
    const full: LogBlock[] = [];
    const sink = { record: (record: Parameters<LogCutter["take"]>[0]) => void full.push(...cutter.take(record)), issue: () => undefined };
    const options = { referenceTimeMs: this.world.clock.now(), ...(timeZone === undefined ? {} : { timeZone }) };
    return { parser: format.parser(sink, options), cutter, full, items: 0 };
  }

  /** A block that is full ends before the record that filled it, and the cursor stands behind that: `items` says how far it goes. */
  private queueFull(cursor: TailCursor): void {
    for (const block of this.reading?.full.splice(0) ?? []) this.queue(block, cursor);
  }

  private queueRest(cursor: TailCursor): void {
    this.queueFull(cursor);
    const rest = this.reading?.cutter.rest() ?? null;
    if (rest !== null) this.queue(rest, cursor);
  }

  private queue(block: LogBlock, cursor: TailCursor): void {
    const { reading } = this;
    if (reading === null) return;
    const skipped = Math.min(block.items.length, Math.max(0, this.known - reading.items));
    reading.items += block.items.length;
    const fresh = blockAfterItems(block, skipped);
    if (fresh.items.length > 0 || (fresh.metadata !== null && skipped === 0))
      this.waiting.push({ block: fresh, cursor, items: reading.items });
  }

  /** What was not taken waits here, and no more is read meanwhile. */
  private async flush(): Promise<void> {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const { block, cursor, items } = next;
      const push: OutgoingPush = { source: sourceOf(block), seq: 0, ...pushBodyOf(block), ...this.facts(block) };
      await this.world.take({ pushes: [push], state: { cursor, items } });
      this.saidFacts = true;
      this.waiting.shift();
    }
  }

  private facts({ metadata }: LogBlock): Pick<OutgoingPush, "metadata"> {
    const { gpus } = this.options;
    return this.saidFacts || gpus === undefined ? {} : { metadata: { ...metadata, gpus } };
  }
}
