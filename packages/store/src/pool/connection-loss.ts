/** SQLSTATE classes 08 (connection), 57P0x (shutting down), 53 (out of resources), errors of the socket itself, and what Prisma makes of them (P1…, P2024). */
const LOST_CODES = /^(?:08|57P0|53|P1\d{3}$|P2024$|ECONN|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT)/;
/** What Prisma's adapter calls it where a raw query fails; the error itself then says P2010 whatever the cause. */
const LOST_KINDS: ReadonlySet<unknown> = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);

/** Whether an error of the driver or of Prisma says that the database is away, rather than that the question was wrong. */
export function isConnectionLoss(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const cause = adapterCause(error);
  if (cause !== null)
    return LOST_KINDS.has(field(cause, "kind")) || isLostCode(field(cause, "originalCode")) || isLostCode(field(cause, "code"));
  const code = field(error, "code");
  if (typeof code === "string") return isLostCode(code);
  // The driver's own words when a socket ends under a query; it gives them no code.
  return error.message.startsWith("Connection terminated") || error.message.startsWith("Client has encountered a connection error");
}

function isLostCode(code: unknown): boolean {
  return typeof code === "string" && LOST_CODES.test(code);
}

/** `meta.driverAdapterError.cause` of a raw query's error. */
function adapterCause(error: Error): object | null {
  const cause = field(field(field(error, "meta"), "driverAdapterError"), "cause");
  return typeof cause === "object" ? cause : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
