import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeFrame } from "@trainwatch/core";
import type { FleetEventsPush, FrameAnswer, FrameDictionary, PushInput } from "@trainwatch/core";

/** What a test server does with a request instead of taking it. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** Readings that were taken, in order: `<metric> <time> <value>`. */
  readonly readings: string[];
  readonly events: FleetEventsPush[];
  readonly pushes: PushInput[];
  /** All requests, refused ones too. */
  readonly requests: { readonly verb: string; readonly authorization: string | undefined; readonly body: Buffer }[];
  /** Looks at each request first; null takes it. */
  refuse: (verb: string, body: Buffer) => Refusal | null;
  /** Forgets the series it was told. */
  forget(): void;
}

/** The ingest side of a server, in memory: takes frames, events and pushes as the real one does. */
export async function createTestServer(): Promise<TestServer> {
  const known = new Map<string, FrameDictionary>();
  const state: Omit<TestServer, "url" | typeof Symbol.asyncDispose> = {
    readings: [],
    events: [],
    pushes: [],
    requests: [],
    refuse: () => null,
    forget: () => known.clear(),
  };
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    const verb = request.url?.replace("/trpc/", "") ?? "";
    state.requests.push({ verb, authorization: request.headers.authorization, body });
    const refusal = state.refuse(verb, body);
    if (refusal !== null) {
      response.writeHead(refusal.status, refusal.headers).end(JSON.stringify({ error: { message: refusal.message ?? "no" } }));
      return;
    }
    response.end(JSON.stringify({ result: { data: take(verb, body) } }));
  };
  const take = (verb: string, body: Buffer): unknown => {
    if (verb === "ingest.frame") return takeFrame(body, known, state.readings);
    if (verb === "ingest.events") state.events.push(JSON.parse(body.toString()));
    else state.pushes.push(JSON.parse(body.toString()));
    return {};
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function takeFrame(body: Buffer, known: Map<string, FrameDictionary>, readings: string[]): FrameAnswer {
  const { header, rows, unknown } = decodeFrame(body, (dictionary) => {
    if (dictionary.series !== undefined) known.set(dictionary.digest, dictionary);
    return known.get(dictionary.digest)?.series?.length ?? null;
  });
  const before = readings.length;
  for (const { dictionary, timeMs, presence, values } of rows) {
    const series = known.get(header.dictionaries[dictionary]?.digest ?? "")?.series ?? [];
    const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
    let at = 0;
    for (const [index, [metric]] of series.entries()) {
      if (presence !== null && ((presence[index >> 3] ?? 0) & (1 << (index & 7))) === 0) continue;
      readings.push(`${metric} ${timeMs} ${view.getFloat64(at, true)}`);
      at += 8;
    }
  }
  return { accepted: readings.length - before, repeated: 0, refused: [], refusedTotal: 0, unknown };
}
