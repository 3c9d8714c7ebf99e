import { findingFingerprint, findingId, toJsonNumber } from "@trainwatch/core";
import type { CauseFact, Evidence, Finding } from "@trainwatch/core";
import { knownTime } from "../../finding/known.ts";
import { evidence } from "../../finding/make-finding.ts";
import type { Episode } from "./episode.ts";

/** How an episode is told. */
export interface FleetTelling {
  /** One sentence without its full stop: who, what, how much. */
  readonly summary: string;
  readonly evidence: readonly Evidence[];
  readonly facts: readonly CauseFact[];
  /** A point for what happened and was over, a jump for what goes on. */
  readonly shape?: Finding["shape"];
  readonly state?: Finding["state"];
}

const UNHEARD = evidence(
  "against",
  "Nothing has been read of it since: whether it was mended or taken out nobody has seen",
  null,
  null,
  null,
);

/** Findings about the fleet name no run: a device's fault is its own. Steps are null; times are what they know. */
export function fleetFinding(
  detector: { readonly id: string; readonly version: number },
  episode: Episode,
  telling: FleetTelling,
): Finding {
  const fingerprint = findingFingerprint({
    detector: detector.id,
    run: "",
    attempt: "",
    metricFamily: episode.metric,
    subject: episode.subject,
  });
  const isOver = episode.endMs !== null;
  const ending = isOver ? endWords(episode, telling) : "";
  const often = episode.times > 1 ? `, ${episode.times} times` : "";
  return {
    id: findingId(fingerprint, episode.detectedMs),
    fingerprint,
    detector: detector.id,
    version: detector.version,
    attempt: "",
    metric: episode.metric,
    subject: episode.subject,
    severity: episode.severity,
    state: telling.state ?? (isOver ? "recovered" : "ongoing"),
    onsetStep: null,
    onsetLowerStep: null,
    detectedStep: null,
    peakStep: null,
    endStep: null,
    onsetTimeMs: knownTime(episode.onsetMs),
    detectedTimeMs: knownTime(episode.detectedMs),
    endTimeMs: knownTime(episode.endMs),
    shape: telling.shape ?? "jump",
    peakValue: toJsonNumber(episode.peak),
    baselineValue: toJsonNumber(episode.baseline),
    levelShift: null,
    summary: `${telling.summary}${often}${ending}.`,
    evidence: [...telling.evidence, ...(episode.isUnheard ? [UNHEARD] : [])],
    place: episode.place,
    facts: [...telling.facts],
  };
}

/** What happened at a point of time has not been mended by being followed by nothing. */
function endWords({ isUnheard }: Episode, { shape }: FleetTelling): string {
  if (isUnheard) return "; it has not been read for a day, and is closed";
  return shape === "point" ? "; no more of it since" : "; it is over";
}
