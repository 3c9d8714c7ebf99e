import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CheckpointFile, CheckpointFolder } from "./layout.ts";

/** More files than any checkpoint has; a folder with more is not looked through to its end. */
const MAX_FILES = 200_000;
const MAX_DEPTH = 4;

/** The files of a checkpoint's folder, sorted by path. */
export async function readFolder(root: string): Promise<CheckpointFolder> {
  const files: CheckpointFile[] = [];
  await walk(root, "", 0, files);
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), read: (path, maxBytes) => readHead(join(root, path), maxBytes) };
}

async function walk(root: string, prefix: string, depth: number, files: CheckpointFile[]): Promise<void> {
  for (const entry of await readdir(join(root, prefix), { withFileTypes: true })) {
    if (files.length >= MAX_FILES) return;
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      if (depth < MAX_DEPTH) await walk(root, `${path}/`, depth + 1, files);
      continue;
    }
    // Shards may be links into a store of blobs: what they point at counts, and a link to nothing is no file.
    const found = await stat(join(root, path)).catch(() => null);
    if (found?.isFile() === true) files.push({ path, bytes: found.size, changedMs: found.mtimeMs });
  }
}

async function readHead(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(size, maxBytes)), 0, Math.min(size, maxBytes), 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return new Uint8Array(0);
  }
}
