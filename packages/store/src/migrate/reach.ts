import { AppError } from "@trainwatch/core";
import pg from "pg";

const CONNECT_LIMIT_MS = 10_000;

/**
 * Connects once in our own words before the schema engine does: it knows no errors of a socket's file (a folder that is wrong, a number
 * that is not the server's) and says "External error" for them.
 * @throws AppError `unavailable` naming the address, never the password
 */
export async function assertAnswers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (cause) {
    const said = cause instanceof Error && cause.message !== "" ? cause.message : codeOf(cause);
    throw new AppError("unavailable", `The database at ${address(client)} cannot be used: ${said}.${hint(client, codeOf(cause))}`, {
      cause,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isSocket({ host }: pg.Client): boolean {
  return host.startsWith("/");
}

function address(client: pg.Client): string {
  return isSocket(client) ? socketFile(client) : `${client.host}:${client.port}`;
}

/** PostgreSQL names the file after its port, also where it listens on no port. */
function socketFile({ host, port }: pg.Client): string {
  return `${host}/.s.PGSQL.${port}`;
}

function hint(client: pg.Client, code: string): string {
  if (!isSocket(client)) return code === "ECONNREFUSED" ? " Check that it runs there, and host and port of DATABASE_URL." : "";
  if (code === "ENOENT")
    return " There is no such socket: check that the server runs, the folder after `?host=`, and the port, which is part of the file's name.";
  if (code === "EACCES") return " This user may not open that socket: run as the user that may, or let the server listen on a port.";
  return code === "ECONNREFUSED" ? " Nobody listens at that socket any more: start the server." : "";
}

/** A name with several addresses fails with all of their errors in one. */
function codeOf(error: unknown): string {
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return one instanceof Error && "code" in one && typeof one.code === "string" ? one.code : "it does not answer";
}
