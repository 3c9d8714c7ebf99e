import type { LiveMove } from "@trainwatch/core";

/** A tRPC query key: the verb's path, then its input. */
export interface AskedQuery {
  readonly path: string;
  readonly input: unknown;
}

export function askedQuery(queryKey: readonly unknown[]): AskedQuery | null {
  const [path, options] = queryKey;
  if (!Array.isArray(path)) return null;
  const input: unknown = typeof options === "object" && options !== null && "input" in options ? options.input : undefined;
  return { path: path.join("."), input };
}

function numberField(input: unknown, name: string): number | null | undefined {
  if (typeof input !== "object" || input === null || !(name in input)) return undefined;
  const value: unknown = Reflect.get(input, name);
  return typeof value === "number" || value === null ? value : undefined;
}

/** Verbs about one run, with the field that names it; all of them move when the run does. */
const RUN_FIELD: Readonly<Record<string, string>> = {
  "runs.get": "runId",
  "runs.metrics": "runId",
  "findings.list": "runId",
  "checkpoints.list": "runId",
};

/**
 * Whether an answer on the page is out of date after `move`. A window with a fixed end is not: a reader who has zoomed into the
 * past is left in peace. Only the moved run is concerned; lists that show every run are refreshed at their own pace.
 */
export function isMovedBy(query: AskedQuery, move: LiveMove): boolean {
  if (query.path === "series.window")
    return numberField(query.input, "runId") === move.runId && (numberField(query.input, "to") ?? null) === null;
  const runField = RUN_FIELD[query.path];
  return runField !== undefined && numberField(query.input, runField) === move.runId;
}

/** Lists over all runs: refreshed at most once in {@link LIST_REFRESH_MS} however many runs move. */
const LISTS: ReadonlySet<string> = new Set(["overview.get", "runs.list", "checkpoints.registry"]);
export const LIST_REFRESH_MS = 2_000;

export function isListMovedBy(query: AskedQuery): boolean {
  return LISTS.has(query.path);
}

/** Results of evaluations have come: every view that compares or lists them. Made anew it may cost seconds, so that these too have their own pace. */
export function isEvaluationView(query: AskedQuery): boolean {
  return (
    query.path.startsWith("releases.") ||
    query.path.startsWith("scorecards.") ||
    query.path.startsWith("checkpoints.") ||
    query.path === "postTraining.get"
  );
}

/** An incident opened, grew or closed: every view of incidents, and the counts on each page. */
export function isIncidentView(query: AskedQuery): boolean {
  return (
    query.path.startsWith("incidents.") ||
    query.path === "overview.get" ||
    query.path === "status.get" ||
    query.path === "findings.list" ||
    query.path === "checkpoints.passport"
  );
}
