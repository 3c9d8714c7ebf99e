import { AppError } from "@trainwatch/core";
import { hostOf } from "../http/request.ts";
import type { HttpAnswer, HttpClient } from "../http/request.ts";
import { messageOf } from "../message-of.ts";

/** What became of one request, by what the agent does next. */
export type Delivery =
  | { readonly kind: "taken"; readonly answer: unknown }
  /** The same request may succeed later: nobody answers, overload, a token that is not yet known. */
  | { readonly kind: "later"; readonly why: string; readonly retryAfterMs: number | null }
  /** The same request will be refused for ever. */
  | { readonly kind: "never"; readonly why: string };

export type Verb = "ingest.frame" | "ingest.events" | "ingest.push";

/** The verbs of a server that an agent calls. */
export interface Server {
  call(verb: Verb, body: Uint8Array, stop: AbortSignal): Promise<Delivery>;
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Refusals of the request itself. The other 4xx speak of the token, the address or the pace, which people mend: those are tried again. */
const NEVER = new Set([400, 409, 413, 415, 422]);

export function createServer(url: string, token: string | null, client: HttpClient, now: () => number): Server {
  const base = url.replace(/\/+$/, "");
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  return {
    async call(verb, body, stop) {
      const type = verb === "ingest.frame" ? "application/octet-stream" : "application/json";
      try {
        const answer = await client.send({
          url: `${base}/trpc/${verb}`,
          method: "POST",
          headers: { ...authorization, "content-type": type },
          body,
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_ANSWER_BYTES,
          stop,
        });
        return deliveryOf(answer, hostOf(base), now);
      } catch (error) {
        if (error instanceof AppError) return { kind: "later", why: error.message, retryAfterMs: null };
        throw error;
      }
    },
  };
}

function deliveryOf(answer: HttpAnswer, base: string, now: () => number): Delivery {
  const content = parse(answer.body);
  if (answer.status === 200) {
    const data = field(field(content, "result"), "data");
    if (data !== undefined) return { kind: "taken", answer: data };
    return { kind: "later", why: `${base}: what answers there is no Trainwatch server; check \`server.url\``, retryAfterMs: null };
  }
  const said = field(field(content, "error"), "message");
  const why = `${base}: ${answer.status}${typeof said === "string" ? ` ${said}` : ""}`;
  if (NEVER.has(answer.status)) return { kind: "never", why };
  return { kind: "later", why, retryAfterMs: retryAfterMs(answer.headers["retry-after"], now) };
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(text: string | undefined, now: () => number): number | null {
  if (text === undefined) return null;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now());
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    return { error: { message: messageOf(error) } };
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
