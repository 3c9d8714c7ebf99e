import { open, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { AppError } from "@trainwatch/core";
import { findRotated, rotatedSince } from "./find-rotated.ts";
import { cursorAt, isFileOf } from "./tail-cursor.ts";
import type { TailCursor } from "./tail-cursor.ts";

export interface TailOptions {
  /** After a restart the file is given again from its first byte, for parsers that cannot begin in its middle. */
  readonly rewind?: boolean;
  /** Where a file begins that was never seen before. */
  readonly from: "start" | "end";
  /** `lines` keeps back what stands behind the last line break; `bytes` gives all, for binary logs. */
  readonly unit: "lines" | "bytes";
}

export interface TailChunk {
  readonly bytes: Uint8Array;
  /** Of the place behind `bytes`: what to keep once they are safe. */
  readonly cursor: TailCursor;
  /** The first of a file: whoever parses begins anew. */
  readonly isStart: boolean;
  /** Bytes that nobody can read any more, with the reason; null where nothing is lost. */
  readonly lost: string | null;
}

const NEWLINE = 10;
/** Read at a time; a line that is longer is skipped beyond it. */
const CHUNK_BYTES = 256 * 1024;
/** A writer that has not yet noticed the rotation goes on in the old file for a moment. */
const QUIET_READS = 2;

/**
 * Follows a log through rotation by rename and by copy-and-truncate. Stands at the beginning of a line until that line is whole, so that
 * half a line is never taken for one. Reads nothing twice and keeps nothing in memory: its place is the cursor.
 */
export class FileTail {
  private readonly path: string;
  private readonly options: TailOptions;
  private cursor: TailCursor | null;
  private file: FileHandle | null = null;
  private quiet = 0;
  private isStart = true;
  /** Nothing was opened yet by this process. */
  private isFirst = true;
  private lost: string | null = null;

  /** @param cursor as it was kept; null where the log was never read */
  constructor(path: string, cursor: TailCursor | null, options: TailOptions) {
    this.path = path;
    this.cursor = cursor;
    this.options = options;
  }

  /** The next stretch of whole lines; null where there is none now. The same again until `advance`. @throws AppError `unavailable` where there is no such file */
  async read(): Promise<TailChunk | null> {
    for (;;) {
      const file = (this.file ??= await this.openFirst());
      this.isFirst = false;
      await this.noticeTruncation();
      if (this.file !== file) continue;
      const chunk = (await this.readFrom(file, false)) ?? ((await this.isLeft(file)) ? await this.readFrom(file, true) : null);
      if (chunk !== null) return chunk;
      if (this.quiet <= QUIET_READS) return null;
      const skipped = await rotatedSince(this.path, file);
      await file.close();
      this.file = null;
      this.file = await this.begin();
      if (skipped.length > 0) this.lost = `${this.path} was rotated more than once meanwhile; not read: ${skipped.join(", ")}`;
    }
  }

  /** Where the next read begins; null as long as nothing was opened. */
  get place(): TailCursor | null {
    return this.cursor;
  }

  /** What was read is safe: goes on behind it. */
  advance({ cursor }: TailChunk): void {
    this.cursor = cursor;
    this.isStart = false;
    this.lost = null;
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = null;
  }

  private async openFirst(): Promise<FileHandle> {
    const file = await this.openPath();
    const { cursor } = this;
    if (cursor === null) {
      const { size } = await file.stat();
      this.cursor = await cursorAt(file, this.options.from === "end" ? await lineStart(file, size) : 0, false);
      return file;
    }
    const { dev, ino } = await file.stat();
    if (dev === cursor.device && ino === cursor.inode && (await isFileOf(file, cursor))) return this.resume(file, cursor);
    await file.close();
    return this.openRotated(cursor);
  }

  private async resume(file: FileHandle, cursor: TailCursor): Promise<FileHandle> {
    const isRewound = this.isFirst && this.options.rewind === true;
    this.cursor = await cursorAt(file, isRewound ? 0 : cursor.offset, !isRewound && cursor.isSkipping);
    this.isStart = isRewound;
    return file;
  }

  /** The rest of the file that the log was, or the log's new beginning where that is gone. */
  private async openRotated(cursor: TailCursor): Promise<FileHandle> {
    const rotated = await findRotated(this.path, cursor);
    if (rotated !== null) {
      this.quiet = QUIET_READS;
      return this.resume(rotated, cursor);
    }
    if (cursor.offset > 0)
      this.lost = `${this.path} is another file than before and what it was is gone; lines behind byte ${cursor.offset} may be lost`;
    return this.begin();
  }

  private async begin(): Promise<FileHandle> {
    const file = await this.openPath();
    this.cursor = await cursorAt(file, 0, false);
    this.quiet = 0;
    this.isStart = true;
    return file;
  }

  private async openPath(): Promise<FileHandle> {
    try {
      return await open(this.path, "r");
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AppError("unavailable", `${this.path} cannot be opened: ${why}`, { cause });
    }
  }

  private async noticeTruncation(): Promise<void> {
    const { file, cursor } = this;
    if (file === null || cursor === null || (await isFileOf(file, cursor))) return;
    await file.close();
    this.file = null;
    this.file = await this.openRotated(cursor);
  }

  /** @param isLast nobody writes this file any more: what stands behind the last line break is a line too */
  private async readFrom(file: FileHandle, isLast: boolean): Promise<TailChunk | null> {
    const { cursor } = this;
    if (cursor === null) return null;
    const { buffer, bytesRead } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES, cursor.offset);
    if (bytesRead === 0) return null;
    const read = buffer.subarray(0, bytesRead);
    const cut = isLast ? { from: 0, end: read.length, isSkipping: false } : this.cut(read, cursor);
    if (cut === null) return null;
    if (!isLast) this.quiet = 0;
    const behind = await cursorAt(file, cursor.offset + cut.end, cut.isSkipping);
    return { bytes: read.subarray(cut.from, cut.end), cursor: behind, isStart: this.isStart, lost: this.lost };
  }

  /** Which part of what was read is to be given out. */
  private cut(read: Uint8Array, cursor: TailCursor): { readonly from: number; readonly end: number; readonly isSkipping: boolean } | null {
    if (this.options.unit === "bytes") return { from: 0, end: read.length, isSkipping: false };
    const from = cursor.isSkipping ? read.indexOf(NEWLINE) + 1 : 0;
    if (cursor.isSkipping && from === 0) return { from: read.length, end: read.length, isSkipping: true };
    const end = read.lastIndexOf(NEWLINE) + 1;
    if (end > from || (cursor.isSkipping && end > 0)) return { from, end, isSkipping: false };
    // A line as long as the whole chunk: its beginning is given, the rest passed over.
    return read.length === CHUNK_BYTES ? { from, end: read.length, isSkipping: true } : null;
  }

  /** At its end, whether the file is no longer the log and nothing has come for a few reads. */
  private async isLeft(file: FileHandle): Promise<boolean> {
    const { dev, ino } = await file.stat();
    const now = await stat(this.path).catch(() => null);
    if (now === null || (now.dev === dev && now.ino === ino)) return false;
    this.quiet++;
    return this.quiet > QUIET_READS;
  }
}

/** The newest beginning of a line at or before an offset. */
async function lineStart(file: FileHandle, offset: number): Promise<number> {
  const from = Math.max(0, offset - CHUNK_BYTES);
  const { buffer, bytesRead } = await file.read(new Uint8Array(offset - from), 0, offset - from, from);
  return from + buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
}
