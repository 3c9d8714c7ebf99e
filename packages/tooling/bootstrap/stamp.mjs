import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", "generated", ".turbo"]);

function* filesBelow(path) {
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (SKIPPED.has(entry.name)) continue;
    const child = join(path, entry.name);
    if (entry.isDirectory()) yield* filesBelow(child);
    else if (entry.isFile()) yield child;
  }
}

/** SHA-256 over the names and contents of files and folders: what a build result depends on. */
export function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    let files;
    try {
      files = [...filesBelow(path)];
    } catch (error) {
      if (error.code !== "ENOTDIR") throw error;
      files = [path];
    }
    for (const file of files) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

export function isFresh(stampFile, hash) {
  try {
    return readFileSync(stampFile, "utf8") === hash;
  } catch {
    return false;
  }
}

export function writeStamp(stampFile, hash) {
  mkdirSync(dirname(stampFile), { recursive: true });
  const temporary = `${stampFile}.${process.pid}`;
  writeFileSync(temporary, hash);
  renameSync(temporary, stampFile);
}
