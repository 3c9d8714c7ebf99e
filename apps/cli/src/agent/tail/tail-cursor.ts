import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { z } from "zod";

/** Enough to tell logs apart that begin with the same banner. */
const HEAD_BYTES = 1_024;

/** Where a tail stands in which file. A file is known by its inode and by how it begins: inodes are given again, and a copy has another. */
export const tailCursorSchema = z.object({
  device: z.number(),
  inode: z.number(),
  offset: z.number().int().nonnegative(),
  headBytes: z.number().int().nonnegative(),
  headHash: z.string(),
  /** In the middle of a line that is longer than any. */
  isSkipping: z.boolean().default(false),
});
export type TailCursor = z.infer<typeof tailCursorSchema>;

/** The cursor of a file at an offset. */
export async function cursorAt(file: FileHandle, offset: number, isSkipping: boolean): Promise<TailCursor> {
  const { dev, ino } = await file.stat();
  const headBytes = Math.min(offset, HEAD_BYTES);
  return { device: dev, inode: ino, offset, headBytes, headHash: await hashOfHead(file, headBytes), isSkipping };
}

/** Whether a file is the one that the cursor stands in, or a copy of it, and still holds all up to there. */
export async function isFileOf(file: FileHandle, cursor: TailCursor): Promise<boolean> {
  const { size } = await file.stat();
  return size >= cursor.offset && (await hashOfHead(file, cursor.headBytes)) === cursor.headHash;
}

async function hashOfHead(file: FileHandle, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, 0);
  return createHash("sha256").update(buffer.subarray(0, bytesRead)).digest("hex").slice(0, 16);
}
