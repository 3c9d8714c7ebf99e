import { CAUSE_WORDS, sayAccused, sayFixed, sayGpu, sayInteger, sayNode, sayRatio, sayShare, xidTitle } from "@trainwatch/core";
import type { CauseFactName, RankedCause } from "@trainwatch/core";
import type { Accusation } from "./accusation.ts";

/** `hardware (GPU-9b1f…)`, `data`. */
export function sayCause({ cause, subjectKind, subjectId }: Pick<RankedCause, "cause" | "subjectKind" | "subjectId">): string {
  return subjectId === null ? CAUSE_WORDS[cause] : `${CAUSE_WORDS[cause]} (${sayAccused(subjectKind, subjectId)})`;
}

/** Who is to be pulled or looked at. Ids of GPUs, links, ports and machines stand whole, so that they can be copied; a rank is `rank 9`. */
export function accusedName({ subjectKind, subjectId }: Pick<RankedCause, "subjectKind" | "subjectId">): string | null {
  if (subjectId === null) return null;
  return subjectKind === "rank" || subjectKind === "stage" ? sayAccused(subjectKind, subjectId) : subjectId.replace(/^name:/, "");
}

/** How far a suspicion stood before re-runs and after, as shares. */
export interface Fall {
  readonly from: number;
  readonly to: number;
}

/** A fact as a sentence without its full stop. One that says what another of its origin has said already is told as counted with it; re-runs that agree by how far suspicion fell. */
export function sayFact(accusation: Accusation, log: number, fall: Fall | null): string {
  const { fact, value } = accusation;
  const text =
    fact === "rerun-agreed" && fall !== null
      ? `${times(value, "run")} on ${who(accusation)} agreed; suspicion fell from ${sayShare(fall.from)} to ${sayShare(fall.to)}`
      : WORDS[fact](value, who(accusation));
  return log === 0 ? `${text} (counted with another fact of the same origin)` : text;
}

function who({ subject, place }: Accusation): string {
  if (subject === null) return "the run";
  switch (subject.kind) {
    case "gpu":
      return sayGpu(subject.id);
    case "rank":
      return `rank ${place?.rank ?? subject.id}`;
    case "stage":
      return `stage ${subject.id}`;
    case "run":
    case "logger":
      return "the run";
    case "node":
      return `node ${sayNode({ subject, place }) ?? subject.id}`;
    case "link":
    case "port":
    case "switch":
      return `${subject.kind} ${subject.id}`;
  }
}

type Words = (value: number | null, who: string) => string;
const times = (value: number | null, one: string): string =>
  value === 1 ? `1 ${one}` : `${value === null ? "some" : sayInteger(value)} ${pluralOf(one)}`;
const pluralOf = (one: string): string => (/(?:ch|s)$/.test(one) ? `${one}es` : `${one}s`);
const percent = (share: number | null): string => (share === null ? "some" : `${Math.round(100 * share)} %`);
const ratio = (value: number | null): string => (value === null ? "longer" : `${sayRatio(value, 1)} as long`);

const WORDS: Readonly<Record<CauseFactName, Words>> = {
  "rank-deviates": (value, name) => `${name} alone deviates from its cohort, on ${times(value, "different batch")}`,
  "all-ranks-move": (value) => `${percent(value)} of the ranks moved together`,
  "single-step": () => "it lasted one logged step",
  "batch-spiked-elsewhere": (value) => `the batch was an outlier in ${times(value, "other run")} or epochs as well`,
  "same-step-again": (value) => `it came again at the same step after ${times(value, "restart")}`,
  "norm-led-loss": (value) => `the gradient or update norm rose ${times(value, "step")} before the loss`,
  "loss-scale-collapsed": () => "the loss scale has collapsed",
  "attention-logit-high": (value) => `the largest attention logit stands at ${value === null ? "a high value" : sayInteger(value)}`,
  "after-resume": (value) => `it began ${times(value, "step")} after a resume`,
  "learning-rate-off": (value) => `the learning rate is ${value === null ? "off" : `${sayRatio(value, 1)} what its schedule says`}`,
  "replica-hash-mismatch": (value, name) =>
    `${name}: ${times(value, "replica")} that must agree ${value === 1 ? "holds" : "hold"} other parameters`,
  "recompute-mismatch": (_, name) => `${name} computed other values when the same was computed again`,
  "non-finite": () => "loss or gradient norm is not finite",
  "replay-elsewhere-agreed": (value) =>
    `other hardware computes the recorded step alike (${times(value, "run")}): this step was not corrupted`,
  "replay-elsewhere-disagreed": (value) => `other hardware computes the recorded step otherwise (${times(value, "run")}): it was corrupted`,
  "rerun-agreed": (value, name) => `${times(value, "run")} on ${name} agreed`,
  "rerun-disagreed": (value, name) => `${name} computed something else in ${times(value, "run")} of the same`,
  "node-memory-error": (value, name) =>
    `memory error or row remap on ${name}${value === null || value < 1 ? "" : `, ${times(Math.round(value), "hour")} before`}`,
  "gpu-error": (value, name) =>
    value === null ? `GPU error on ${name}` : value >= 10_000 ? `SXid ${value} on ${name}` : `${xidTitle(value)} on ${name}`,
  "node-flagged-before": (value, name) => `${name} was a suspect in ${times(value, "earlier incident")}`,
  "node-age": (value, name) => `${name} is ${value === null ? "more than a year" : `${sayFixed(value, 1)} years`} old`,
  "gpu-lost": (_, name) => `${name} is gone`,
  "node-lost": (value, name) => `nothing comes from ${value !== null && value > 1 ? `${sayInteger(value)} nodes` : name} any more`,
  throttled: (value, name) => `the clocks of ${name} are held down ${percent(value)} of the time`,
  hot: (value, name) => `${name} is ${value === null ? "hotter" : `${sayFixed(value, 0)} °C hotter`} than its peers`,
  "link-errors": (value, name) => `${name} has errors${value === null ? "" : `, ${sayFixed(value, 1)} a minute`}`,
  "link-down": (_, name) => `${name} is down`,
  "link-slow": (value, name) => `${name} moves ${percent(value)} of what its peers move`,
  "rank-compute-slow": (value, name) => `${name} computes ${ratio(value)} as its cohort`,
  "node-compute-slow": (value, name) => `the ranks of ${name} compute ${ratio(value)} as their cohort`,
  "last-stage-slow": (value) => `the last pipeline stage computes ${ratio(value)} as the others`,
  "sequence-load-correlates": (value) =>
    `compute time follows the sequence lengths, correlation ${value === null ? "high" : sayFixed(value, 2)}`,
  "transfer-slow": (value) => `transfers take ${ratio(value)} as they did`,
  "data-wait": (value) =>
    value !== null && value < 1
      ? `the wait for data takes ${percent(value)} of the step more`
      : `the wait for data takes ${ratio(value)} as it did`,
  "ranks-behind": (value) => `${times(value, "rank")} ${value === 1 ? "is" : "are"} behind the others`,
  "same-error-on-most-nodes": (value) => `the same error on ${percent(value)} of the job's nodes within a minute`,
};
