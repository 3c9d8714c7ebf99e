import { sayAccused, sayShare } from "@trainwatch/core";
import type { CauseAssessment } from "@trainwatch/core";
import { accusedName } from "./cause/cause-words.ts";
import { hardwareShare } from "./cause/rank-causes.ts";

/** Bayes factor from which a fact is a proof: a mismatch, a replay that disagrees (detection.md E.6). */
const PROOF_LOG = Math.log(1_000);
/** Waiting is out from here (E.4), the suspect is pulled if a spare exists (E.6), and pulled at once. */
const NEVER_WAIT = 0.2;
const PULL_WITH_SPARE = 0.5;
const PULL = 0.9;

/** How far the hardware is suspected, and what follows from it. */
export interface Suspicion {
  /** p_H, 0 to 1. */
  readonly share: number;
  /** Chance that one of the named suspects is it: what pulling them rests on. */
  readonly namedShare: number;
  /** Ids of the suspects, strongest first; empty where nobody can be named. */
  readonly subjects: readonly string[];
  readonly step: "none" | "never-wait" | "pull-with-spare" | "pull";
  /** Why, in sentences. */
  readonly reasons: readonly string[];
  readonly nextTest: CauseAssessment["nextTest"];
}

export function suspicionOf(assessment: CauseAssessment | null): Suspicion {
  if (assessment === null) return { share: 0, namedShare: 0, subjects: [], step: "none", reasons: [], nextTest: null };
  const share = hardwareShare(assessment);
  const suspects = assessment.causes.filter(({ cause, subjectId }) => cause === "hardware" && subjectId !== null);
  const isProven = assessment.causes.some(
    ({ cause, facts }) => cause === "hardware" && facts.some(({ logBayesFactor }) => logBayesFactor >= PROOF_LOG),
  );
  const step = stepAt(share, isProven);
  const [first] = suspects;
  // Others are named beside the first only where they are about as likely.
  const named = suspects.filter((suspect) => first !== undefined && suspect.share >= first.share / 2);
  const whom =
    named.length === 0 ? "" : `, ${named.map(({ subjectKind, subjectId }) => sayAccused(subjectKind, subjectId ?? "")).join(", ")}`;
  const because =
    (first ?? assessment.causes.find(({ cause }) => cause === "hardware"))?.facts.filter(({ logBayesFactor }) => logBayesFactor > 0) ?? [];
  const facts =
    because.length === 0
      ? ""
      : `: ${because
          .map(({ text }) => text)
          .slice(0, 3)
          .join("; ")}`;
  const which = named.length > 1 ? " Which of them it is, is not settled." : "";
  return {
    share,
    namedShare: named.reduce((sum, suspect) => sum + suspect.share, 0),
    subjects: named.flatMap((suspect) => accusedName(suspect) ?? []),
    step,
    reasons: step === "none" ? [] : [`Hardware is the cause at ${sayShare(share)}${whom}${facts}.${which}`, ...RULES[step]],
    nextTest: assessment.nextTest,
  };
}

function stepAt(share: number, isProven: boolean): Suspicion["step"] {
  if (share >= PULL || (isProven && share >= PULL_WITH_SPARE)) return "pull";
  if (share >= PULL_WITH_SPARE) return "pull-with-spare";
  return share >= NEVER_WAIT ? "never-wait" : "none";
}

const SWAP_FIRST = "Swap it first, then restart: a restart on the same hardware repeats the loss.";
const RULES: Readonly<Record<Exclude<Suspicion["step"], "none">, readonly string[]>> = {
  "never-wait": ["From 20 % on waiting is out: a bad device corrupts every further step and does not get better."],
  "pull-with-spare": [SWAP_FIRST, "Below 90 % pull it if a spare is at hand; if none is, test it first."],
  pull: [SWAP_FIRST],
};

export function isPulled(suspicion: Suspicion): boolean {
  return suspicion.step === "pull" || suspicion.step === "pull-with-spare";
}
