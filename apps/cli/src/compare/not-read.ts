import type { EvalOutcome } from "../evals/read-eval-file.ts";
import type { SortedInputs } from "../evals/sort-inputs.ts";
import { counted } from "../inspect/incident-lines.ts";
import { listedIssues } from "../inputs/listed-issues.ts";

/** Files of a walked directory that were passed over, and why. */
export type Skipped = readonly { readonly path: string; readonly why: string }[];

export function skippedOf({ others, refused }: SortedInputs): Skipped {
  return [
    ...others.flatMap(({ path, walked, fault, noEval }) => (walked && fault === null ? [{ path, why: noEval.message }] : [])),
    ...refused.flatMap(({ path, walked, fault }) => (walked ? [{ path, why: fault.message }] : [])),
  ];
}

/** What of the inputs stands in no row: places that were not read, what was told twice, and files that were passed over. */
export function notReadLines(files: readonly EvalOutcome[], notes: readonly string[], skipped: Skipped): readonly string[] {
  const places = files.flatMap(({ path, issues, fault, measures, samples, pairs, checkpoints }) =>
    // A file that gives nothing has its reason on standard error.
    issues.total === 0 || (fault !== null && measures + samples + pairs + checkpoints === 0)
      ? []
      : [`${path}: ${counted(issues.total, "issue")}`, ...listedIssues(issues.listed, issues.total, issues.total > issues.listed.length)],
  );
  const passed =
    skipped.length === 0
      ? []
      : [
          `${counted(skipped.length, "file")} in the directory ${skipped.length === 1 ? "is" : "are"} no evaluation and passed over; --json lists them.`,
        ];
  return [...places, ...notes, ...passed];
}
