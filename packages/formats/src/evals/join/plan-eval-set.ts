import type { EvalRecordInput } from "@trainwatch/core";
import type { EvalCompanion } from "../format.ts";
import { type LmEvalFileName, lmEvalFileName } from "../lm-eval/sample-file.ts";

/** A file of a set, with the format that was recognised. */
export interface EvalSetFile {
  readonly path: string;
  readonly format: { readonly id: string };
}

export interface EvalPlan<File> {
  /** The files in the order to read them in: a companion before those that need it, else as given. */
  readonly order: readonly File[];
  /** By path of a sample file: the path of the results file that was written with it. */
  readonly companionPath: ReadonlyMap<string, string>;
}

/**
 * Pairs sample files, which name no model, with the results file that was written with them: lm-evaluation-harness puts both into one folder under one time
 * stamp. Without an exact match, or with two, there is no companion. Read `order`; give what {@link companionOf} makes of the records of a companion as `options.companion`.
 */
export function planEvalSet<File extends EvalSetFile>(files: readonly File[]): EvalPlan<File> {
  const results = files.filter(({ format }) => format.id === "lm-eval").map(({ path }) => ({ path, name: lmEvalFileName(path) }));
  const companionPath = new Map<string, string>();
  for (const { path, format } of files) {
    const name = format.id === "lm-eval-samples" ? lmEvalFileName(path) : null;
    if (name?.kind !== "samples") continue;
    const [only, second] = results.filter((candidate) => candidate.name !== null && wroteTogether(name, candidate.name));
    if (only !== undefined && second === undefined) companionPath.set(path, only.path);
  }
  return {
    order: [...files.filter(({ path }) => !companionPath.has(path)), ...files.filter(({ path }) => companionPath.has(path))],
    companionPath,
  };
}

function wroteTogether(samples: LmEvalFileName, results: LmEvalFileName): boolean {
  return (
    results.kind === "results" &&
    results.folder === samples.folder &&
    results.prefix === samples.prefix &&
    results.stamp !== null &&
    results.stamp === samples.stamp
  );
}

/** What a results file says of the sample files written with it; null when it gave no measure. Keep nothing else of its records for it. */
export function companionOf(records: Iterable<EvalRecordInput>): EvalCompanion | null {
  let companion: (EvalCompanion & { readonly tasks: Set<string> }) | null = null;
  for (const record of records) {
    if (record.kind !== "measure") continue;
    companion ??= { subject: record.subject, evaluatedAtMs: record.evaluatedAtMs ?? null, tasks: new Set() };
    companion.tasks.add(record.task);
  }
  return companion;
}
