import { createServer } from "node:net";
import type { Postmaster } from "./postmaster-file.ts";
import { CLUSTER_USER } from "./cluster.ts";

/** Where the server listens. Never on anything but a private folder or the loopback interface. */
export type Endpoint = { readonly kind: "socket"; readonly folder: string } | { readonly kind: "loopback"; readonly port: number };

/** A socket has no real port; the number only names its file. */
const SOCKET_PORT = 5432;
/** A socket's path must fit 107 bytes, `/.s.PGSQL.5432.lock` included. */
const LONGEST_SOCKET_FOLDER = 107 - "/.s.PGSQL.5432.lock".length;

/** A unix socket in `folder` where the platform and the length of the path allow it, else a free port on 127.0.0.1. */
export async function chooseEndpoint(folder: string, wanted: Endpoint["kind"]): Promise<Endpoint> {
  const socketFits = process.platform !== "win32" && Buffer.byteLength(folder) <= LONGEST_SOCKET_FOLDER;
  return wanted === "socket" && socketFits ? { kind: "socket", folder } : { kind: "loopback", port: await freePort() };
}

export function endpointArguments(endpoint: Endpoint): readonly string[] {
  return endpoint.kind === "socket"
    ? ["-p", String(SOCKET_PORT), "-k", endpoint.folder, "-c", "listen_addresses="]
    : ["-p", String(endpoint.port), "-k", "", "-c", "listen_addresses=127.0.0.1"];
}

/** Where a server that is already running says that it listens. */
export function endpointOf(postmaster: Postmaster): Endpoint {
  return postmaster.socketDir === "" ? { kind: "loopback", port: postmaster.port } : { kind: "socket", folder: postmaster.socketDir };
}

export function endpointUrl(endpoint: Endpoint, password: string, database: string): string {
  const credentials = `${CLUSTER_USER}:${encodeURIComponent(password)}`;
  return endpoint.kind === "socket"
    ? `postgresql://${credentials}@localhost:${SOCKET_PORT}/${database}?host=${encodeURIComponent(endpoint.folder)}`
    : `postgresql://${credentials}@127.0.0.1:${endpoint.port}/${database}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("the free port has no number")),
      );
    });
  });
}
