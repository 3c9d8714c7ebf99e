import { fromJsonNumber, type JsonNumber, type SampleSide } from "@trainwatch/core";
import { formatDuration, formatFixed, formatInteger, MISSING, type Tone } from "@trainwatch/ui";

/** A sample's score: pass and fail as the numbers they are, other scores with up to three digits. */
export function scoreText(score: JsonNumber | undefined): string {
  const value = score === undefined ? null : fromJsonNumber(score);
  if (value === null) return MISSING;
  return formatFixed(value, Number.isInteger(value) ? 0 : 3);
}

/** `change` is signed so that negative is worse. */
export function changeWords(change: number | null): { readonly word: string; readonly tone: Tone } {
  if (change === null) return { word: "not scored", tone: "label" };
  if (change < 0) return { word: "lost", tone: "worse" };
  if (change > 0) return { word: "won", tone: "better" };
  return { word: "alike", tone: "label" };
}

/** "exact_match 1, 128 tokens, 2.1 s". */
export function sideFacts(side: SampleSide): string {
  return [
    ...Object.entries(side.scores).map(([metric, score]) => `${metric} ${scoreText(score)}`),
    ...(side.tokens === null ? [] : [`${formatInteger(side.tokens)} tokens`]),
    ...(side.latencyS === null ? [] : [formatDuration(side.latencyS * 1_000)]),
  ].join(", ");
}
