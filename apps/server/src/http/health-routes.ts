import { AppError } from "@trainwatch/core";
import type { FastifyInstance } from "fastify";
import { createSharedProbe } from "./shared-probe.ts";
import type { Services } from "./services.ts";

/** A scrape or a probe must not hang with the database. */
const WAIT_MS = 2_000;
const GIVE_UP_MS = 30_000;

/** `/healthz`: the process answers. `/readyz`: the database does too. `/metrics`: for Prometheus. None of them asks for a token or tells of runs. */
export function registerHealthRoutes(app: FastifyInstance, { store, metrics, now, server }: Services): void {
  const limits = { waitMs: WAIT_MS, giveUpMs: GIVE_UP_MS, now };
  const databaseVersion = createSharedProbe(() => store.records.status.databaseVersion(), limits);
  const status = createSharedProbe(() => store.records.status.read(now()), limits);
  const quiet = { config: { rateLimit: false }, logLevel: "warn" } as const;

  app.get("/healthz", quiet, () => ({ status: "ok", version: server.version }));

  app.get("/readyz", quiet, async () => {
    const version = await databaseVersion();
    if (version === null) throw new AppError("unavailable", "The database does not answer. `trainwatch doctor` looks into it.");
    return { status: "ready", version: server.version, database: version };
  });

  app.get("/metrics", quiet, async (_request, reply) => {
    metrics.setFacts(await status());
    void reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
