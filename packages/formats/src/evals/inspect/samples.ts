import { bodyText, keyText } from "../record-sink.ts";
import type { EvalSink } from "../format.ts";
import { canonicalJson, fieldOf, listOf, numberOf, objectOf, textOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { LogFacts } from "./facts.ts";
import { contentText, inputText } from "./message-text.ts";
import type { LogScore } from "./results.ts";
import { sampleValue, scoreNumber } from "./score-value.ts";

/** Metadata that samples are grouped by, the most telling first. */
const CATEGORIES = ["category", "subject", "topic", "domain", "type", "level"] as const;

export interface SampleReader {
  sample(sample: JsonObject): void;
  /** Tells what was not scored. */
  end(): void;
}

/** Samples of a log, one record a score. Without results (the log is not finished) scorers are taken from the samples. */
export function sampleReader(facts: LogFacts, scores: readonly LogScore[], sink: EvalSink): SampleReader {
  const unscored: string[] = [];
  const seen = new Set<string>();
  let failed = 0;
  let scoreless = 0;

  return {
    sample(sample) {
      const id = fieldOf(sample, "id");
      const key = typeof id === "number" || typeof id === "string" ? keyText(String(id)) : "";
      const epoch = numberOf(fieldOf(sample, "epoch")) ?? 1;
      if (key === "" || !Number.isSafeInteger(epoch) || epoch < 0)
        return sink.issue({ line: 1, code: "no-key", message: "A sample has no id or no epoch; it was left out." });
      if (seen.has(`${epoch} ${key}`))
        return sink.issue({
          line: 1,
          code: "repeated-key",
          message: `The sample "${key.slice(0, 60)}" of epoch ${epoch} stands twice; the first was taken.`,
        });
      seen.add(`${epoch} ${key}`);
      if (objectOf(fieldOf(sample, "error")) !== null) failed++;
      const bodies = bodiesOf(sample);
      const own = scores.length > 0 ? scores.filter(({ ofEpochs }) => ofEpochs) : scorersOf(sample);
      if (own.length === 0) scoreless++;
      for (const score of own) {
        const value = scoreNumber(sampleValue(sample, score));
        if (value === null) unscored.push(key);
        sink.record({
          kind: "sample",
          subject: facts.subject,
          task: facts.task,
          filter: score.filter,
          key,
          epoch,
          scores: Object.fromEntries((score.means.length > 0 ? score.means : ["score"]).map((metric) => [metric, value])),
          cluster: scalarText(fieldOf(objectOf(fieldOf(sample, "metadata")), score.cluster ?? "")),
          ...bodies,
          evaluatedAtMs: facts.evaluatedAtMs,
          settings: { ...facts.settings, scorer: score.scorer.slice(0, 512) },
        });
      }
    },
    end() {
      if (failed > 0) sink.issue({ line: 1, code: "sample-errors", message: `${failed} samples ended with an error.` });
      if (scoreless > 0) sink.issue({ line: 1, code: "no-score", message: scorelessWords(scoreless) });
      if (unscored.length === 0) return;
      const some = unscored.slice(0, 8).join(", ") + (unscored.length > 8 ? ` and ${unscored.length - 8} more` : "");
      sink.issue({
        line: 1,
        code: "not-scored",
        message: `${unscored.length} samples have no score and are kept without one: ${some.slice(0, 400)}.`,
      });
    },
  };
}

function scorelessWords(count: number): string {
  const [what, whose] =
    count === 1 ? ["1 sample has no score of its own and was", "its"] : [`${count} samples have no score of their own and were`, "their"];
  return `${what} left out: not scored yet, or ${whose} epochs are told together otherwise than by their mean.`;
}

/** Scorers of a sample whose log has no results yet. */
function scorersOf(sample: JsonObject): readonly LogScore[] {
  return Object.entries(objectOf(fieldOf(sample, "scores")) ?? {}).flatMap(([scorer, score]) => {
    const value = fieldOf(objectOf(score), "value");
    const names = objectOf(value) === null ? [scorer] : Object.keys(objectOf(value) ?? {});
    // What a log's results call the mean of grades, and of numbers.
    const means = [typeof value === "string" ? "accuracy" : "mean"];
    return names.map((name) => ({ name, scorer, filter: name.slice(0, 128), means, cluster: null, ofEpochs: true }));
  });
}

function bodiesOf(sample: JsonObject): {
  readonly category: string | null;
  readonly prompt: string | null;
  readonly target: string | null;
  readonly answer: string | null;
  readonly tokens: number | null;
  readonly latencyS: number | null;
} {
  const attachments = objectOf(fieldOf(sample, "attachments"));
  const output = objectOf(fieldOf(sample, "output"));
  const choice = objectOf(listOf(fieldOf(output, "choices"))?.[0]);
  const metadata = objectOf(fieldOf(sample, "metadata"));
  const target = fieldOf(sample, "target");
  return {
    category: CATEGORIES.map((name) => scalarText(fieldOf(metadata, name))).find((text) => text !== null) ?? null,
    prompt: inputText(fieldOf(sample, "input"), attachments),
    target:
      typeof target === "string" ? bodyText(target) : target === undefined || target === null ? null : bodyText(canonicalJson(target)),
    answer: contentText(fieldOf(objectOf(fieldOf(choice, "message")), "content"), attachments) ?? textOf(fieldOf(output, "completion")),
    tokens: positive(numberOf(fieldOf(objectOf(fieldOf(output, "usage")), "output_tokens"))),
    latencyS: positive(numberOf(fieldOf(output, "time")) ?? numberOf(fieldOf(sample, "total_time"))),
  };
}

const positive = (value: number | null): number | null => (value !== null && Number.isFinite(value) && value >= 0 ? value : null);

function scalarText(value: JsonValue | undefined): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? keyText(value.trim()) : null;
}
