export interface MetricKey {
  /** Without the mark of a standard error. */
  readonly metric: string;
  /** Null: none, as 0.4 writes "none" and as the versions before had none. */
  readonly filter: string | null;
  readonly isStderr: boolean;
}

/** Fields of a task's results that are no metric. */
const NO_METRICS: ReadonlySet<string> = new Set([
  "alias",
  "name",
  "sample_len",
  "sample_count",
  "samples",
  "task_name",
  "prompt_name",
  "prompt_id",
  "fixed_answer_choice_list",
  "dataset_path",
  "dataset_name",
  "subset",
]);

const STDERR = "_stderr";
/** Stands where answers were generated and not scored (--predict_only), with the value 999. */
export const BYPASS = "bypass";

/**
 * A key of a task's results: "acc,none", "acc_stderr,none", "exact_match,strict-match" (0.4), "acc", "acc_stderr" (0.3). A standard error
 * is never a metric of its own. Null: no metric.
 */
export function readMetricKey(key: string): MetricKey | null {
  const comma = key.indexOf(",");
  const name = (comma < 0 ? key : key.slice(0, comma)).trim();
  if (name === "" || name === BYPASS || name === `${BYPASS}${STDERR}` || (comma < 0 && NO_METRICS.has(name))) return null;
  const filter = comma < 0 ? null : filterName(key.slice(comma + 1));
  const isStderr = name.endsWith(STDERR) && name.length > STDERR.length;
  return { metric: isStderr ? name.slice(0, -STDERR.length) : name, filter, isStderr };
}

/** "none" is the harness's word for no filter. */
export function filterName(text: string | null): string | null {
  return text === null || text === "none" || text === "" ? null : text;
}
