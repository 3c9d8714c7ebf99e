import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { AppError } from "@trainwatch/core";
import { EXPORTERS, type ExporterName, type SimulatedFleet } from "@trainwatch/simulate";

export interface ExporterServer {
  /** `http://127.0.0.1:9400` */
  readonly url: string;
  close(): Promise<void>;
}

export interface ExporterServerOptions {
  /** 0: any free one. */
  readonly port: number;
  /** Epoch ms: what is served is what the fleet shows then. */
  readonly now: () => number;
}

const HOST = "127.0.0.1";
const TEXT = "text/plain; version=0.0.4; charset=utf-8";
const PORTS: Readonly<Record<ExporterName, number>> = { dcgm: 9400, node: 9100 };

/**
 * The exporters of a simulated fleet on one port of this machine: `/nodes/0/dcgm/metrics` and `/nodes/0/node/metrics` answer as dcgm-exporter
 * and node_exporter of node 0 would; one that is down does not answer. `/targets` lists them for Prometheus' `http_sd_configs`.
 * @throws AppError `bad-request` where the port is taken
 */
export async function serveExporters(fleet: SimulatedFleet, { port, now }: ExporterServerOptions): Promise<ExporterServer> {
  const server = createServer((request, response) => answer(fleet, now(), request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new AppError("bad-request", `Port ${port} cannot be listened on: ${cause.message}.`, { cause })),
    );
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return {
    url: `http://${HOST}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(fleet: SimulatedFleet, timeMs: number, request: IncomingMessage, response: ServerResponse): void {
  const path = new URL(request.url ?? "/", `http://${HOST}`).pathname;
  if (request.method !== "GET" && request.method !== "HEAD") return say(response, 405, "only GET is answered here\n");
  if (path === "/targets") return say(response, 200, JSON.stringify(targets(fleet, request.headers.host ?? HOST)), "application/json");
  const [, number = "", name = ""] = /^\/nodes\/(\d+)\/([a-z]+)\/metrics$/.exec(path) ?? [];
  const exporter = EXPORTERS.find((each) => each === name);
  const node = fleet.nodes[Number(number)];
  if (exporter === undefined || node === undefined)
    return say(
      response,
      404,
      `there are /targets and /nodes/0 to /nodes/${fleet.nodes.length - 1}, each with ${EXPORTERS.map((each) => `/${each}/metrics`).join(" and ")}\n`,
    );
  const text = node.text(exporter, timeMs);
  // An exporter that is down has no words for it.
  if (text === null) request.socket.destroy();
  else say(response, 200, text, TEXT);
}

function say(response: ServerResponse, status: number, body: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** Targets in the form of `http_sd_configs`: one a node and exporter, told apart by their path, called as on a real cluster. */
function targets(
  fleet: SimulatedFleet,
  host: string,
): readonly { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> }[] {
  return fleet.nodes.flatMap((node) =>
    EXPORTERS.map((exporter) => ({
      targets: [host],
      labels: {
        __metrics_path__: `/nodes/${node.index}/${exporter}/metrics`,
        job: exporter,
        instance: `${node.host}:${PORTS[exporter]}`,
        nodename: node.host,
      },
    })),
  );
}
