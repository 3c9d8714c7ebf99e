/** Why an input gives nothing, or not all of it. `message` is one sentence that names the file and the way out. */
export interface InputFault {
  readonly code:
    | "missing"
    | "permission"
    | "not-a-file"
    | "read-error"
    | "empty"
    | "binary"
    | "compressed"
    | "unknown"
    | "ambiguous"
    | "unsupported"
    | "truncated"
    | "no-points"
    | "conflict"
    | "too-large"
    | "unreadable-dump";
  readonly message: string;
}

/** What the operating system says, as a sentence. Errors that are no system errors are bugs and are thrown on. */
export function systemFault(path: string, error: unknown): InputFault {
  const code = systemCode(error);
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return { code: "missing", message: `${path}: there is no such file or directory; check the path.` };
    case "EACCES":
    case "EPERM":
      return { code: "permission", message: `${path}: you may not read it; change its permissions or run as a user who may.` };
    case "ELOOP":
      return { code: "read-error", message: `${path}: its symbolic links lead in a circle; name the file itself.` };
    case undefined:
      throw error;
    default:
      return { code: "read-error", message: `${path}: reading failed (${code}); check the disk or mount and try again.` };
  }
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}
