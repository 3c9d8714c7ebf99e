import { isTRPCClientError } from "@trpc/client";

/** Why a request gave no answer, as a page needs to tell it apart. */
export type FailureKind = "signed-out" | "forbidden" | "not-found" | "conflict" | "refused" | "unreachable" | "unavailable" | "server";

export interface Failure {
  readonly kind: FailureKind;
  /** A sentence for the reader: what failed and what to do. */
  readonly message: string;
  /** What to quote to whoever keeps the server; null where the server was never reached. */
  readonly id: string | null;
}

const KIND_BY_CODE: Readonly<Record<string, FailureKind>> = {
  UNAUTHORIZED: "signed-out",
  FORBIDDEN: "forbidden",
  NOT_FOUND: "not-found",
  CONFLICT: "conflict",
  BAD_REQUEST: "refused",
  PRECONDITION_FAILED: "refused",
  PAYLOAD_TOO_LARGE: "refused",
  UNPROCESSABLE_CONTENT: "refused",
  TOO_MANY_REQUESTS: "refused",
  SERVICE_UNAVAILABLE: "unavailable",
};

function field(data: unknown, name: string): string | null {
  if (typeof data !== "object" || data === null || !(name in data)) return null;
  const value: unknown = Reflect.get(data, name);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Translates whatever a query threw, once, at this edge. Nothing is told apart by message text. */
export function failureOf(error: unknown): Failure {
  if (!isTRPCClientError(error)) {
    return {
      kind: "server",
      message: "The page could not read the server's answer. Reload; if it stays, the server is newer than this page.",
      id: null,
    };
  }
  const data: unknown = error.data;
  const code = field(data, "code");
  // Without a code no tRPC server answered: the network, a proxy or a time-out did.
  if (code === null) return { kind: "unreachable", message: "The server did not answer. Trying again.", id: null };
  return { kind: KIND_BY_CODE[code] ?? "server", message: error.message, id: field(data, "id") };
}

/** Worth asking again without a person: the server was away, not against it. */
export function isTransient(failure: Failure): boolean {
  return failure.kind === "unreachable" || failure.kind === "unavailable";
}
