import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One kept-alive connection, one request at a time, written as bytes: a client library would cost more than the server that is measured. */
export interface HttpLine {
  post(path: string, type: string, body: Uint8Array): Promise<{ readonly status: number; readonly body: string }>;
  close(): void;
}

const HEAD_END = "\r\n\r\n";

export async function openHttpLine(url: string, token: string): Promise<HttpLine> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  const answers = answersOn(socket);
  return {
    async post(path, type, body) {
      socket.cork();
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}${HEAD_END}`,
      );
      socket.write(body);
      socket.uncork();
      return answers.next();
    },
    close: () => void socket.destroy(),
  };
}

function answersOn(socket: Socket): { next(): Promise<{ readonly status: number; readonly body: string }> } {
  let waiting: { readonly resolve: (answer: { status: number; body: string }) => void; readonly reject: (error: Error) => void } | null =
    null;
  let received = "";
  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = null;
  };
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) return fail(new Error(`an answer without a length: ${received.slice(0, 200)}`));
    if (received.length < headEnd + HEAD_END.length + length) return;
    const body = received.slice(headEnd + HEAD_END.length, headEnd + HEAD_END.length + length);
    const status = Number(received.slice(9, 12));
    received = received.slice(headEnd + HEAD_END.length + length);
    waiting?.resolve({ status, body });
    waiting = null;
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the connection ended")));
  return { next: () => new Promise((resolve, reject) => (waiting = { resolve, reject })) };
}
