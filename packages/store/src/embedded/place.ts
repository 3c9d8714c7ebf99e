import { chmod, chown, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type ServerAccount, assertReachable, serverAccount } from "./account.ts";
import { type PostgresBinaries, findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { makeFolder } from "./make-folder.ts";

/** Everything a server needs before it can be started. */
export interface Place {
  readonly dataDir: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  /** For its socket. */
  readonly socketFolder: string;
  readonly logFile: string;
  readonly account: ServerAccount;
  readonly binaries: PostgresBinaries;
  readonly password: string;
  readonly durable: boolean;
}

/**
 * Makes what is not there: folders, a copy of the programs where they cannot run in place, the data directory.
 * @throws AppError `misconfigured` if the directory cannot be used.
 */
export async function preparePlace(options: {
  readonly dataDir: string;
  readonly cacheDir?: string;
  readonly durable?: boolean;
}): Promise<Place> {
  const dataDir = resolve(options.dataDir);
  const durable = options.durable ?? true;
  const cluster = join(dataDir, "postgres");
  const account = await serverAccount();
  await makeDataDir(dataDir, account);
  await assertReachable(cluster, account);
  const binaries = await findBinaries(account, options.cacheDir);
  const password = await ensureCluster(cluster, binaries, account, durable);
  const socketFolder = await privateFolder(join(dataDir, "run"), account);
  return { dataDir, cluster, socketFolder, logFile: join(dataDir, "postgres.log"), account, binaries, password, durable };
}

/** The account may pass through our folder, and see nothing in it but its own. */
async function makeDataDir(path: string, account: ServerAccount): Promise<void> {
  await makeFolder(dirname(path), account.switched ? 0o755 : 0o700);
  await makeFolder(path, 0o700);
  if (account.switched) await chmod(path, (await stat(path)).mode | 0o011);
}

async function privateFolder(path: string, account: ServerAccount): Promise<string> {
  await makeFolder(path, 0o700);
  if (account.switched) await chown(path, account.uid, account.gid);
  return path;
}
