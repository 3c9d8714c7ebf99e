import type { Sample } from "@trainwatch/core";
import { DETECTORS, monitorOf } from "@trainwatch/detect";
import { RUN_POINTS, SIMULATED_NULLS, seriesOf } from "./nulls.ts";

const RUNS = 10;
/** Detectors that read levels of a noisy series; the others look at words, rates and states. */
const NOISY: Readonly<Record<string, number>> = { loss: 1, grad_norm: 0.4, step_time: 4, tokens_per_second: 1e6, update_norm: 0.1 };

/** Alarms (warnings or worse) of each detector of a run on each null, of 20,000 points a series. Only detectors that read such a series are columns. */
export function detectorNulls(): readonly Readonly<Record<string, string | number>>[] {
  const entries = DETECTORS.filter(({ metrics }) => metrics.some((metric) => metric in NOISY));
  return SIMULATED_NULLS.map((null_) => {
    const alarms = Object.fromEntries(entries.map(({ id }) => [id, 0]));
    for (let run = 0; run < RUNS; run++) {
      const series = seriesOf(null_, 1_000 + run);
      for (const entry of entries) {
        const monitor = monitorOf([entry], { run: "bench/null", attempt: "a1" });
        const said = new Set<string>();
        for (const metric of entry.metrics) {
          const scale = NOISY[metric];
          if (scale === undefined) continue;
          const samples = series.map((value, step): Sample => ({ metric, step, timeMs: step * 4_000, value: scale * value }));
          for (const { id, severity } of monitor.observe(samples)) if (severity !== "info") said.add(id);
        }
        alarms[entry.id] = (alarms[entry.id] ?? 0) + said.size;
      }
    }
    return { null: null_.name, points: RUNS * RUN_POINTS, ...alarms };
  });
}
