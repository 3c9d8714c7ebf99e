import { type Passport, type PassportVerdict, sayInteger } from "@trainwatch/core";
import type { PassportFacts } from "./passport-facts.ts";
import { isSettled } from "./passport-events.ts";

/** Detectors that see wrong numbers of a GPU where others computed the same. */
const CORRUPTION_DETECTORS = ["replica-hash", "recompute-mismatch", "rank-deviation", "rank-rare-faults", "rank-non-finite"];
/** From this share of belief on a cause counts as settled. */
const STRONG = 0.9;

type Verdict = Omit<PassportVerdict, "name" | "title">;

/** The six verdicts. "Good" needs evidence: what nobody has looked at is unknown, and says why. */
export function passportVerdicts(facts: PassportFacts, gpus: Passport["gpus"]): readonly PassportVerdict[] {
  return [
    { name: "complete", title: "Complete", ...complete(facts) },
    { name: "verified", title: "Verified", ...verified(facts) },
    { name: "training-health", title: "Training health before it", ...trainingHealth(facts) },
    { name: "silent-corruption", title: "Silent corruption inside", ...silentCorruption(facts, gpus) },
    { name: "scores", title: "Scores", ...scores(facts) },
    { name: "decision", title: "Decision", ...decision(facts) },
  ];
}

function complete({ stored: { checkpoint } }: PassportFacts): Verdict {
  const { state, reason } = checkpoint;
  if (state === "incomplete") return { state: "bad", text: "Incomplete", detail: reason ?? "Its source says that a part is missing." };
  if (state === "verified") return { state: "good", text: "All parts there", detail: reason ?? "Its source has checked it." };
  return { state: "unknown", text: "Not known", detail: reason ?? "Nobody has said whether all of its parts were written." };
}

function verified({ stored: { checkpoint } }: PassportFacts): Verdict {
  const { state, reason } = checkpoint;
  if (state === "verified")
    return { state: "good", text: "Checked", detail: reason ?? "Its source says that it was checked, and not how." };
  if (state === "incomplete") return { state: "bad", text: "Failed the check", detail: reason ?? "A part of it is missing." };
  return { state: "unknown", text: "Not checked", detail: "No hash, and no load of it, was reported." };
}

function trainingHealth({ events: { items, total }, coverage, path, turn, stored }: PassportFacts): Verdict {
  const unwatched = path.line
    .filter(({ attempt }) => !(coverage.get(attempt) ?? []).some(({ sees }) => sees))
    .map(({ attempt }) => attempt);
  const open = items.filter((event) => !isSettled(event));
  const critical = items.filter(({ severity }) => severity === "critical");
  const said = total === 0 ? "No incident before it" : `${count(total, "incident")} before it`;
  const later = turn.step === null ? "" : ` The turning point, step ${sayInteger(turn.step)}, came later.`;
  const blind = unwatched.length === 0 ? "" : ` Not watched by a detector that saw anything: ${unwatched.join(", ")}.`;
  const isOpenCritical = open.some(({ severity }) => severity === "critical");
  if (turn.step !== null && stored.checkpoint.step > turn.step)
    return {
      state: isOpenCritical ? "bad" : "doubt",
      text: "After the turning point",
      detail: `Held-out score falls after step ${sayInteger(turn.step)}. ${said}, ${open.length === 0 ? "none" : sayInteger(open.length)} open.${blind}`,
    };
  if (isOpenCritical)
    return {
      state: "bad",
      text: `${count(open.length, "incident")} still open`,
      detail: `${said}; ${count(critical.length, "critical one")}.${later}${blind}`,
    };
  if (open.length > 0) return { state: "doubt", text: `${count(open.length, "incident")} still open`, detail: `${said}.${later}${blind}` };
  if (critical.length > 0)
    return {
      state: "doubt",
      text: `${count(critical.length, "critical incident")}, settled`,
      detail: `${said}, all of them recovered or resolved.${later}${blind}`,
    };
  if (unwatched.length > 0) return { state: "unknown", text: "Not watched", detail: `${said}.${later}${blind}` };
  return {
    state: "good",
    text: total === 0 ? "Nothing found" : "All settled",
    detail: `${said}; detectors have watched every attempt on the way.${later}`,
  };
}

function silentCorruption({ coverage, path }: PassportFacts, { suspects }: Passport["gpus"]): Verdict {
  const [worst] = suspects;
  if (worst !== undefined) {
    const share = worst.share === null ? "" : ` (${sayInteger(Math.round(worst.share * 100))} % of belief)`;
    return {
      state: (worst.share ?? 0) >= STRONG ? "bad" : "doubt",
      text: `${count(suspects.length, "suspect")}`,
      detail: `${worst.gpu}${share}: ${worst.why}.`,
    };
  }
  const watched = path.line.filter(({ attempt }) =>
    (coverage.get(attempt) ?? []).some(({ detector, sees }) => sees && CORRUPTION_DETECTORS.includes(detector)),
  );
  if (watched.length === path.line.length && watched.length > 0)
    return {
      state: "good",
      text: "No sign",
      detail: "Ranks were compared with each other in every attempt on the way, and none was accused.",
    };
  const blind = path.line.filter((reach) => !watched.includes(reach)).map(({ attempt }) => attempt);
  return {
    state: "unknown",
    text: "Nobody looked",
    detail: `No values of single ranks and no replica hashes were seen in ${blind.join(", ")}: wrong numbers of one GPU would not have shown.`,
  };
}

function scores({ cards, compared }: PassportFacts): Verdict {
  const results = cards[0]?.results ?? 0;
  if (compared === null) {
    if (results === 0) return { state: "unknown", text: "Not evaluated", detail: "No evaluation result names this checkpoint." };
    return { state: "unknown", text: "Not compared", detail: `${count(results, "result")}, and no release compares it with a baseline.` };
  }
  const { comparison, release, column } = compared;
  if (comparison === null)
    return { state: "unknown", text: "Not compared", detail: `Release "${release.spec.name}" is too large to be compared here.` };
  const counts = comparison.columns[column]?.counts;
  const baseline = release.columns[0]?.model ?? "the baseline";
  if (counts === undefined)
    return { state: "unknown", text: "Not compared", detail: `Release "${release.spec.name}" has no verdict on it.` };
  const judged = counts.better + counts.worse + counts.tie;
  const unjudged = counts["not-comparable"] + counts.missing + counts["not-run"];
  const detail = `${count(counts.tie, "tie")}${unjudged === 0 ? "" : ` and ${sayInteger(unjudged)} not judged`}, against ${baseline} in "${release.spec.name}".`;
  if (judged === 0) return { state: "unknown", text: "Nothing comparable", detail };
  return {
    state: counts.worse > 0 ? "doubt" : "good",
    text: `${sayInteger(counts.better)} better, ${sayInteger(counts.worse)} worse`,
    detail,
  };
}

function decision({ chosenBy, compared }: PassportFacts): Verdict {
  const [newest] = chosenBy;
  if (newest !== undefined) {
    const { name, signers } = newest.spec;
    const missing = signers.filter((role) => !newest.signedRoles.includes(role));
    if (missing.length === 0) return { state: "good", text: "Signed to ship", detail: `In release "${name}".` };
    const signed = `${sayInteger(newest.signedRoles.length)} of ${sayInteger(signers.length)} signed in release "${name}".`;
    return { state: "doubt", text: `Waits for ${missing.join(", ")}`, detail: signed };
  }
  const other = compared?.release.frozen ?? null;
  if (compared !== null && other !== null)
    return { state: "doubt", text: "Not chosen", detail: `Release "${compared.release.spec.name}" was signed for another candidate.` };
  if (compared !== null)
    return { state: "unknown", text: "Under comparison", detail: `Release "${compared.release.spec.name}" is not signed.` };
  return { state: "unknown", text: "No decision", detail: "No release has it as a candidate." };
}

const count = (number: number, what: string): string => `${sayInteger(number)} ${what}${number === 1 ? "" : "s"}`;
