import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CORPUS_FOLDER } from "./corpus-folder.ts";

export const ROW_CLASSES = ["none", "outlier", "blow-up", "shift", "slow", "reset", "two-writers"] as const;
export type RowClass = (typeof ROW_CLASSES)[number];

/** One line of `expected_findings.csv`: what a human says is in a log. */
export interface ExpectedRow {
  readonly file: string;
  readonly metric: string;
  readonly step: number | null;
  readonly class: RowClass;
  readonly note: string;
}

export function expectedRows(): readonly ExpectedRow[] {
  const [, ...lines] = readFileSync(join(CORPUS_FOLDER, "expected_findings.csv"), "utf8").trimEnd().split(/\r?\n/);
  return lines.map((line) => {
    const [file = "", metric = "", step = "", kind = "", ...note] = line.split(",");
    if (!isRowClass(kind)) throw new Error(`unknown class '${kind}' in: ${line}`);
    return { file, metric, step: step === "" ? null : Number(step), class: kind, note: note.join(",").replaceAll('"', "") };
  });
}

/** Thresholds are chosen on the files whose name's SHA-256 is even and judged on the others. */
export function isCalibrationFile(file: string): boolean {
  const digest = createHash("sha256").update(basename(file)).digest();
  return (digest.at(-1) ?? 0) % 2 === 0;
}

function isRowClass(text: string): text is RowClass {
  return ROW_CLASSES.some((name) => name === text);
}
