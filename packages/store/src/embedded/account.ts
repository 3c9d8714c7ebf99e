import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "@trainwatch/core";
import { isMissing } from "./missing.ts";

/** Under which account PostgreSQL runs: it refuses to run as root. */
export interface ServerAccount {
  /** True where we are root and the server is not. */
  readonly switched: boolean;
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Ourselves, or, where we are root, the account `trainwatch` if there is one, else `nobody`. initdb looks its account up by number,
 * so it must stand in /etc/passwd.
 * @throws AppError `misconfigured` where we are root and neither account exists.
 */
export async function serverAccount(): Promise<ServerAccount> {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0) return { switched: false, name: "", uid, gid: process.getgid?.() ?? -1 };
  const lines = (await readFile("/etc/passwd", "utf8").catch((cause: unknown) => (isMissing(cause) ? "" : Promise.reject(cause)))).split(
    "\n",
  );
  for (const wanted of ["trainwatch", "nobody"]) {
    const fields = lines.map((line) => line.split(":")).find((each) => each[0] === wanted);
    const found = { uid: Number(fields?.[2]), gid: Number(fields?.[3]) };
    if (Number.isInteger(found.uid) && Number.isInteger(found.gid) && found.uid > 0) return { switched: true, name: wanted, ...found };
  }
  throw new AppError(
    "misconfigured",
    "PostgreSQL does not run as root, and there is neither an account `trainwatch` nor `nobody` to run it under. Create one, start as a plain user, or set DATABASE_URL.",
  );
}

/**
 * PostgreSQL must be able to enter every folder above its data.
 * @throws AppError `misconfigured` naming the folder that the account cannot enter.
 */
export async function assertReachable(path: string, account: ServerAccount): Promise<void> {
  if (!account.switched) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const facts = await stat(folder);
    const bit = facts.uid === account.uid ? 0o100 : facts.gid === account.gid ? 0o010 : 0o001;
    if ((facts.mode & bit) === 0) {
      throw new AppError(
        "misconfigured",
        `The database cannot live in ${path}: it runs as ${account.name}, which may not enter ${folder}. Choose another data directory (--data-dir), such as /var/lib/trainwatch.`,
        {
          details: { path, folder, account: account.name },
        },
      );
    }
    if (folder === dirname(folder)) return;
  }
}
