/** SQLSTATE classes 08 (connection), 28 (no longer let in) and 57P0x (shutting down), 3D000 (the database is gone), errors of the socket itself, and what Prisma makes of them (P1…, P2024). */
const LOST_CODES = /^(?:08|28[0-9P]|3D000|57P0|P1\d{3}$|P2024$|ECONN|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/;
/** What Prisma's adapter calls it where a raw query fails; the error itself then says P2010 whatever the cause. */
const LOST_KINDS: ReadonlySet<unknown> = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout"]);
/** The adapter's word for SQLSTATE 53300, which it does not always hand on. */
const TOO_MANY = "TooManyConnections";

/** Whether an error of the driver or of Prisma says that the database is away, rather than that the question was wrong. */
export function isConnectionLoss(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (LOST_KINDS.has(field(adapterCause(error), "kind")) || errorCodes(error).some((code) => LOST_CODES.test(code))) return true;
  // The driver's own words when a socket ends under a query, or none can be had in time; it gives them no code.
  return /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(error.message);
}

/** All that an error is called by: SQLSTATE, the socket's or Prisma's code. Where an adapter stands between, what is behind it alone. */
export function errorCodes(error: Error): readonly string[] {
  const cause = adapterCause(error);
  if (cause === null) return texts([field(error, "code")]);
  const known = texts([field(cause, "originalCode"), field(cause, "code")]);
  return field(cause, "kind") === TOO_MANY ? [...known, "53300"] : known;
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

/** `meta.driverAdapterError.cause` of a query's error, or the adapter's error itself, which Prisma hands on where it has no code for it. */
function adapterCause(error: Error): object | null {
  const adapterError = field(field(error, "meta"), "driverAdapterError") ?? (error.name === "DriverAdapterError" ? error : null);
  const cause = field(adapterError, "cause");
  return typeof cause === "object" ? cause : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
