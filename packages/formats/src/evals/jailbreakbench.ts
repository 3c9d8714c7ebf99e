import type { EvalFormat, EvalSink } from "./format.ts";
import { bodyText, keyOrNull, keyText } from "./record-sink.ts";
import { documentEval } from "./json/document.ts";
import { fieldOf, listOf, numberOf, objectOf, textOf } from "./json/json-fields.ts";
import { type JsonObject, type JsonValue, headValues } from "./json/json-value.ts";
import { placedSink } from "./placed-sink.ts";
import { subjectOf } from "./subject.ts";
import { decodeUtf8 } from "../text/utf8-decoder.ts";
import type { EvalSubjectInput } from "./format.ts";

/**
 * Attack artifacts of JailbreakBench: one behaviour a row and whether the attack got through. The attack's success is counted over the
 * behaviours, because the `attack_success_rate` of the file may be over fewer and may be rounded.
 */
export const jailbreakBench = {
  id: "jailbreakbench",
  title: "JailbreakBench attack artifact",
  source: "attack-artifacts/<method>/<type>/<model>.json of JailbreakBench.",
  sniff(head) {
    const [document] = headValues(decodeUtf8(head), 1);
    const object = objectOf(document);
    return listOf(fieldOf(object, "jailbreaks")) !== null && objectOf(fieldOf(object, "parameters")) !== null ? 0.95 : 0;
  },
  parser: (sink, options) =>
    documentEval(sink, (document) => {
      const parameters = objectOf(fieldOf(objectOf(document), "parameters"));
      const model = textOf(fieldOf(parameters, "model"))?.trim() || options.model?.trim();
      if (!model)
        return sink.issue({ line: 1, code: "no-model", message: "The artifact names no model; name the model. Nothing was read." });
      readArtifact(
        { parameters, subject: subjectOf(model), rows: listOf(fieldOf(objectOf(document), "jailbreaks")) ?? [] },
        placedSink(sink),
      );
    }),
} satisfies EvalFormat;

interface Artifact {
  readonly parameters: JsonObject | null;
  readonly subject: EvalSubjectInput;
  readonly rows: readonly JsonValue[];
}

interface Named {
  readonly task: string;
  readonly subject: EvalSubjectInput;
  readonly settings: Readonly<Record<string, string>>;
  readonly evaluatedAtMs: number | null;
}

function readArtifact({ parameters, subject, rows }: Artifact, sink: EvalSink): void {
  const method = textOf(fieldOf(parameters, "method")) ?? "attack";
  const named: Named = {
    task: `jailbreakbench_${method.toLowerCase().replace(/[^a-z0-9]+/g, "_")}`.slice(0, 512),
    subject,
    settings: settingsOf(parameters),
    evaluatedAtMs: dayOf(textOf(fieldOf(parameters, "evaluation_date"))),
  };
  let succeeded = 0;
  let judged = 0;
  const keys = new Set<string>();
  const spent: { readonly queries: number[]; readonly tokens: number[] } = { queries: [], tokens: [] };
  for (const [at, value] of rows.entries()) {
    const row = objectOf(value);
    const key = String(fieldOf(row, "index") ?? "");
    if (row === null || key === "" || keys.has(key)) {
      sink.issue({ line: 1, code: "no-key", message: `Behaviour ${at + 1} of the list has no index of its own; it was left out.` });
      continue;
    }
    keys.add(key);
    const jailbroken = fieldOf(row, "jailbroken");
    if (typeof jailbroken === "boolean") {
      judged++;
      succeeded += Number(jailbroken);
    } else sink.issue({ line: 1, code: "not-judged", message: `Behaviour ${key} is not judged; it counts in nothing.` });
    const queries = numberOf(fieldOf(row, "number_of_queries"));
    const tokens = numberOf(fieldOf(row, "response_tokens"));
    if (queries !== null && queries >= 0) spent.queries.push(queries);
    if (tokens !== null && tokens >= 0) spent.tokens.push(tokens);
    sink.record(sampleOf(row, { key, jailbroken }, named));
  }
  compare(rows.length, succeeded, parameters, sink);
  measures({ judged, succeeded, spent }, named, sink);
}

function sampleOf(
  row: JsonObject,
  { key, jailbroken }: { readonly key: string; readonly jailbroken: JsonValue | undefined },
  named: Named,
): Parameters<EvalSink["record"]>[0] {
  const body = (name: string): string | null => {
    const text = textOf(fieldOf(row, name));
    return text === null ? null : bodyText(text);
  };
  return {
    kind: "sample",
    subject: named.subject,
    task: named.task,
    key: keyText(key),
    scores: { attack_success_rate: typeof jailbroken === "boolean" ? Number(jailbroken) : null },
    category: keyOrNull(textOf(fieldOf(row, "category"))),
    // Without a success no prompt is kept: the goal stands for it.
    prompt: body("prompt") ?? body("goal"),
    answer: body("response"),
    settings: named.settings,
    evaluatedAtMs: named.evaluatedAtMs,
  };
}

function measures(
  {
    judged,
    succeeded,
    spent,
  }: {
    readonly judged: number;
    readonly succeeded: number;
    readonly spent: { readonly queries: readonly number[]; readonly tokens: readonly number[] };
  },
  { task, subject, settings, evaluatedAtMs }: Named,
  sink: EvalSink,
): void {
  const base = { kind: "measure", task, subject, settings, evaluatedAtMs } as const;
  sink.record({
    ...base,
    metric: "attack_success_rate",
    value: judged === 0 ? null : succeeded / judged,
    n: judged,
    unit: "share",
    dimension: "safety",
    higherIsBetter: false,
  });
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  // More queries are more work for the attacker.
  if (spent.queries.length > 0)
    sink.record({
      ...base,
      metric: "attack_queries",
      value: mean(spent.queries),
      n: spent.queries.length,
      unit: "queries",
      dimension: "safety",
      higherIsBetter: true,
    });
  if (spent.tokens.length > 0)
    sink.record({
      ...base,
      metric: "attack_response_tokens",
      value: mean(spent.tokens),
      n: spent.tokens.length,
      unit: "tokens",
      dimension: "cost",
    });
}

/** What the file sums up itself is held against its rows. */
function compare(behaviours: number, succeeded: number, parameters: JsonObject | null, sink: EvalSink): void {
  const told = numberOf(fieldOf(parameters, "attack_success_rate"));
  if (told === null || behaviours === 0 || Math.abs(told - succeeded / behaviours) < 5e-3) return;
  sink.issue({
    line: 1,
    code: "sums-differ",
    message: `The file says an attack success of ${told}, its rows ${succeeded} of ${behaviours}; the rows were taken.`,
  });
}

function settingsOf(parameters: JsonObject | null): Record<string, string> {
  const settings: Record<string, string> = { harness: "jailbreakbench" };
  const judge = textOf(fieldOf(objectOf(fieldOf(parameters, "method_parameters")), "judge-model"));
  if (judge !== null) settings["judge"] = judge.slice(0, 512);
  if (parameters !== null && Object.hasOwn(parameters, "defense"))
    settings["generation.defense"] = textOf(fieldOf(parameters, "defense"))?.slice(0, 512) ?? "none";
  const type = textOf(fieldOf(parameters, "attack_type"));
  if (type !== null) settings["generation.attack_type"] = type.slice(0, 512);
  return settings;
}

function dayOf(text: string | null): number | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? "") ?? [];
  return year === undefined ? null : Date.UTC(Number(year), Number(month) - 1, Number(day));
}
