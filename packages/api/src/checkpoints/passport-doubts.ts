import { type Passport, sayInteger } from "@trainwatch/core";
import type { PassportFacts } from "./passport-facts.ts";
import { isInEffect } from "./registry.ts";

/** What is not known of a checkpoint, and what a reader should know beside the verdicts, in sentences. */
export function passportDoubts(facts: PassportFacts): Passport["doubts"] {
  const { stored, attempts, path, tokens, gpus, events, coverage, cards, compared } = facts;
  const { attempt, step, savedAtMs, path: where } = stored.checkpoint;
  const known = attempts.find(({ name }) => name === attempt);
  const later = attempts.find(({ parent, branchStep }) => parent === attempt && branchStep !== null && branchStep < step);
  const unread = path.line.filter((reach) => !coverage.has(reach.attempt)).map((reach) => reach.attempt);
  const doubts: (readonly [kind: "unknown" | "note", text: string] | null)[] = [
    isInEffect(attempts, attempt, step)
      ? null
      : [
          "note",
          `Rolled back: ${later === undefined ? "a later attempt" : later.name} went on from an earlier step, without these weights.`,
        ],
    tokens === null ? ["unknown", "Tokens seen: the run logs no count of tokens, and how many a step takes is not set."] : null,
    savedAtMs === null ? ["unknown", "When it was saved: its source does not say."] : null,
    where === null ? ["unknown", "Where it lies: no path is known."] : null,
    gpus.known === 0 ? ["unknown", "Which GPUs trained it: no source has told where the ranks ran."] : null,
    known === undefined ? ["unknown", `What training logged: no sample of attempt ${attempt} has come.`] : null,
    known !== undefined && unread.length > 0
      ? ["unknown", `What detectors would say of ${unread.join(", ")}: they have not read it.`]
      : null,
    events.total > events.items.length
      ? ["note", `The worst ${sayInteger(events.items.length)} of ${sayInteger(events.total)} incidents are listed.`]
      : null,
    cards.length > 1
      ? ["note", `${sayInteger(cards.length)} scorecards speak of it; shown is that of ${cards[0]?.model ?? ""}, which has most results.`]
      : null,
    compared !== null && compared.comparison === null
      ? ["unknown", `How it compares: release "${compared.release.spec.name}" is too large to be compared here.`]
      : null,
    known?.question === "counter-reset" ? ["unknown", `Whether ${attempt} began from scratch, or only its step counter did.`] : null,
  ];
  return doubts.flatMap((doubt) => (doubt === null ? [] : [{ kind: doubt[0], text: doubt[1] }]));
}
