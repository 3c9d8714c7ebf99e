import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./lock.mjs";
import { replaceBuild } from "./replace-build.mjs";
import { hashOf, isFresh, writeStamp } from "./stamp.mjs";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const LOCK_FILE = join(ROOT, ".trainwatch/setup.lock");
const WEB_SOURCES = [
  "apps/web/src",
  "apps/web/index.html",
  "apps/web/vite.config.ts",
  "packages/ui/src",
  "packages/core/src",
  "packages/stats/src",
  "package-lock.json",
];

/** Runs a command in the repository; its output passes through; a failure ends the whole with the way out. */
function run(title, command, args, env = {}) {
  const started = Date.now();
  console.error(`${title} …`);
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    const why = result.error ? result.error.message : `exit code ${result.status ?? result.signal}`;
    throw new Error(
      `${title} failed (${why}): ${command} ${args.join(" ")}. Mend what it says above and start again; nothing else was changed.`,
    );
  }
  console.error(`${title}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Trainwatch needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and start again.`);
}

function install() {
  const stamp = join(ROOT, "node_modules/.trainwatch-install");
  const hash = `${hashOf([join(ROOT, "package-lock.json"), join(ROOT, "package.json")])} ${process.platform} ${process.arch} node${process.versions.modules}`;
  if (isFresh(stamp, hash)) return;
  // not `npm ci`: it empties node_modules first, under the feet of a demo that runs
  run("Installing packages", "npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeStamp(stamp, hash);
}

function generate() {
  run("Checking the database client", process.execPath, [join(ROOT, "packages/store/generate.mjs")]);
}

function buildWeb() {
  const stamp = join(ROOT, "apps/web/dist/.stamp");
  const hash = hashOf(WEB_SOURCES.map((path) => join(ROOT, path)));
  if (isFresh(stamp, hash)) return;
  const built = join(ROOT, ".trainwatch/web");
  run("Building the dashboard", process.execPath, [
    join(ROOT, "node_modules/vite/bin/vite.js"),
    "build",
    "apps/web",
    "--logLevel",
    "warn",
    "--outDir",
    built,
    "--emptyOutDir",
  ]);
  replaceBuild(built, join(ROOT, "apps/web/dist"));
  writeStamp(stamp, hash);
}

/** Brings a checkout to where every command works: packages, database client, dashboard. Repeats cost well under a second. */
export async function setUp() {
  requireNode();
  await withLock(LOCK_FILE, "setting up", () => {
    install();
    generate();
    buildWeb();
  });
}
