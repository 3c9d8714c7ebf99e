import { open, readdir, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isFileOf } from "./tail-cursor.ts";
import type { TailCursor } from "./tail-cursor.ts";

/** A folder with more files than this beside a log is not one that a log rotates in. */
const MAX_SIBLINGS = 1_000;

/**
 * The file that a log has become: renamed (same inode) or copied before it was emptied (another inode, same beginning). Looked for among
 * `train.log.1`, `train.log-20261129` and the like. The caller closes it. Null where it is gone or packed.
 */
export async function findRotated(path: string, cursor: TailCursor): Promise<FileHandle | null> {
  const name = basename(path);
  const stem = name.replace(/\.[^.]+$/, "");
  const siblings = (await readdir(dirname(path))).filter((each) => each !== name && (each.startsWith(name) || each.startsWith(stem)));
  let copy: FileHandle | null = null;
  for (const sibling of siblings.slice(0, MAX_SIBLINGS)) {
    const file = await openFile(join(dirname(path), sibling));
    if (file === null) continue;
    const isSame = cursor.offset > 0 && (await isFileOf(file, cursor));
    const { dev, ino } = await file.stat();
    if (isSame && dev === cursor.device && ino === cursor.inode) {
      await copy?.close();
      return file;
    }
    if (isSame && copy === null) copy = file;
    else await file.close();
  }
  return copy;
}

/**
 * Names of files that the log was after `file`, the one that has just been read to its end, and before what it is now: written to since,
 * and neither of the two. Packing keeps a file's time.
 */
export async function rotatedSince(path: string, file: FileHandle): Promise<readonly string[]> {
  const name = basename(path);
  const read = await file.stat();
  const log = await stat(path).catch(() => null);
  const found: string[] = [];
  for (const sibling of (await readdir(dirname(path))).filter((each) => isRotationOf(name, each)).slice(0, MAX_SIBLINGS)) {
    const each = await stat(join(dirname(path), sibling)).catch(() => null);
    if (each === null || !each.isFile() || each.size === 0 || each.mtimeMs <= read.mtimeMs) continue;
    if (each.ino !== read.ino && each.ino !== log?.ino) found.push(sibling);
  }
  return found.toSorted();
}

/** `train.log.1`, `train.log-20261129.gz` or `train-20261129.log`, and not the log of somebody else that begins alike. */
function isRotationOf(name: string, sibling: string): boolean {
  if (sibling.startsWith(name)) return /^[.-]\d/.test(sibling.slice(name.length));
  const stem = name.replace(/\.[^.]+$/, "");
  return sibling.startsWith(stem) && /^[.-]\d+([.-].*)?$/.test(sibling.slice(stem.length));
}

/** Null where there is none, or it is no plain file. */
async function openFile(path: string): Promise<FileHandle | null> {
  try {
    const file = await open(path, "r");
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch {
    // Gone since the folder was read, or not ours to read.
  }
  return null;
}
