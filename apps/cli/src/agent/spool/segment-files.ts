import { open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A segment that is being written. */
export interface SegmentWriter {
  /** All of the bytes at the end of the file and on the disk, or an error; what was there before stays whole either way. */
  append(bytes: Uint8Array, at: number): Promise<void>;
  /** Half of a failed write could not be taken back: nothing may be written behind it. */
  readonly isBroken: boolean;
  close(): Promise<void>;
}

/** How segments reach the disk; a test puts a full disk in its place. */
export type OpenSegmentWriter = (path: string) => Promise<SegmentWriter>;

const ENDING = ".seg";
const DIGITS = 12;

export function segmentPath(dir: string, segment: number): string {
  return join(dir, `${String(segment).padStart(DIGITS, "0")}${ENDING}`);
}

export interface FoundSegment {
  readonly segment: number;
  readonly bytes: number;
}

/** Segments of a folder, oldest first. */
export async function listSegments(dir: string): Promise<readonly FoundSegment[]> {
  const found: FoundSegment[] = [];
  for (const name of await readdir(dir)) {
    if (!/^\d+\.seg$/.test(name)) continue;
    found.push({ segment: Number(name.slice(0, -ENDING.length)), bytes: (await stat(join(dir, name))).size });
  }
  return found.toSorted((a, b) => a.segment - b.segment);
}

export const openSegmentWriter: OpenSegmentWriter = async (path) => {
  const file = await open(path, "wx");
  // The name of a new file is as perishable as its content until the folder is synced too.
  await syncFolder(dirname(path));
  let isBroken = false;
  return {
    get isBroken() {
      return isBroken;
    },
    async append(bytes, at) {
      try {
        await writeAll(file, bytes, at);
        await file.datasync();
      } catch (error) {
        await file.truncate(at).catch(() => (isBroken = true));
        throw error;
      }
    },
    close: () => file.close(),
  };
};

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Replaces a small file as a whole. @param durable waits until it survives a power cut */
export async function replaceFile(path: string, content: string | Uint8Array, durable: boolean): Promise<void> {
  const fresh = `${path}.new`;
  if (!durable) {
    await writeFile(fresh, content);
    return rename(fresh, path);
  }
  const file = await open(fresh, "w");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  await syncFolder(dirname(path));
}

export async function removeSegment(dir: string, segment: number): Promise<void> {
  await rm(segmentPath(dir, segment), { force: true });
}
