import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** All that has come in, oldest first. */
  readonly received: Received[];
  /** What the next requests are answered with, in turn; 200 when there is nothing left. */
  readonly answers: { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }[];
  /** Called with each request before it is answered. */
  onRequest: () => Promise<void> | void;
}

/** A webhook's other end: a real HTTP server on a free port. Test material only. */
export async function createReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver["answers"] = [];
  const receiver = { onRequest: (): Promise<void> | void => undefined };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      void Promise.resolve(receiver.onRequest()).then(() => {
        const { status, body = "", headers = {} } = answers.shift() ?? { status: 200 };
        response.writeHead(status, headers).end(body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
