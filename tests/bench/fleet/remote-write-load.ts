import { Agent, request } from "node:http";

const HEADERS = {
  "content-type": "application/x-protobuf",
  "content-encoding": "snappy",
  "x-prometheus-remote-write-version": "0.1.0",
  "user-agent": "trainwatch-bench",
} as const;

export interface SentRequests {
  readonly wallMs: number;
  readonly latenciesMs: readonly number[];
}

/** Every sender posts its bodies one after the other, all senders at a time. @throws Error where one is not answered 2xx */
export async function sendRemoteWrite(
  url: string,
  token: string | null,
  senders: readonly (readonly Uint8Array[])[],
): Promise<SentRequests> {
  const agent = new Agent({ keepAlive: true, maxSockets: senders.length });
  const latenciesMs: number[] = [];
  const started = performance.now();
  await Promise.all(
    senders.map(async (bodies) => {
      for (const body of bodies) {
        const from = performance.now();
        await post(`${url}/api/v1/write`, agent, token, body);
        latenciesMs.push(performance.now() - from);
      }
    }),
  );
  const wallMs = performance.now() - started;
  agent.destroy();
  return { wallMs, latenciesMs };
}

function post(url: string, agent: Agent, token: string | null, body: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...HEADERS, "content-length": body.length, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let said = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => (said += text));
      response.on("end", () => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve();
        else reject(new Error(`${url} answered ${status}: ${said.slice(0, 500)}`));
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
