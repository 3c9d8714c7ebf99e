import type { StatusCounts } from "@trainwatch/store";
import { Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** Our own metrics. One registry a server, so that two in one process (tests) do not count into each other. */
export interface Metrics {
  readonly registry: Registry;
  observeRequest(request: { readonly route: string; readonly method: string; readonly status: number; readonly seconds: number }): void;
  /** What the database says, read at each scrape; null where it does not answer. */
  setFacts(status: StatusCounts | null): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "trainwatch_http_request_seconds",
    help: "Time to answer an HTTP request.",
    labelNames: ["route", "method", "status"] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const databaseUp = new Gauge({ name: "trainwatch_database_up", help: "1 where the database answered this scrape.", registers });
  // A gauge with a label shows nothing until it is set; without one prom-client would show a zero that nobody has measured.
  const facts = new Gauge({
    name: "trainwatch_status",
    help: "Samples a second accepted of late, runs that have not ended, detectors that cannot see, seconds that the oldest push waits for the detectors.",
    labelNames: ["of"] as const,
    registers,
  });
  const incidents = new Gauge({
    name: "trainwatch_incidents_open",
    help: "Incidents that are not resolved.",
    labelNames: ["severity"] as const,
    registers,
  });

  return {
    registry,
    observeRequest: ({ route, method, status, seconds }) => requests.observe({ route, method, status }, seconds),
    setFacts(status) {
      databaseUp.set(status === null ? 0 : 1);
      facts.reset();
      incidents.reset();
      if (status === null) return;
      facts.set({ of: "ingest_samples_per_second" }, status.samplesPerSecond);
      facts.set({ of: "runs_active" }, status.runsActive);
      facts.set({ of: "detectors_blind" }, status.blind.length);
      if (status.detectLagMs !== null) facts.set({ of: "detect_lag_seconds" }, status.detectLagMs / 1_000);
      for (const [severity, count] of Object.entries(status.openIncidents)) incidents.set({ severity }, count);
    },
  };
}
