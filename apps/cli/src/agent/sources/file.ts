import { z } from "zod";
import { ownEvent } from "../own/own-event.ts";
import type { Source, SourceDefinition, SourceOptions, SourceWorld } from "../source.ts";
import { FileTail } from "../tail/file-tail.ts";
import { tailCursorSchema } from "../tail/tail-cursor.ts";
import { LOG_READER_NAMES, LogEvents } from "./log-events.ts";
import type { LogReaderName } from "./log-events.ts";
import { sourceOptions, zoneSchema } from "./options.ts";

export interface FileOptions extends SourceOptions {
  readonly path: string;
  readonly log: LogReaderName;
  readonly from: "start" | "end";
  readonly timeZone?: string | undefined;
}

export const file = {
  kind: "file",
  title: "Follows a log over its rotation and turns its lines into events: XID and SXid, out of memory, NCCL warnings, fabric manager.",
  options: z.strictObject({
    ...sourceOptions("file", "2s"),
    path: z.string().min(1).describe("the log"),
    log: z.enum(LOG_READER_NAMES).describe("what writes it: `kernel` is syslog, journal or dmesg text, `nccl` a trainer's own output"),
    from: z.enum(["start", "end"]).default("end").describe("where a log begins that was never read before"),
    timeZone: zoneSchema.optional().describe("IANA zone of times that name none (default: UTC)"),
  }),
  create: (options, world) => new FileEvents(options, world),
} as const satisfies SourceDefinition<FileOptions>;

/** Events of a followed log; each is taken together with the place behind it, so a crash neither loses nor doubles one. */
export class FileEvents implements Source {
  private readonly options: FileOptions;
  private readonly world: SourceWorld;
  private readonly tail: FileTail;
  private readonly events: LogEvents;
  /** A log without a line yet has a place too: what is written while nobody runs stands behind it. */
  private isPlaced: boolean;

  constructor(options: FileOptions, world: SourceWorld) {
    this.options = options;
    this.world = world;
    const cursor = tailCursorSchema.safeParse(world.state()).data ?? null;
    this.isPlaced = cursor !== null;
    this.tail = new FileTail(options.path, cursor, { from: options.from, unit: "lines" });
    this.events = new LogEvents(options.log, world, options.timeZone);
  }

  async collect(stop: AbortSignal): Promise<void> {
    for (let chunk = await this.tail.read(); chunk !== null && !stop.aborted; chunk = await this.tail.read()) {
      const events = this.events.read(chunk.bytes);
      const lost = chunk.lost === null ? null : `Source ${this.options.name} (${this.options.kind}): ${chunk.lost}`;
      const told = lost === null ? events : [ownEvent(this.world.clock.now(), "source-failed", "warning", lost), ...events];
      await this.world.take({ events: told, state: chunk.cursor });
      if (lost !== null) this.world.say(lost);
      this.tail.advance(chunk);
      this.isPlaced = true;
    }
    if (this.isPlaced || this.tail.place === null) return;
    await this.world.take({ state: this.tail.place });
    this.isPlaced = true;
  }

  close(): Promise<void> {
    return this.tail.close();
  }
}
