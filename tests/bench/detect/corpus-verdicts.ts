import { readdirSync } from "node:fs";
import { join } from "node:path";
import { alarmsPer10kUpperBound } from "@trainwatch/stats";
import { CORPUS_FOLDER } from "../../corpora/corpus-folder.ts";
import { expectedRows, isCalibrationFile } from "../../corpora/expected-rows.ts";
import { detectAll, isAlarm, judgeRow } from "../../corpora/judge-findings.ts";
import { readAttempts } from "../../corpora/read-attempts.ts";

export type CorpusSet = "calibration" | "judged";
export const setOf = (file: string): CorpusSet => (isCalibrationFile(file) ? "calibration" : "judged");

const DETECTED = new Set(["loss", "grad_norm", "update_norm", "step_time"]);

export interface RowLine {
  readonly set: CorpusSet;
  readonly file: string;
  readonly class: string;
  readonly metric: string;
  readonly step: number | null;
  readonly met: boolean;
  readonly onsetError: number | null;
  readonly text: string;
}

export type FileLine = Readonly<
  Record<"set" | "file" | "class", string> & Record<"attempts" | "points" | "notes" | "warnings" | "criticals", number>
>;

export interface HealthyLine extends Readonly<Record<string, string | number>> {
  readonly set: CorpusSet;
  readonly files: number;
  readonly points: number;
  readonly alarms: number;
  readonly "at most per 10k (95 %)": number;
}

/** Every row of expected_findings.csv, every file of the corpus, and the healthy points by set. */
export function judgeCorpus(): {
  readonly rows: readonly RowLine[];
  readonly files: readonly FileLine[];
  readonly healthy: readonly HealthyLine[];
} {
  const expected = expectedRows();
  const rows: RowLine[] = [];
  const files: FileLine[] = [];
  for (const name of readdirSync(join(CORPUS_FOLDER, "loss_curves"))) {
    const file = `loss_curves/${name}`;
    const log = readAttempts(file);
    const attempts = detectAll(log);
    const own = expected.filter((row) => row.file === file);
    for (const row of own) {
      const { met, text, onsetError } = judgeRow(row, log, attempts);
      rows.push({ set: setOf(file), file: name, class: row.class, metric: row.metric, step: row.step, met, onsetError, text });
    }
    const findings = attempts.flatMap((attempt) => attempt.findings);
    files.push({
      set: setOf(file),
      file: name,
      class: [...new Set(own.map((row) => row.class))].join(" ") || (log.refusal === null ? "unlabelled" : "refused"),
      attempts: attempts.length,
      points: attempts.flatMap(({ samples }) => samples.filter((sample) => DETECTED.has(sample.metric))).length,
      notes: findings.filter((finding) => !isAlarm(finding)).length,
      warnings: findings.filter((finding) => finding.severity === "warning").length,
      criticals: findings.filter((finding) => finding.severity === "critical").length,
    });
  }
  const bySet = <L extends { readonly set: string }>(lines: readonly L[]): L[] => lines.toSorted((a, b) => a.set.localeCompare(b.set));
  return { rows: bySet(rows), files: bySet(files), healthy: (["calibration", "judged"] as const).map((set) => healthyLine(set, files)) };
}

/** Files of class none, and those whose only trouble is one-step outliers: a warning in either is false. */
function healthyLine(set: CorpusSet, files: readonly FileLine[]): HealthyLine {
  const own = files.filter((file) => file.set === set && (file.class === "none" || file.class === "outlier"));
  const points = own.reduce((sum, file) => sum + file.points, 0);
  const alarms = own.reduce((sum, file) => sum + file.warnings + file.criticals, 0);
  return { set, files: own.length, points, alarms, "at most per 10k (95 %)": round(alarmsPer10kUpperBound(alarms, points)) };
}

const round = (value: number): number => Number(value.toPrecision(3));
