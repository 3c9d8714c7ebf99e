import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Names in `assets` that belong to the build before, and are not this one's own. */
const KEPT = ".kept.json";

/**
 * Puts a finished build in the place of the one that a server may be serving. Pages that are open were made of the old one and fetch parts of
 * it when they are first needed: its assets stay for one more build (their names hold a hash of their content, so none stands in the way).
 * Not in one step, which no file system has for folders, but with nothing slow between the two renames.
 * @param built the new build; gone afterwards
 */
export function replaceBuild(built, dist) {
  const assets = join(built, "assets");
  mkdirSync(assets, { recursive: true });
  const own = new Set(readdirSync(assets));
  const kept = ownAssets(dist).filter((name) => !own.has(name));
  for (const name of kept) copyFileSync(join(dist, "assets", name), join(assets, name));
  writeFileSync(join(built, KEPT), JSON.stringify(kept));
  const old = `${dist}.${process.pid}.old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(built, dist);
  rmSync(old, { recursive: true, force: true });
}

/** What the build in `dist` made itself. */
function ownAssets(dist) {
  const assets = join(dist, "assets");
  if (!existsSync(assets)) return [];
  const inherited = new Set(existsSync(join(dist, KEPT)) ? JSON.parse(readFileSync(join(dist, KEPT), "utf8")) : []);
  return readdirSync(assets).filter((name) => !inherited.has(name));
}
