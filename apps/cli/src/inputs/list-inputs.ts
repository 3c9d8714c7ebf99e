import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemFault } from "./input-fault.ts";
import type { InputFault } from "./input-fault.ts";

export interface ListedInput {
  /** As it is shown and opened; `-` is standard input. */
  readonly path: string;
  /** Found by walking a directory: what is no log there is passed over, not refused. */
  readonly walked: boolean;
  /** Set where it cannot even be listed. */
  readonly fault: InputFault | null;
}

/** A directory tree is walked to this depth and this many files: a mistyped `/` must come back. */
const MAX_DEPTH = 16;
const MAX_FILES = 10_000;

/** Files of all paths in the order given, directories walked in the order of their names. Symbolic links to directories are not followed while walking. */
export async function listInputs(paths: readonly string[]): Promise<readonly ListedInput[]> {
  const listed: ListedInput[] = [];
  for (const path of paths) {
    if (path === "-") listed.push({ path, walked: false, fault: null });
    else await listPath(path, listed);
  }
  return listed;
}

async function listPath(path: string, listed: ListedInput[]): Promise<void> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await walk(path, 0, listed);
    const fault =
      found.isFile() || found.isFIFO() || found.isCharacterDevice()
        ? null
        : ({ code: "not-a-file", message: `${path}: it is neither a file, a pipe nor a directory; name a log.` } as const);
    listed.push({ path, walked: false, fault });
  } catch (error) {
    listed.push({ path, walked: false, fault: systemFault(path, error) });
  }
}

async function walk(directory: string, depth: number, listed: ListedInput[]): Promise<void> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }))) {
      const path = join(directory, entry.name);
      if (listed.length >= MAX_FILES) {
        listed.push({
          path: directory,
          walked: false,
          fault: { code: "read-error", message: `${directory}: more than ${MAX_FILES} files; name a smaller directory.` },
        });
        return;
      }
      // Hidden folders hold repositories and caches, not logs.
      if (entry.isDirectory() && depth < MAX_DEPTH && !basename(path).startsWith(".")) await walk(path, depth + 1, listed);
      else if (entry.isFile()) listed.push({ path, walked: true, fault: null });
    }
  } catch (error) {
    listed.push({ path: directory, walked: false, fault: systemFault(directory, error) });
  }
}
