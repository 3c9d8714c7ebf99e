/** What the harness says in the names of the files that it writes together. */
export interface LmEvalFileName {
  readonly folder: string;
  /** What stands before in names that were copied together into one folder: "org__name_". */
  readonly prefix: string;
  readonly kind: "results" | "samples";
  /** Of sample files. */
  readonly task: string | null;
  /** "2031-01-02T03-04-05.678901"; null in names that carry none. */
  readonly stamp: string | null;
}

const STAMP = "(\\d{4}-\\d{2}-\\d{2}T\\d{2}[-:]\\d{2}[-:]\\d{2}(?:\\.\\d+)?)";
const SAMPLES = new RegExp(`^(.*?_)??samples_(.+?)(?:_${STAMP})?\\.jsonl$`, "s");
const RESULTS = new RegExp(`^(.*?_)??results(?:_${STAMP})?\\.json$`, "s");

/** Reads "samples_gsm8k_2031-01-02T03-04-05.678901.jsonl" and "results_2031-….json", also with the model before; null: another name. */
export function lmEvalFileName(path: string): LmEvalFileName | null {
  const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const folder = path.slice(0, Math.max(cut, 0));
  const name = path.slice(cut + 1);
  const samples = SAMPLES.exec(name);
  if (samples !== null) {
    const [, prefix = "", task = null, stamp = null] = samples;
    return { folder, prefix, kind: "samples", task, stamp };
  }
  const results = RESULTS.exec(name);
  if (results === null) return null;
  const [, prefix = "", stamp = null] = results;
  return { folder, prefix, kind: "results", task: null, stamp };
}
