import type { EvalSink } from "../format.ts";
import { fieldOf, listOf, numberOf, objectOf, textOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { LogFacts } from "./facts.ts";

/** One score of a log: the number of a scorer, or one key of a scorer that gives several. */
export interface LogScore {
  readonly name: string;
  readonly scorer: string;
  /** Filter of its rows: the score's name, with how epochs were reduced where that is not the mean. */
  readonly filter: string;
  /** Metrics that are the mean over samples: what a sample's own value stands for. */
  readonly means: readonly string[];
  /** Metadata key by which samples belong together, where the standard error is clustered. */
  readonly cluster: string | null;
  /** Only where epochs are averaged do single epochs mean the same as the whole. */
  readonly ofEpochs: boolean;
}

const MEANS = new Set(["accuracy", "mean"]);
const STDERR = /^stderr\d*$/;

/** Measures of a log's results. The metric "stderr" is the standard error of the mean beside it, not a score. */
export function readResults(log: JsonObject, facts: LogFacts, sink: EvalSink): readonly LogScore[] {
  const results = objectOf(fieldOf(log, "results"));
  const completed = numberOf(fieldOf(results, "completed_samples"));
  // Version 1 of the log held one scorer's name and metrics at the top.
  const listed = listOf(fieldOf(results, "scores")) ?? (fieldOf(results, "metrics") === undefined ? [] : [results]);
  return listed.flatMap((value) => {
    const score = objectOf(value);
    const described = score === null ? null : describe(score);
    if (score === null || described === null) {
      sink.issue({ line: 1, code: "bad-row", message: "A score of the results has no name; it was left out." });
      return [];
    }
    const scored = countOf(fieldOf(score, "scored_samples")) ?? countOf(completed);
    const unscored = countOf(fieldOf(score, "unscored_samples")) ?? 0;
    if (unscored > 0)
      sink.issue({
        line: 1,
        code: "not-scored",
        message: `${unscored} samples are not scored by ${described.name}; the results are over the other ${scored ?? "ones"}.`,
      });
    measures(score, { described, n: scored, facts }, sink);
    return [described];
  });
}

function countOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function describe(score: JsonObject): LogScore | null {
  const scorer = textOf(fieldOf(score, "scorer")) ?? textOf(fieldOf(score, "name")) ?? "";
  const name = textOf(fieldOf(score, "name")) ?? scorer;
  if (name.trim() === "") return null;
  const reducer = textOf(fieldOf(score, "reducer"));
  const isMean = reducer === null || reducer === "mean";
  const metrics = metricsOf(score);
  const stderr = metrics.find((metric) => STDERR.test(metric.kind));
  return {
    name,
    scorer,
    filter: (isMean ? name : `${name}/${reducer}`).slice(0, 128),
    means: metrics.filter((metric) => MEANS.has(metric.kind)).map((metric) => metric.name),
    cluster: textOf(fieldOf(stderr?.params ?? null, "cluster")),
    ofEpochs: isMean,
  };
}

interface Metric {
  /** Key in the results: "accuracy", "accuracy1" for the second. */
  readonly name: string;
  /** The metric's own name, without its package. */
  readonly kind: string;
  readonly value: JsonValue | undefined;
  readonly params: JsonObject | null;
}

function metricsOf(score: JsonObject): readonly Metric[] {
  return Object.entries(objectOf(fieldOf(score, "metrics")) ?? {}).map(([key, value]) => {
    const metric = objectOf(value ?? null);
    const own = textOf(fieldOf(metric, "name"))?.replace(/^.*\//, "");
    return {
      name: key.replace(/^inspect_ai\//, "").slice(0, 128),
      kind: own ?? key.replace(/^.*\//, ""),
      value: metric === null ? value : fieldOf(metric, "value"),
      params: objectOf(fieldOf(metric, "params")) ?? objectOf(fieldOf(metric, "options")),
    };
  });
}

interface Place {
  readonly described: LogScore;
  readonly n: number | null;
  readonly facts: LogFacts;
}

function measures(score: JsonObject, { described, n, facts }: Place, sink: EvalSink): void {
  const metrics = metricsOf(score);
  const stderr = numberOf(metrics.find((metric) => STDERR.test(metric.kind))?.value);
  for (const { name, kind, value } of metrics) {
    if (STDERR.test(kind) || name.trim() === "") continue;
    const number = typeof value === "number" ? value : null;
    if (number === null && value !== null && value !== undefined) {
      sink.issue({
        line: 1,
        code: "unreadable-value",
        message: `The metric "${name.slice(0, 60)}" of ${described.name.slice(0, 60)} is no number; it was left out.`,
      });
      continue;
    }
    sink.record({
      kind: "measure",
      subject: facts.subject,
      task: facts.task,
      metric: name,
      filter: described.filter,
      value: number,
      stderr: MEANS.has(kind) ? stderr : null,
      n,
      unit: kind === "accuracy" ? "share" : null,
      settings: { ...facts.settings, scorer: described.scorer.slice(0, 512) },
      evaluatedAtMs: facts.evaluatedAtMs,
    });
  }
}
