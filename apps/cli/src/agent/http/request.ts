import { Agent as HttpAgent, request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { createGunzip } from "node:zlib";
import { AppError } from "@trainwatch/core";

export interface HttpRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** From the first byte sent to the last byte received. */
  readonly timeoutMs: number;
  /** Of the answer, after decompression. */
  readonly maxBytes: number;
  readonly stop: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/**
 * One request over connections that are kept. `fetch` does the same for 10 MB of memory more, which is an eighth of what an agent may use.
 * @throws AppError `unavailable` (nobody answers, or not in time) or `too-large`
 */
export class HttpClient {
  private readonly http = new HttpAgent({ keepAlive: true, maxSockets: 4 });
  private readonly https = new HttpsAgent({ keepAlive: true, maxSockets: 4 });

  async send(wanted: HttpRequest): Promise<HttpAnswer> {
    const limit = AbortSignal.timeout(wanted.timeoutMs);
    const signal = AbortSignal.any([limit, wanted.stop]);
    try {
      const response = await this.openAgain(wanted, signal);
      return { status: response.statusCode ?? 0, headers: plainHeaders(response), body: await bodyOf(response, wanted) };
    } catch (error) {
      if (error instanceof AppError) throw error;
      const why = limit.aborted ? `no answer within ${wanted.timeoutMs / 1000} s` : wordsOf(error);
      throw new AppError("unavailable", `${hostOf(wanted.url)}: ${why}`, { cause: error });
    }
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }

  /** A connection that was kept may be closed by the other side just as it is used again: that says nothing about the other side. */
  private async openAgain(wanted: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const first = await this.open(wanted, signal);
    return first === "stale" ? this.needed(await this.open(wanted, signal), wanted) : first;
  }

  private needed(answer: IncomingMessage | "stale", { url }: HttpRequest): IncomingMessage {
    if (answer === "stale") throw new AppError("unavailable", `${hostOf(url)}: the connection was closed`);
    return answer;
  }

  private open({ url, method, headers, body }: HttpRequest, signal: AbortSignal): Promise<IncomingMessage | "stale"> {
    const isPlain = new URL(url).protocol === "http:";
    return new Promise((resolve, reject) => {
      const options = {
        method,
        signal,
        headers: { ...headers, ...(body === undefined ? {} : { "content-length": String(body.length) }) },
      };
      const request = isPlain
        ? requestHttp(url, { ...options, agent: this.http }, resolve)
        : requestHttps(url, { ...options, agent: this.https }, resolve);
      request.on("error", (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")) resolve("stale");
        else reject(error);
      });
      request.end(body);
    });
  }
}

async function bodyOf(response: IncomingMessage, { url, maxBytes }: HttpRequest): Promise<Buffer> {
  const isPacked = response.headers["content-encoding"] === "gzip";
  const stream = isPacked ? response.compose<NodeJS.ReadWriteStream>(createGunzip()) : response;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) {
      response.destroy();
      throw new AppError("too-large", `${hostOf(url)}: the answer is longer than ${maxBytes} bytes`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function plainHeaders({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]));
}

/** Without user, path and query: they may hold a secret, and what is said of an address goes into logs and events. */
export function hostOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A name with several addresses fails with all of their errors at once and no message.
  if (error instanceof AggregateError && error.message === "") return wordsOf(error.errors[0]);
  return error.message;
}
