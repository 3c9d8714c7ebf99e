import type { Sparkline } from "@trainwatch/core";
import type pg from "pg";
import { readWindow } from "./window.ts";

const VALUES = 64;

/**
 * The effective view of a metric in 64 equal stretches of steps: the mean of each, null where nothing finite lies. Of several writers the
 * first. Empty for a run without the metric. Expects a read transaction.
 */
export async function readSparkline(client: pg.ClientBase, runId: number, metric: string): Promise<Sparkline> {
  const window = await readWindow(client, { runId, metrics: [metric], attempts: "effective", axis: "step", from: null, to: null, buckets: VALUES });
  const first = window.lines[0];
  const { fromStep, toStep } = window;
  if (first === undefined || fromStep === null || toStep === null) return { values: [] };
  const key = JSON.stringify(first.labels);
  const span = Math.max(1, toStep - fromStep + 1);
  const sums = new Float64Array(VALUES);
  const weights = new Float64Array(VALUES);
  for (const line of window.lines.filter((each) => JSON.stringify(each.labels) === key)) {
    line.mean.forEach((mean, index) => {
      const at = Math.min(VALUES - 1, Math.floor((((line.stepFirst[index] ?? 0) - fromStep) * VALUES) / span));
      const points = line.count[index] ?? 0;
      if (mean === null) return;
      sums[at] = (sums[at] ?? 0) + mean * points;
      weights[at] = (weights[at] ?? 0) + points;
    });
  }
  return { values: Array.from(sums, (sum, index) => ((weights[index] ?? 0) === 0 ? null : sum / (weights[index] ?? 1))) };
}
