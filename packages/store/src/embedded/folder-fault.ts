import { AppError } from "@trainwatch/core";

/** What stands between us and a path, by what the operating system calls it. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not use it",
  EPERM: "this user may not use it",
  ENOTDIR: "it is a file, or lies below one",
  EEXIST: "it is a file, or lies below one",
  ENOENT: "nothing can be made there",
  EROFS: "its file system is read-only",
  ENOSPC: "its disk is full",
  EDQUOT: "the quota of this user is used up",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "this process has too many files open",
  EIO: "its disk does not answer",
};

/**
 * An error of the file system under a data directory, as a sentence that names the path and the way out. Anything else is handed back
 * as it came.
 */
export function explainFolder(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const reason = REASONS[error.code];
  if (reason === undefined) return error;
  const path = "path" in error && typeof error.path === "string" ? error.path : dataDir;
  const place = path === dataDir ? "" : ` stumbles over ${path}`;
  return new AppError(
    "misconfigured",
    `The data directory ${dataDir}${place === "" ? " cannot be used" : place}: ${reason} (${error.code}). Mend that, or name another place with --data-dir or TRAINWATCH_DATA_DIR.`,
    { details: { dataDir, path, code: error.code }, cause: error },
  );
}
