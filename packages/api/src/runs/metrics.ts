import type { MetricKeyPage } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { listMetricsInput } from "./schemas.ts";

/** Metrics of a run by name, a page at a time: a run may have ten thousand (A13). */
export const listRunMetrics = readVerb.input(listMetricsInput).query(async ({ ctx, input }): Promise<MetricKeyPage> => {
  const { records } = ctx.store;
  required(await records.runs.facts(input.runId), "run", input.runId);
  return records.runs.metricKeys(input);
});
