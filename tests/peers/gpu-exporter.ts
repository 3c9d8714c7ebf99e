import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SimulatedNode } from "@trainwatch/simulate";

export interface GpuExporter extends AsyncDisposable {
  readonly port: number;
}

/** Answers as the dcgm-exporter of a simulated node does at this moment. */
export async function startGpuExporter(node: SimulatedNode): Promise<GpuExporter> {
  const server = createServer((_request, response) => {
    const text = node.text("dcgm", Date.now());
    if (text === null) return void response.writeHead(503).end();
    response.setHeader("content-type", "text/plain; version=0.0.4; charset=utf-8");
    response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
