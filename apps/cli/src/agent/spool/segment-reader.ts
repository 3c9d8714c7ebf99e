import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { readRecord } from "./record.ts";
import type { ReadAt, ReadRecord } from "./record.ts";
import { segmentPath } from "./segment-files.ts";

/** What a source has given in one go, as it lies in a segment. */
export interface Group {
  readonly segment: number;
  readonly records: readonly ReadRecord[];
  /** Offset of the first byte behind it. */
  readonly end: number;
}

/** Reads the groups of one segment from its beginning on. Close it. */
export class SegmentReader {
  readonly segment: number;
  private readonly file: FileHandle;
  private at = 0;

  private constructor(segment: number, file: FileHandle) {
    this.segment = segment;
    this.file = file;
  }

  static async open(dir: string, segment: number): Promise<SegmentReader> {
    return new SegmentReader(segment, await open(segmentPath(dir, segment), "r"));
  }

  /** The next whole group that ends at or before `limit`; null where there is none (yet). */
  async next(limit: number): Promise<Group | null> {
    const records: ReadRecord[] = [];
    for (let at = this.at; ;) {
      const record = await readRecord(this.readAt, at, limit);
      if (record === null) return null;
      records.push(record);
      at = record.end;
      if (!record.isLast) continue;
      this.at = at;
      return { segment: this.segment, records, end: at };
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private readonly readAt: ReadAt = async (offset, length) => {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done === length ? bytes : bytes.subarray(0, done);
  };
}
