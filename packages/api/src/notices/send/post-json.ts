import { lookup, type LookupAddress } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { forbiddenHost, isForbiddenAddress } from "./forbidden-host.ts";

export interface PostResult {
  readonly ok: boolean;
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** What it met, in words for the delivery log; of an answer its first characters. */
  readonly message: string;
  /** Trying again may help: no answer, 408, 429 or 5xx. */
  readonly isTemporary: boolean;
}

const TIMEOUT_MS = 10_000;
/** Of an answer as much is kept as helps to see what is wrong, and no more: it may be anything. */
const MOST_KEPT = 200;

/**
 * One POST, told as a value whatever comes of it. A redirect is not followed: it would take the message to whom nobody has named. The address that the name leads to is looked at too, so that a
 * name cannot be pointed at a metadata service later.
 */
export function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs = TIMEOUT_MS,
): Promise<PostResult> {
  const target = new URL(url);
  const fault = forbiddenHost(target.hostname);
  if (fault !== null) return Promise.resolve({ ok: false, status: null, message: `Not sent: ${fault}`, isTemporary: false });
  const request = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const outgoing = request(target, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(body)),
        "User-Agent": "Trainwatch",
        ...headers,
      },
      lookup: guardedLookup,
      // A connection of its own: a receiver that restarts must not cost a try on one that was left open.
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    let answer: { readonly status: number; text: string } | null = null;
    // Once the status has come it is an answer, also where what follows breaks off or takes too long.
    const settle = (fault: PostResult): void => resolve(answer === null ? fault : resultOf(answer.status, answer.text));
    outgoing.on("response", (response) => {
      const begun = { status: response.statusCode ?? 0, text: "" };
      answer = begun;
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        begun.text += part;
        if (begun.text.length >= MOST_KEPT) response.destroy();
      });
      response.on("close", () => settle(CUT));
      // Told by `close` as well.
      response.on("error", () => undefined);
    });
    outgoing.on("error", (error) =>
      settle({ ok: false, status: null, message: faultWords(error, timeoutMs), isTemporary: !(error instanceof ForbiddenAddress) }),
    );
    outgoing.end(body);
  });
}

const CUT: PostResult = { ok: false, status: null, message: "The connection was cut before an answer came", isTemporary: true };

function resultOf(status: number, text: string): PostResult {
  const said = text.replaceAll(/\s+/g, " ").replaceAll("\0", "").trim().slice(0, MOST_KEPT);
  if (status >= 200 && status < 300) return { ok: true, status, message: said === "" ? "taken" : said, isTemporary: false };
  const isRedirect = status >= 300 && status < 400;
  const message = isRedirect
    ? "It answers with a redirect, which is not followed: give the address it leads to"
    : said === ""
      ? "refused without a word"
      : said;
  return { ok: false, status, message, isTemporary: status === 408 || status === 429 || status >= 500 };
}

class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, address: string | LookupAddress[], family) => {
    if (error !== null) return callback(error, address, family);
    const found = typeof address === "string" ? [address] : address.map((each) => each.address);
    if (found.some(isForbiddenAddress))
      return callback(new ForbiddenAddress(`${hostname} leads to an address at which clouds keep their metadata service`), address, family);
    callback(null, address, family);
  });
};

/** By code and never by message, in words that say what to look at. */
function faultWords(error: Error, timeoutMs: number): string {
  if (error instanceof ForbiddenAddress) return `Not sent: ${error.message}`;
  if (error.name === "TimeoutError" || error.name === "AbortError") return `No answer within ${timeoutMs / 1_000} s`;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return FAULTS[code] ?? `The connection failed (${code})`;
}

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nobody listens at this address (connection refused)",
  ENOTFOUND: "The name of the host is not known (DNS)",
  EAI_AGAIN: "The name of the host could not be looked up (DNS does not answer)",
  ECONNRESET: "The connection was cut before an answer came",
  EHOSTUNREACH: "There is no way to the host",
  ENETUNREACH: "There is no way to the host's network",
  CERT_HAS_EXPIRED: "The receiver's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is signed by nobody we know (set NODE_EXTRA_CA_CERTS)",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate is signed by nobody we know (set NODE_EXTRA_CA_CERTS)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate is signed by nobody we know (set NODE_EXTRA_CA_CERTS)",
};
