import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openSegmentWriter, listSegments, removeSegment, segmentPath } from "./segment-files.ts";
import type { OpenSegmentWriter, SegmentWriter } from "./segment-files.ts";
import { readPosition, writePosition } from "./position.ts";
import type { Position } from "./position.ts";
import { encodeGroup } from "./record.ts";
import type { ReadRecord, SpoolRecord } from "./record.ts";
import { SegmentReader } from "./segment-reader.ts";
import type { Group } from "./segment-reader.ts";

export interface SpoolOptions {
  readonly dir: string;
  readonly maxBytes: number;
  /** What happens when it is full: the oldest goes, or the newest is not taken. */
  readonly whenFull: "drop-oldest" | "stop";
  readonly openWriter?: OpenSegmentWriter;
  /** At opening, each whole group that is still there, oldest first. */
  recover?(group: Group): void;
  /** What stands before the acknowledged place in its own segment: what later records may refer to. */
  passed?(record: ReadRecord): void;
  /** Before a segment goes: what must outlive it is to be made durable elsewhere. */
  beforeRemove?(): Promise<void>;
}

export type AppendOutcome =
  | { readonly ok: true }
  /** Nothing of it was taken. `full`: the spool's own limit; `disk`: the disk has no room, or does not work. */
  | { readonly ok: false; readonly why: "full" | "disk"; readonly message: string };

interface Segment {
  bytes: number;
  /** Of groups that have not been acknowledged. */
  weight: number;
}

const LARGEST_SEGMENT_BYTES = 4 * 1024 * 1024;
/** So that dropping the oldest segment costs a small part of what is kept. */
const LEAST_SEGMENTS = 8;

/**
 * Append-only segments on disk between the sources and the server. What `append` has taken survives kill -9 and power cuts; what was
 * acknowledged is passed over after a restart. After a start a new segment is begun, so nothing is ever written behind a torn end.
 */
export class Spool {
  /** Groups that somebody has tried to append, so that a reader can tell whether it has seen the newest. */
  appends = 0;
  /** Readings or events lost to `drop-oldest` since the start. */
  dropped = 0;
  private readonly options: SpoolOptions;
  private readonly openWriter: OpenSegmentWriter;
  private readonly segmentBytes: number;
  private readonly segments = new Map<number, Segment>();
  private current: { readonly segment: number; readonly writer: SegmentWriter; readonly keys: Set<string> } | null = null;
  private nextSegment: number;
  private acked: Position;
  private reader: SegmentReader | null = null;
  /** The newest segment that was read to its end. */
  private readSegment = 0;
  private ahead: Group[] = [];
  private turn: Promise<unknown> = Promise.resolve();
  private waiting: (() => void)[] = [];

  private constructor(options: SpoolOptions, acked: Position) {
    this.options = options;
    this.openWriter = options.openWriter ?? openSegmentWriter;
    this.segmentBytes = Math.min(LARGEST_SEGMENT_BYTES, Math.floor(options.maxBytes / LEAST_SEGMENTS));
    this.acked = acked;
    // All segments may be gone while their place is kept: a number at or below it would pass for one that the server holds.
    this.nextSegment = acked.segment + 1;
  }

  static async open(options: SpoolOptions): Promise<Spool> {
    await mkdir(options.dir, { recursive: true, mode: 0o700 });
    const spool = new Spool(options, await readPosition(join(options.dir, "acknowledged")));
    for (const found of await listSegments(options.dir)) await spool.recover(found.segment, found.bytes);
    return spool;
  }

  /** Bytes on disk. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.segments.values()) sum += bytes;
    return sum;
  }

  /** Readings or events that wait for the server. */
  get waitingWeight(): number {
    let sum = 0;
    for (const { weight } of this.segments.values()) sum += weight;
    return sum;
  }

  /** Takes a group, as a whole or not at all. Once it answers `ok`, it is on the disk. */
  append(records: readonly SpoolRecord[]): Promise<AppendOutcome> {
    return this.inTurn(() => this.tryAppend(records)).finally(() => {
      this.appends++;
      for (const wake of this.waiting.splice(0)) wake();
    });
  }

  /** The oldest groups that are not acknowledged, at least one where there is any, up to about so many bytes. Asked again it answers the same. */
  peek(maxBytes: number): Promise<readonly Group[]> {
    return this.inTurn(async () => {
      let bytes = this.ahead.reduce((sum, group) => sum + sizeOf(group), 0);
      while (bytes < maxBytes) {
        const group = await this.readNext();
        if (group === null) break;
        this.ahead.push(group);
        bytes += sizeOf(group);
      }
      return [...this.ahead];
    });
  }

  /** The server holds everything up to and including this group. */
  acknowledge(groups: readonly Group[]): Promise<void> {
    return this.inTurn(async () => {
      const last = groups.at(-1);
      if (last === undefined) return;
      for (const group of groups) {
        const segment = this.segments.get(group.segment);
        if (segment === undefined) this.dropped -= weightOf(group);
        else segment.weight -= weightOf(group);
      }
      this.ahead = this.ahead.filter((group) => !groups.includes(group));
      this.acked = { segment: last.segment, offset: last.end };
      // A full disk may refuse even this; what is then sent again after a restart is known to the server.
      await writePosition(join(this.options.dir, "acknowledged"), this.acked).catch(() => undefined);
      await this.removeAcknowledged();
    });
  }

  /** Resolves once `appends` is more than `seen`, or when `stop` is asked for. */
  more(seen: number, stop: AbortSignal): Promise<void> {
    if (stop.aborted || this.appends > seen) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        stop.removeEventListener("abort", wake);
        resolve();
      };
      this.waiting.push(wake);
      stop.addEventListener("abort", wake, { once: true });
    });
  }

  close(): Promise<void> {
    return this.inTurn(async () => {
      await this.current?.writer.close();
      await this.reader?.close();
      this.current = null;
      this.reader = null;
    });
  }

  private async recover(segment: number, bytes: number): Promise<void> {
    this.nextSegment = Math.max(this.nextSegment, segment + 1);
    const known: Segment = { bytes, weight: 0 };
    this.segments.set(segment, known);
    const reader = await SegmentReader.open(this.options.dir, segment);
    try {
      for (let group = await reader.next(bytes); group !== null; group = await reader.next(bytes)) {
        this.options.recover?.(group);
        if (segment > this.acked.segment || group.end > this.acked.offset) known.weight += weightOf(group);
      }
    } finally {
      await reader.close();
    }
    if (segment < this.acked.segment) await this.remove(segment);
  }

  private async tryAppend(records: readonly SpoolRecord[]): Promise<AppendOutcome> {
    try {
      const known = this.current !== null && this.sizeOfCurrent() < this.segmentBytes ? this.current.keys : new Set<string>();
      const fresh = records.filter(({ once }) => once === undefined || !known.has(once));
      const bytes = encodeGroup(fresh);
      if (this.sizeOfCurrent() >= this.segmentBytes) await this.closeCurrent();
      while (this.bytes + bytes.length > this.options.maxBytes) {
        if (this.options.whenFull === "stop" || !(await this.dropOldest())) return full(this.options);
      }
      const { segment, writer, keys } = (this.current ??= await this.begin());
      const size = this.segments.get(segment);
      if (size === undefined) throw new Error(`segment ${segment} is not among those of ${this.options.dir}`);
      await writer.append(bytes, size.bytes);
      size.bytes += bytes.length;
      size.weight += fresh.reduce((sum, { weight }) => sum + weight, 0);
      for (const { once } of fresh) if (once !== undefined) keys.add(once);
      return { ok: true };
    } catch (error) {
      // A segment that nobody writes can go as soon as it is acknowledged, and that makes room.
      if (this.sizeOfCurrent() > 0 || this.current?.writer.isBroken === true) await this.closeCurrent();
      await this.removeAcknowledged();
      const cause = error instanceof Error ? error.message : String(error);
      return { ok: false, why: "disk", message: `${this.options.dir} cannot be written: ${cause}` };
    }
  }

  private sizeOfCurrent(): number {
    return this.current === null ? 0 : (this.segments.get(this.current.segment)?.bytes ?? 0);
  }

  private async begin(): Promise<NonNullable<Spool["current"]>> {
    const segment = this.nextSegment++;
    const writer = await this.openWriter(segmentPath(this.options.dir, segment));
    this.segments.set(segment, { bytes: 0, weight: 0 });
    return { segment, writer, keys: new Set() };
  }

  private async closeCurrent(): Promise<void> {
    const { current } = this;
    this.current = null;
    await current?.writer.close();
  }

  /** False where only the segment is left that is being written. */
  private async dropOldest(): Promise<boolean> {
    const [oldest] = this.segments.keys();
    if (oldest === undefined || oldest === this.current?.segment) return false;
    const weight = this.segments.get(oldest)?.weight ?? 0;
    await this.remove(oldest);
    if (this.segments.has(oldest)) return false;
    this.dropped += weight;
    this.ahead = this.ahead.filter((group) => group.segment !== oldest);
    return true;
  }

  private async removeAcknowledged(): Promise<void> {
    const { segment: last, offset } = this.acked;
    for (const [segment, { bytes }] of this.segments) {
      if (segment < last || (segment === last && offset >= bytes && segment !== this.current?.segment)) await this.remove(segment);
    }
  }

  private async remove(segment: number): Promise<void> {
    try {
      await this.options.beforeRemove?.();
    } catch {
      // What it holds is not safe elsewhere yet: it stays until it is.
      return;
    }
    if (this.reader?.segment === segment) {
      await this.reader.close();
      this.reader = null;
      this.readSegment = segment;
    }
    this.segments.delete(segment);
    await removeSegment(this.options.dir, segment);
  }

  private async readNext(): Promise<Group | null> {
    for (;;) {
      if (this.reader === null && !(await this.openNextReader())) return null;
      const { reader } = this;
      if (reader === null) return null;
      const group = await reader.next(this.segments.get(reader.segment)?.bytes ?? 0);
      if (group === null) {
        if (reader.segment === this.current?.segment || !this.hasAfter(reader.segment)) return null;
        await reader.close();
        this.reader = null;
        this.readSegment = reader.segment;
        continue;
      }
      if (group.segment > this.acked.segment || group.end > this.acked.offset) return group;
      for (const record of group.records) this.options.passed?.(record);
    }
  }

  private async openNextReader(): Promise<boolean> {
    const after = Math.max(this.readSegment, this.acked.segment - 1);
    for (const segment of this.segments.keys()) {
      if (segment <= after) continue;
      this.reader = await SegmentReader.open(this.options.dir, segment);
      return true;
    }
    return false;
  }

  private hasAfter(segment: number): boolean {
    for (const other of this.segments.keys()) if (other > segment) return true;
    return false;
  }

  /** One at a time: writing, reading and removing share the segments. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

function sizeOf(group: Group): number {
  return group.records.reduce((sum, { payload }) => sum + payload.length, 0);
}

function weightOf(group: Group): number {
  return group.records.reduce((sum, { weight }) => sum + weight, 0);
}

function full({ dir, maxBytes }: SpoolOptions): AppendOutcome {
  return { ok: false, why: "full", message: `${dir} holds its ${maxBytes} bytes` };
}
