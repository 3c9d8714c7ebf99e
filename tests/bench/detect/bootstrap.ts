import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Sample } from "@trainwatch/core";
import { MAD_TO_SIGMA, median, medianAbsoluteDeviation, seededRandom } from "@trainwatch/stats";
import { CORPUS_FOLDER } from "../../corpora/corpus-folder.ts";
import { expectedRows } from "../../corpora/expected-rows.ts";
import { readAttempts } from "../../corpora/read-attempts.ts";
import { setOf } from "./corpus-verdicts.ts";
import { RUN_POINTS, alarmsIn, nullLine } from "./nulls.ts";
import type { NullLine } from "./nulls.ts";

/** Points that stay together: longer than an outlier and its tail, shorter than a baseline. */
const BLOCK = 64;
const RUNS_A_LOG = 15;
const LEAST_POINTS = 1_000;
const LEVEL = 2.5;
const SIGMA = 0.02;

/**
 * Real noise about a flat level: standardised log residuals of healthy calibration logs, drawn in blocks (Kuensch 1989). It keeps their tails, outliers and short memory and
 * forgets their trend.
 */
export function bootstrapNulls(): readonly NullLine[] {
  const healthy = new Set(
    expectedRows()
      .filter((row) => row.class === "none" || row.class === "outlier")
      .map((row) => row.file),
  );
  return readdirSync(join(CORPUS_FOLDER, "loss_curves"))
    .map((name) => `loss_curves/${name}`)
    .filter((file) => setOf(file) === "calibration" && healthy.has(file))
    .flatMap((file) => {
      const losses = [...readAttempts(file).attempts.values()].flat().filter((sample) => sample.metric === "loss" && sample.value > 0);
      return losses.length < LEAST_POINTS ? [] : [bootstrap(file, residualsOf(losses))];
    });
}

function bootstrap(file: string, residuals: readonly number[]): NullLine {
  let alarms = 0;
  for (let run = 0; run < RUNS_A_LOG; run++) {
    const random = seededRandom(40_000 + run);
    const samples: Sample[] = [];
    while (samples.length < RUN_POINTS) {
      const from = Math.floor(random() * (residuals.length - BLOCK));
      for (const residual of residuals.slice(from, from + BLOCK))
        samples.push({ metric: "loss", step: samples.length, timeMs: null, value: LEVEL * Math.exp(residual) });
    }
    alarms += alarmsIn(samples);
  }
  return nullLine(`blocks of ${file.split("/").at(-1) ?? file}`, RUNS_A_LOG * RUN_POINTS, alarms, false);
}

/** Log loss minus the median of the 129 points around it, in units of their MAD, since noise shrinks over a run; the steep first tenth is left out. */
function residualsOf(losses: readonly Sample[]): number[] {
  const logs = losses.slice(Math.floor(losses.length / 10)).map((sample) => Math.log(sample.value));
  return logs.map((value, index) => {
    const around = logs.slice(Math.max(0, index - BLOCK), index + BLOCK + 1);
    const level = median(around);
    return (SIGMA * (value - level)) / (MAD_TO_SIGMA * medianAbsoluteDeviation(around, level));
  });
}
