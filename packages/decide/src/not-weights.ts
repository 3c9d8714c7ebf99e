import { causeFamily, findingIsOn, sayInteger, sayShare, signalOf } from "@trainwatch/core";
import type { Advice, Checkpoint } from "@trainwatch/core";
import { accusedName, sayCause } from "./cause/cause-words.ts";
import { troubleOf } from "./cause/trouble.ts";
import type { AdviceInput } from "./contract.ts";
import type { Price } from "./cost.ts";
import { isPulled } from "./suspicion.ts";
import type { Suspicion } from "./suspicion.ts";
import { adviceOf } from "./verdict.ts";

/** A run that has stood for as long as its page takes is rarely brought back by anything but a restart. Ours. */
const RESTART_HELPS = 0.9;

/** What to do where nothing says that the weights are harmed: pull what is broken, restart what stands, look into what is slow. */
export function withoutWeights(input: AdviceInput, price: Price, suspicion: Suspicion): Advice {
  const trouble = troubleOf(input.findings);
  if (trouble === "stopped") return stopped(input, price, suspicion);
  if (isPulled(suspicion) && suspicion.subjects.length > 0) {
    return adviceOf(input, price, {
      action: "isolate",
      subjects: suspicion.subjects,
      share: suspicion.namedShare,
      reasons: [
        ...suspicion.reasons,
        trouble === "slow"
          ? "Pull it right after the next checkpoint: what is slow is not lost, so nothing is thrown away by that."
          : "No run is known to suffer from it yet: drain it before one does.",
      ],
    });
  }
  return adviceOf(input, price, { subjects: accused(input), reasons: investigation(input, trouble) });
}

function stopped(input: AdviceInput, price: Price, suspicion: Suspicion): Advice {
  const stands = input.findings.some((finding) => signalOf(finding) === "stop" && findingIsOn(finding) && finding.severity === "critical");
  const checkpoint = stands ? newestComplete(input) : null;
  const restart =
    checkpoint === null || input.lastStep === null
      ? {}
      : { checkpointStep: checkpoint, lostSteps: Math.max(0, input.lastStep - checkpoint) };
  const where = stands ? restartReason(input, checkpoint) : [];
  if (isPulled(suspicion) && suspicion.subjects.length > 0) {
    return adviceOf(input, price, {
      action: "isolate",
      subjects: suspicion.subjects,
      share: suspicion.namedShare,
      ...restart,
      reasons: [...suspicion.reasons, ...where],
    });
  }
  const known = investigation(input, "stopped", stands);
  if (!stands || checkpoint === null) return adviceOf(input, price, { subjects: accused(input), reasons: [...where, ...known] });
  return adviceOf(input, price, {
    action: "rollback",
    subjects: accused(input),
    share: RESTART_HELPS,
    ...restart,
    reasons: [
      "The run stands: take the flight-recorder dumps of its ranks before it is ended, they are gone after.",
      ...where,
      ...suspicion.reasons,
      ...known,
    ],
  });
}

function restartReason(input: AdviceInput, checkpoint: number | null): readonly string[] {
  if (checkpoint === null)
    return [
      "No complete checkpoint is known to restart from. Say how often one is saved with --checkpoint-every N (or `checkpointEvery` in the run's metadata), or push them.",
    ];
  const lost = input.lastStep === null ? "" : `: ${sayInteger(Math.max(0, input.lastStep - checkpoint))} steps are done again`;
  return [`The weights are not harmed, so the newest complete checkpoint is the one to restart from, ${sayInteger(checkpoint)}${lost}.`];
}

/** Of this attempt's line, complete, and not after the last step; assumed ones where none is known. */
function newestComplete({ checkpoints, checkpointEvery, lastStep }: AdviceInput): number | null {
  const isUsable = ({ state, step }: Checkpoint): boolean => state !== "incomplete" && (lastStep === null || step <= lastStep);
  const steps = checkpoints.filter(isUsable).map(({ step }) => step);
  if (steps.length > 0) return Math.max(...steps);
  if (checkpoints.length > 0 || checkpointEvery === null || checkpointEvery < 1 || lastStep === null || lastStep < checkpointEvery)
    return null;
  return Math.floor(lastStep / checkpointEvery) * checkpointEvery;
}

/** What is known of the cause, and the test that would settle most. */
function investigation({ assessment, findings }: AdviceInput, trouble: ReturnType<typeof troubleOf>, stands = false): readonly string[] {
  const [first] = assessment?.causes ?? [];
  const cause =
    first === undefined || assessment === null || assessment === undefined
      ? []
      : [`${capital(sayCause(first))} at ${sayShare(first.share)}, ${assessment.word}.`];
  const test = assessment?.nextTest ?? null;
  const next = test === null ? [] : [`${test.test}: ${test.why}.`];
  const harmless =
    trouble === "stopped"
      ? "No step is known to be lost: the run goes on, or is not known to stand."
      : "Nothing here says that the weights are harmed, so no checkpoint is better than the present one.";
  const isSlow = findings.some(({ metric }) => causeFamily(metric) === "throughput");
  const where =
    isSlow && next.length === 0
      ? ["Look for the cause of the slowness: the last pipeline stage and sequence lengths explain more of it than a bad node does."]
      : [];
  return [...(stands ? [] : [harmless]), ...cause, ...next, ...where];
}

/** Whom a cause that is at least likely accuses. */
function accused({ assessment }: AdviceInput): readonly string[] {
  const [first] = assessment?.causes ?? [];
  const name = first === undefined || assessment?.word === "not settled" ? null : accusedName(first);
  return name === null ? [] : [name];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
