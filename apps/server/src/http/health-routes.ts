import { AppError } from "@trainwatch/core";
import type { FastifyInstance } from "fastify";
import type { Services } from "./services.ts";

/** A scrape or a probe must not hang with the database. */
const DATABASE_TIMEOUT_MS = 2_000;

/** `/healthz`: the process answers. `/readyz`: the database does too. `/metrics`: for Prometheus. None of them asks for a token or tells of runs. */
export function registerHealthRoutes(app: FastifyInstance, { store, metrics, now, server }: Services): void {
  const quiet = { config: { rateLimit: false }, logLevel: "warn" } as const;

  app.get("/healthz", quiet, () => ({ status: "ok", version: server.version }));

  app.get("/readyz", quiet, async () => {
    const version = await within(store.records.status.databaseVersion());
    if (version === null) throw new AppError("unavailable", "The database does not answer. `trainwatch doctor` looks into it.");
    return { status: "ready", version: server.version, database: version };
  });

  app.get("/metrics", quiet, async (_request, reply) => {
    metrics.setFacts(await within(store.records.status.read(now())));
    void reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}

/** The answer, or null where it does not come in time. */
async function within<T>(question: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DATABASE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([question.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
