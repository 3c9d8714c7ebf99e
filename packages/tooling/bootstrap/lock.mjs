import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const POLL_MS = 200;
const WAIT_LIMIT_MS = 20 * 60_000;

/** Whether a process with this id lives on this machine. */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function readOwner(lockFile) {
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function tryAcquire(lockFile) {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const owner = readOwner(lockFile);
  if (owner !== undefined && !isAlive(owner)) rmSync(lockFile, { force: true }); // left behind by a killed process
  return false;
}

/**
 * Runs `work` while holding a lock file, so that `npm run demo` and `npm test` may set up at once.
 * The wait is bounded; a lock of a dead process is taken over.
 */
export async function withLock(lockFile, what, work) {
  mkdirSync(dirname(lockFile), { recursive: true });
  const deadline = Date.now() + WAIT_LIMIT_MS;
  let told = false;
  while (!tryAcquire(lockFile)) {
    if (Date.now() > deadline)
      throw new Error(`Another process has held ${join(lockFile)} for 20 minutes. End it, or delete that file, and start again.`);
    if (!told) console.error(`Waiting: another process is busy with ${what}.`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}
