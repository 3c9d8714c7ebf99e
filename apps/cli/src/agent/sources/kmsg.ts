import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { AppError } from "@trainwatch/core";
import { readKmsgHead } from "@trainwatch/formats";
import { z } from "zod";
import { messageOf } from "../message-of.ts";
import type { Source, SourceDefinition, SourceOptions, SourceWorld } from "../source.ts";
import { FileEvents } from "./file.ts";
import { LogEvents } from "./log-events.ts";
import { sourceOptions } from "./options.ts";

interface KmsgOptions extends SourceOptions {
  readonly path: string;
}

export const kmsg = {
  kind: "kmsg",
  title: "Reads the kernel's own log: XID, SXid, out of memory, lost GPUs, links. Needs CAP_SYSLOG, or root.",
  options: z.strictObject({
    ...sourceOptions("kmsg", "1s"),
    path: z.string().min(1).default("/dev/kmsg").describe("the device, or a file in its format"),
  }),
  create: (options, world) => new Kmsg(options, world),
} as const satisfies SourceDefinition<KmsgOptions>;

/** The kernel's ring as a source: a plain file in its format is followed as any other log is. */
class Kmsg implements Source {
  private readonly options: KmsgOptions;
  private readonly world: SourceWorld;
  private reader: Source | null = null;

  constructor(options: KmsgOptions, world: SourceWorld) {
    this.options = options;
    this.world = world;
  }

  async collect(stop: AbortSignal): Promise<void> {
    this.reader ??= await this.open();
    await this.reader.collect(stop);
  }

  async close(): Promise<void> {
    await this.reader?.close();
  }

  private async open(): Promise<Source> {
    const { path } = this.options;
    const found = await stat(path).catch((cause: unknown) => {
      throw new AppError("unavailable", `${path} cannot be read: ${messageOf(cause)}`, { cause });
    });
    if (found.isFile()) return new FileEvents({ ...this.options, log: "kernel", from: "start" }, this.world);
    return new KmsgRing(path, this.world, openDevice);
  }
}

/** One record a read, as the kernel gives them. */
export interface KmsgDevice {
  /** Null where there is no newer record now; "lost" where the ring has gone on over records that nobody has read. */
  next(): Promise<Uint8Array | "lost" | null>;
  close(): Promise<void>;
}

const stateSchema = z.object({ bootId: z.string().nullable(), sequence: z.number() });
/** Of records that are taken together: a flood of a hundred thousand must not become one request. */
const RECORDS_A_TAKE = 2_000;

/** The ring, from the record behind the last one that was taken in this boot. */
export class KmsgRing implements Source {
  private readonly path: string;
  private readonly world: SourceWorld;
  private readonly openRing: (path: string) => Promise<KmsgDevice>;
  private readonly events: LogEvents;
  private device: KmsgDevice | null = null;
  private taken: number;

  constructor(path: string, world: SourceWorld, openRing: (path: string) => Promise<KmsgDevice>) {
    this.path = path;
    this.world = world;
    this.openRing = openRing;
    this.events = new LogEvents("kernel", world, undefined);
    const state = stateSchema.safeParse(world.state()).data;
    this.taken = state !== undefined && state.bootId === world.node.bootId ? state.sequence : -1;
  }

  async collect(stop: AbortSignal): Promise<void> {
    this.device ??= await this.openRing(this.path);
    try {
      while (!stop.aborted && (await this.takeSome(this.device)));
    } catch (error) {
      // What was read and not taken is given again by a device that is opened anew.
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.device?.close();
    this.device = null;
  }

  private async takeSome(device: KmsgDevice): Promise<boolean> {
    const records: Uint8Array[] = [];
    let newest = this.taken;
    let hasMore = true;
    while (records.length < RECORDS_A_TAKE) {
      const record = await device.next();
      hasMore = record !== null;
      if (record === null) break;
      if (record === "lost") {
        this.world.say(`${this.path}: the kernel's ring went on over records that nobody had read`);
        continue;
      }
      const head = readKmsgHead(Buffer.from(record).toString("latin1"));
      if (head === null || head.sequence <= this.taken) continue;
      newest = Math.max(newest, head.sequence);
      records.push(record);
    }
    if (newest === this.taken) return hasMore;
    const events = records.flatMap((record) => this.events.read(record));
    await this.world.take({ events, state: { bootId: this.world.node.bootId, sequence: newest } });
    this.taken = newest;
    return hasMore;
  }
}

/** The longest record the kernel gives is 8 KiB; a smaller buffer is refused. */
const RECORD_BYTES = 16 * 1024;

async function openDevice(path: string): Promise<KmsgDevice> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw new AppError("unavailable", `${path} cannot be opened: ${messageOf(cause)}; run as root or with CAP_SYSLOG`, { cause });
  }
  const buffer = new Uint8Array(RECORD_BYTES);
  return {
    async next() {
      try {
        const { bytesRead } = await file.read(buffer, 0, RECORD_BYTES, null);
        return bytesRead === 0 ? null : buffer.slice(0, bytesRead);
      } catch (error) {
        if (hasCode(error, "EAGAIN")) return null;
        if (hasCode(error, "EPIPE")) return "lost";
        throw new AppError("unavailable", `${path} cannot be read: ${messageOf(error)}`, { cause: error });
      }
    },
    close: () => file.close(),
  };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
