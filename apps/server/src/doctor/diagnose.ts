import { access, constants, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { isAppError } from "@trainwatch/core";
import { hasEmbeddedDatabase, isConnectionLoss, migrationState, openStore, type Store } from "@trainwatch/store";
import type { Config } from "../config.ts";
import { borrowDatabase, type Database } from "../database.ts";
import { isLoopback } from "../http/host-guard.ts";
import { createWebSource } from "../http/web-files.ts";
import { fault, fine, warning, type Diagnosis } from "./diagnosis.ts";
import { judgeAccess, judgeClock, judgeCoverage, judgeData, judgeDatabaseVersion, judgeDisk, judgeMigrations } from "./judge.ts";

/** Looks at everything that can keep a server from its work. Each finding says what to do; nothing is changed. */
export async function diagnose(config: Config, nowMs: number): Promise<readonly Diagnosis[]> {
  const first = [
    fine("configuration", config.configFile === null ? "no file; environment, flags and defaults" : `read from ${config.configFile}`),
    ...(config.databaseUrl === null ? [await examineDisk(config.dataDir)] : []),
    createWebSource().current() === null
      ? warning("dashboard", "the pages are not built", "Run `npm run setup` in the repository.")
      : fine("dashboard", "built"),
  ];
  return [...first, ...(await examineDatabase(config, nowMs))];
}

async function examineDatabase(config: Config, nowMs: number): Promise<readonly Diagnosis[]> {
  let database: Database | null = null;
  let store: Store | null = null;
  try {
    // To borrow one that is not there would make it.
    if (config.databaseUrl === null && !(await hasEmbeddedDatabase(config.dataDir))) return [await examineFirstStart(config.dataDir)];
    database = await borrowDatabase(config);
    store = await openStore({ url: database.url, poolSize: 2, migrate: false });
    return await examineStore(store, config, nowMs);
  } catch (error) {
    if (!isAppError(error) && !isConnectionLoss(error)) throw error;
    const fix =
      config.databaseUrl === null
        ? "Look into postgres.log in the data directory; start again."
        : "Check that DATABASE_URL names a server that runs, and that its account may connect.";
    return [{ check: "database", status: "fault", message: lastLine(error), fix, isBlocking: true }];
  } finally {
    await store?.close();
    await database?.stop();
  }
}

/** Of the nearest directory that exists: the first start makes those below it. */
async function examineFirstStart(dataDir: string, path = dataDir): Promise<Diagnosis> {
  try {
    await access(path, constants.W_OK);
    return warning("database", `there is none in ${dataDir} yet`, "Start the server: the first start makes it.");
  } catch (error) {
    const parent = dirname(path);
    const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isGone && parent !== path) return examineFirstStart(dataDir, parent);
    return fault("database", `there is none in ${dataDir}, and this user may not write to ${path}`, "Mend that, or use --data-dir.");
  }
}

/** A driver's sentence stands last; what is before it quotes our own source. */
function lastLine(error: Error): string {
  return error.message.trimEnd().split("\n").at(-1) ?? error.message;
}

async function examineStore(store: Store, config: Config, nowMs: number): Promise<readonly Diagnosis[]> {
  const { status: questions, tokens } = store.records;
  const version = judgeDatabaseVersion(await questions.databaseVersion());
  const before = Date.now();
  const databaseMs = await questions.databaseTimeMs();
  const clock = judgeClock((before + Date.now()) / 2 - databaseMs);
  const migrations = judgeMigrations(await migrationState(store.pool));
  // Tables of another version answer other questions.
  if (migrations.status !== "ok") return [version, clock, migrations];
  const status = await questions.read(nowMs);
  return [
    version,
    clock,
    migrations,
    judgeAccess(await tokens.countLive(), isLoopback(config.host)),
    judgeData(status, nowMs),
    judgeCoverage(status),
  ];
}

/** Of the nearest directory that exists: the data directory itself is made by the first start. */
async function examineDisk(path: string): Promise<Diagnosis> {
  try {
    const { bavail, bsize } = await statfs(path);
    return judgeDisk(path, bavail * bsize);
  } catch (error) {
    const parent = dirname(path);
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing && parent !== path) return examineDisk(parent);
    return warning("disk", `free space at ${path} cannot be read`, "Check that the path exists and this user may read it.");
  }
}
