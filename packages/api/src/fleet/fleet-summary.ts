import { FLEET_SIGNALS, STALE_AFTER_MS, type FleetSummary } from "@trainwatch/core";
import type { Store } from "@trainwatch/store";
import type { FleetViews } from "./fleet-views-contract.ts";
import { lastSamples } from "./node-view.ts";

/** The fleet as at a time in one line; null where there is no node. */
export async function summaryOf(store: Pick<Store, "fleet" | "records">, views: FleetViews, atMs: number): Promise<FleetSummary | null> {
  const layout = await views.layout(atMs);
  if (layout.nodes.length === 0) return null;
  const newest = await lastSamples(store, views, layout, atMs);
  const reports = newest.map((timeMs) => timeMs !== null && atMs - timeMs <= STALE_AFTER_MS);
  const coverage = await views.coverage(layout, atMs);
  const blind = FLEET_SIGNALS.map(({ name, title }, place) => ({
    signal: name,
    title,
    nodes: (coverage[place] ?? []).filter((state, node) => reports[node] === true && state !== "seen").length,
  }));
  return {
    nodes: layout.nodes.length,
    nodesReporting: reports.filter(Boolean).length,
    gpus: layout.gpu.id.length,
    blind: blind.filter(({ nodes }) => nodes > 0).sort((a, b) => b.nodes - a.nodes),
  };
}
