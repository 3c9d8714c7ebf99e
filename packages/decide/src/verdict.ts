import type { Advice } from "@trainwatch/core";
import type { AdviceInput } from "./contract.ts";
import type { Price } from "./cost.ts";
import { LIKELY_SHARE, STRONG_SHARE } from "./priors.ts";

/** Words for a share of draws (detection.md E.7). */
function confidenceOf(share: number): Advice["confidence"] {
  return { word: share >= STRONG_SHARE ? "strong" : share >= LIKELY_SHARE ? "likely" : "not settled", share };
}

/** What is proposed; what is left out is the least that can be said: investigate, at no cost; of another action that it is sure. */
export type Verdict = Partial<
  Pick<
    Advice,
    "action" | "checkpointStep" | "skipFromStep" | "skipToStep" | "waitUntilStep" | "turningPointStep" | "rejected" | "alternatives"
  >
> & {
  readonly subjects?: readonly string[];
  readonly lostSteps?: number;
  readonly share?: number;
  readonly reasons: readonly string[];
};

/** Of what is to be found out: as sure as the cause that it would look into, so that advice and cause never say otherwise. */
function ofCause({ assessment }: AdviceInput): Advice["confidence"] {
  return { word: assessment?.word ?? "not settled", share: assessment?.causes[0]?.share ?? null };
}

/** The whole advice: costs and identity are added to what was decided. */
export function adviceOf(input: AdviceInput, price: Price, verdict: Verdict): Advice {
  const action = verdict.action ?? "investigate";
  const lostSteps = verdict.lostSteps ?? 0;
  const alternatives = verdict.alternatives ?? [];
  const hasCosts = lostSteps > 0 || alternatives.length > 0;
  return {
    action,
    checkpointStep: verdict.checkpointStep ?? null,
    skipFromStep: verdict.skipFromStep ?? null,
    skipToStep: verdict.skipToStep ?? null,
    subjects: [...(verdict.subjects ?? [])],
    ...(verdict.turningPointStep === undefined ? {} : { turningPointStep: verdict.turningPointStep }),
    waitUntilStep: verdict.waitUntilStep ?? null,
    lostSteps,
    lostGpuHours: lostSteps === 0 ? 0 : price.gpuHours(lostSteps),
    costUnknown: hasCosts ? price.unknown : null,
    confidence: action === "investigate" ? ofCause(input) : confidenceOf(verdict.share ?? 1),
    reasons: [...verdict.reasons],
    rejected: verdict.rejected ?? [],
    alternatives,
    attempt: input.attempt,
    findingIds: input.findings.map((finding) => finding.id),
  };
}
