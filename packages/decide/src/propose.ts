import type { Advice } from "@trainwatch/core";
import { alternativesTo, isRestart, isWait } from "./alternatives.ts";
import { candidates } from "./candidates.ts";
import type { Candidate } from "./candidates.ts";
import { troubleOf } from "./cause/trouble.ts";
import type { AdviceInput } from "./contract.ts";
import { priceOf, restartSteps } from "./cost.ts";
import type { Price } from "./cost.ts";
import { restartOptions, waitOptions } from "./options.ts";
import type { RestartOption } from "./options.ts";
import { OUTLIER_ENDS } from "./priors.ts";
import { withoutWeights } from "./not-weights.ts";
import { corruptionReasons, onsetReason, replayReason, restartReasons, shiftReason, waitReasons } from "./reasons.ts";
import { beforeTurn } from "./post-training/before-turn.ts";
import { forPostTraining, readPostTraining } from "./post-training/for-post-training.ts";
import { rejectedCheckpoints } from "./rejected.ts";
import { readSituation } from "./situation.ts";
import type { Situation } from "./situation.ts";
import { isPulled, suspicionOf } from "./suspicion.ts";
import type { Suspicion } from "./suspicion.ts";
import { adviceOf } from "./verdict.ts";
import { weigh } from "./weigh.ts";
import type { Weighed } from "./weigh.ts";
import { withoutCheckpoint } from "./without-checkpoint.ts";

/**
 * What to do about an incident: wait, roll back (and skip), skip data, lower the learning rate, pull what is broken, replay, or investigate; what it costs, how sure, why, and
 * why not the rest. Where the cause was weighed, hardware at 20 % and more is never waited for, and from 50 % on it is pulled and its data are kept. Pure and deterministic in its input; costs are in steps, and in GPU-hours where GPUs and step time are known.
 * What only concerns post-training goes its own way: the checkpoint at the peak, or a next step for its kind (`post-training/`). Source: detection.md sections E and F. Else never proposes a checkpoint that is incomplete or newer than the onset's lower end less its margin.
 */
export function proposeAdvice(given: AdviceInput): Advice {
  const price = priceOf(given);
  const { postTraining, others } = readPostTraining(given.findings);
  if (postTraining !== null) return forPostTraining(given, postTraining, price);
  if (others.length === given.findings.length) return proposeForTraining(given, price);
  const { input, reasons } = beforeTurn({ ...given, findings: others }, given.findings);
  const advice = proposeForTraining(input, price);
  return { ...advice, reasons: [...advice.reasons, ...reasons], findingIds: given.findings.map(({ id }) => id) };
}

function proposeForTraining(input: AdviceInput, price: Price): Advice {
  const situation = readSituation(input);
  const suspicion = suspicionOf(input.assessment ?? null);
  const isKnownTrouble = !["learning", null].includes(troubleOf(input.findings));
  if (situation?.kind === "not-weights" || (situation === null && isKnownTrouble)) return withoutWeights(input, price, suspicion);
  if (situation === null) {
    const isSource = input.findings.some(({ subject }) => subject.kind === "logger");
    const reason = isSource
      ? "What reads the fleet is down, so nothing is known of what it reads. Bring it back first; what it then shows is judged again."
      : "No finding of the incident names a step, so nothing can be placed before it.";
    return adviceOf(input, price, { reasons: [reason] });
  }
  switch (situation.kind) {
    case "logger":
      return adviceOf(input, price, {
        reasons: [
          "What is logged cannot be trusted, so the state of the weights is not known.",
          "Check the logger first: log the raw loss, and turn off any filter of NaN and Inf.",
        ],
      });
    case "norm-alone":
      if (suspicion.step !== "none") return suspected(input, situation, price, suspicion);
      return adviceOf(input, price, {
        reasons: [
          "Only the gradient or update norm has moved; the loss has not followed, so the weights are not known to be harmed.",
          "Compare learning rate, batch size and data mix at the onset with what was planned; a loss that follows turns this into another proposal.",
          onsetReason(input, situation),
        ],
      });
    case "outlier":
      if (suspicion.step !== "none") return suspected(input, situation, price, suspicion);
      return adviceOf(input, price, {
        action: "wait",
        share: OUTLIER_ENDS,
        reasons: [
          "One step and back: 373 of 383 such outliers in 73 public runs lasted one step, none more than two.",
          "Most come with the data: note the batch, and see whether it has spiked in another run or attempt.",
        ],
        rejected: rejectedCheckpoints(candidates(input, situation), null, situation, price),
      });
    case "recovered":
    case "shifted":
      return suspicion.step === "none" ? weighed(input, situation, price, suspicion) : suspected(input, situation, price, suspicion);
    default:
      return isPulled(suspicion) ? suspected(input, situation, price, suspicion) : weighed(input, situation, price, suspicion);
  }
}

/**
 * Hardware is suspected and the fault as such would allow to wait, or it is to be pulled: below 50 % the replay of the recorded step decides first, from there on the
 * suspect goes, and the run goes back to before the onset with all its data (detection.md E.5: they were innocent).
 */
function suspected(input: AdviceInput, situation: Situation, price: Price, suspicion: Suspicion): Advice {
  const replay = replayReason(situation, suspicion);
  if (!isPulled(suspicion) || suspicion.subjects.length === 0) {
    return adviceOf(input, price, {
      action: "replay",
      subjects: suspicion.subjects,
      share: suspicion.share,
      reasons: [...suspicion.reasons, ...replay, onsetReason(input, situation)],
    });
  }
  const list = candidates(input, situation);
  const restarts = restartOptions(
    situation,
    list.filter((candidate) => candidate.faults.length === 0),
  ).flatMap((option): readonly RestartOption[] => (option.action === "rollback" ? [{ ...option, skip: null }] : []));
  const best = weigh({
    situation,
    options: restarts,
    restartSteps: restartSteps(input.stepTimeS),
    logEvery: input.logEvery,
    seed: input.seed,
  }).find(isRestart);
  const checkpoint = best?.option.checkpoint ?? null;
  return adviceOf(input, price, {
    action: "isolate",
    subjects: suspicion.subjects,
    share: suspicion.namedShare,
    ...(checkpoint === null ? {} : { checkpointStep: checkpoint.step, lostSteps: situation.now - checkpoint.step }),
    reasons: [...suspicion.reasons, ...corruptionReasons(input, situation, checkpoint), ...(suspicion.step === "pull" ? [] : replay)],
    rejected: rejectedCheckpoints(list, checkpoint, situation, price),
    alternatives: [
      {
        action: "wait",
        checkpointStep: null,
        expectedGpuHours: null,
        expectedSteps: null,
        why: "never on suspected hardware: every further step is corrupted",
      },
      {
        action: "skip-data",
        checkpointStep: null,
        expectedGpuHours: null,
        expectedSteps: null,
        why: "the data are innocent where the hardware is the cause",
      },
    ],
  });
}

function weighed(input: AdviceInput, situation: Situation, price: Price, suspicion: Suspicion): Advice {
  const list = candidates(input, situation);
  const restarts = restartOptions(
    situation,
    list.filter((candidate) => candidate.faults.length === 0),
  );
  const rejectedFor = (chosen: Candidate | null): Advice["rejected"] => rejectedCheckpoints(list, chosen, situation, price);
  const neverWait = suspicion.step !== "none";
  if (restarts.length === 0) {
    if (!neverWait) return withoutCheckpoint(input, situation, price, rejectedFor(null));
    const replay = replayReason(situation, suspicion);
    return adviceOf(input, price, {
      action: "replay",
      subjects: suspicion.subjects,
      share: suspicion.share,
      reasons: [...suspicion.reasons, ...replay],
      rejected: rejectedFor(null),
    });
  }

  const ranked = rank(input, situation, restarts, neverWait);
  const [best] = ranked;
  if (best === undefined) throw new TypeError("no option was weighed");
  const alternatives = alternativesTo(best, ranked, price, situation);
  if (isWait(best)) {
    const rival = ranked.find(isRestart) ?? null;
    return adviceOf(input, price, {
      action: "wait",
      waitUntilStep:
        situation.kind === "recovered" || situation.kind === "shifted"
          ? null
          : situation.now + (best.option.action === "wait" ? best.option.steps : 0),
      share: best.share,
      reasons: waitReasons(input, situation, best, rival, price),
      rejected: rejectedFor(null),
      alternatives,
    });
  }
  if (!isRestart(best)) throw new TypeError("an option is a wait or a restart");
  const { checkpoint, skip, action } = best.option;
  const stateReason =
    situation.kind === "non-finite"
      ? ["Loss or gradient norm is not finite now: waiting cannot bring the weights back."]
      : situation.kind === "shifted"
        ? [shiftReason(situation)]
        : [];
  return adviceOf(input, price, {
    action,
    checkpointStep: checkpoint.step,
    skipFromStep: skip?.from ?? null,
    skipToStep: skip?.to ?? null,
    lostSteps: situation.now - checkpoint.step,
    share: best.share,
    subjects: suspicion.subjects,
    reasons: [
      ...stateReason,
      ...suspicion.reasons,
      ...(neverWait ? replayReason(situation, suspicion) : []),
      ...restartReasons(input, situation, best, price),
    ],
    rejected: rejectedFor(checkpoint),
    alternatives,
  });
}

/** The best time to wait is settled first; a share split over three waits would understate waiting. */
function rank(input: AdviceInput, situation: Situation, restarts: readonly RestartOption[], neverWait: boolean): readonly Weighed[] {
  const base = { situation, restartSteps: restartSteps(input.stepTimeS), logEvery: input.logEvery, seed: input.seed };
  if (situation.kind === "non-finite" || neverWait) return weigh({ ...base, options: restarts });
  const waits = weigh({ ...base, options: [...waitOptions(input.logEvery), ...restarts] }).filter(isWait);
  const wait = waits[0]?.option;
  return weigh({ ...base, options: wait === undefined ? restarts : [wait, ...restarts] });
}
