import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isMissing } from "./missing.ts";

/**
 * Makes `path` and what is missing above it, `mode` for each. Not by `mkdir`'s own `recursive`: under a folder where nothing can be made
 * and nothing is said but "missing" (`/proc`), Node 20 tries the same two folders in turn for ever.
 * @throws Error of the file system, with `code` and the `path` it is about
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const whole = resolve(path);
  if (await isFolder(whole)) return;
  const above = dirname(whole);
  if (above !== whole) await makeFolder(above, mode);
  try {
    await mkdir(whole, { mode });
  } catch (error) {
    // Somebody else was quicker.
    if (!(await isFolder(whole))) throw error;
  }
}

/** False where nothing is there. What is there and is no folder is a fault that names it. */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: "ENOTDIR", path });
}
