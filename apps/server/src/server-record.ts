import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Config } from "./config.ts";

/** Where a server that runs on a data directory says how it is reached, for commands on the same machine. */
const FILE = "server.json";

const recordSchema = z.object({ url: z.url(), pid: z.int().positive() });

/** @returns takes the record back */
export async function recordServer(dataDir: string, url: string): Promise<() => Promise<void>> {
  const path = join(resolve(dataDir), FILE);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 });
  await rename(draft, path);
  return () => rm(path, { force: true });
}

/**
 * Where a command finds its server: the address it was told, else the one that runs on the data directory, else the usual place. The
 * record of a server that was killed is passed over.
 */
export async function serverUrl({ url, host, port, isAddressGiven, dataDir }: Config): Promise<string> {
  if (url !== null) return url;
  const recorded = isAddressGiven ? null : await readRecord(join(resolve(dataDir), FILE));
  return recorded ?? `http://${host}:${port}`;
}

async function readRecord(path: string): Promise<string | null> {
  try {
    const record = recordSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
    return record.success && isAlive(record.data.pid) ? record.data.url : null;
  } catch {
    // None there, somebody else's, or half a file: then the usual place is as good a guess as any.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
