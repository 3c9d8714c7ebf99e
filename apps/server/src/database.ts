import { runningEmbeddedUrl, startEmbeddedPostgres, type EmbeddedEvent } from "@trainwatch/store";
import type { Config } from "./config.ts";

export interface Database {
  readonly url: string;
  readonly isEmbedded: boolean;
  /** Shuts the embedded server down; leaves any other alone. */
  stop(): Promise<void>;
}

export interface DatabaseOptions {
  /** Gone with the process: for a demonstration. */
  readonly throwAway?: boolean;
  readonly onEvent?: (event: EmbeddedEvent) => void;
}

const nothingToStop = (): Promise<void> => Promise.resolve();

/** The database a server runs on: `DATABASE_URL`, else the embedded PostgreSQL in the data directory, which is then ours alone. */
export async function openServerDatabase(
  { databaseUrl, dataDir }: Config,
  { throwAway = false, onEvent }: DatabaseOptions,
): Promise<Database> {
  if (databaseUrl !== null) return { url: databaseUrl, isEmbedded: false, stop: nothingToStop };
  const postgres = await startEmbeddedPostgres({ dataDir, throwAway, durable: !throwAway, ...(onEvent === undefined ? {} : { onEvent }) });
  return { url: postgres.url, isEmbedded: true, stop: () => postgres.stop() };
}

/** The same database for a command that only asks or changes something: shared with a running server, else started for as long as it takes. */
export async function borrowDatabase(config: Config): Promise<Database> {
  const running = config.databaseUrl === null ? await runningEmbeddedUrl(config.dataDir) : null;
  return running === null ? openServerDatabase(config, {}) : { url: running, isEmbedded: true, stop: nothingToStop };
}
