import type { Evidence } from "@trainwatch/core";
import { sayInteger, saySigned, sayValue } from "@trainwatch/core";
import { evidence } from "../finding/make-finding.ts";
import type { NormMove } from "../companion/norm-companion.ts";
import type { RateCompanion } from "../companion/rate-companion.ts";
import type { ShiftParameters } from "./parameters.ts";
import type { ShiftRecord } from "./shift-record.ts";
import { sayTimes } from "./shift-words.ts";

/** Below this the other series did not move. */
const MOVED_RATIO = 1.5;
/** A resume or a change of the learning rate so few steps before the onset is looked at first (detection.md A.6). */
const SUSPECT_STEPS = 200;
const FULL_BASELINE = 64;

/** What the series itself says for and against the excursion being real and lasting. */
export function ownEvidence(record: ShiftRecord, parameters: ShiftParameters): Evidence[] {
  const { k, h, clip } = parameters.design;
  const list = [
    evidence(
      "for",
      `The CUSUM of clipped scores passed ${h} at step ${sayInteger(record.detectedStep)} (k ${k}, clip ${clip})`,
      h,
      "σ",
      "detection.md A.3",
    ),
    evidence(
      "for",
      `${sayInteger(record.samplesOut)} of ${sayInteger(record.samples)} logged points since the onset lie above 3 σ`,
      record.samplesOut,
      "points",
    ),
  ];
  if (record.shape === "ramp")
    list.push(evidence("for", "It grew over many logged points; slow build-ups tend to last", null, null, "detection.md A.1, IDEFICS"));
  if (record.levelShift !== null) list.push(remainderEvidence(record.levelShift));
  if (record.state === "recovered")
    list.push(
      evidence(
        "against",
        `It was back by step ${sayInteger(record.endStep ?? record.lastStep)}, ${sayInteger((record.endStep ?? record.lastStep) - record.onsetStep)} steps after its onset`,
        (record.endStep ?? record.lastStep) - record.onsetStep,
        "steps",
      ),
    );
  if (record.state === "ongoing" && record.lastStep - record.onsetStep < parameters.waitSteps)
    list.push(
      evidence(
        "against",
        `It is ${sayInteger(record.lastStep - record.onsetStep)} steps old: of spikes that recover, half are back within 30 steps and nearly all within a few hundred`,
        record.lastStep - record.onsetStep,
        "steps",
        "detection.md A.5",
      ),
    );
  if (record.state === "shifted" || record.state === "diverged")
    list.push(
      evidence(
        "against",
        "No record of the data is compared: a change of the data mixture moves the level as well",
        null,
        null,
        "detection.md A.6",
      ),
    );
  if (record.baselineSamples < FULL_BASELINE)
    list.push(evidence("against", `The baseline rests on only ${record.baselineSamples} logged points`, record.baselineSamples, "points"));
  if (record.noiseFactor > 1.2)
    list.push(
      evidence(
        "neutral",
        `Neighbouring points share noise; the scale was widened by ${record.noiseFactor.toFixed(1)}`,
        record.noiseFactor,
        null,
        "autocorrelation of the baseline",
      ),
    );
  return list;
}

/** What the gradient norm beside it says. */
export function normEvidence(move: NormMove | null): Evidence[] {
  if (move === null)
    return [evidence("against", "No gradient norm is logged beside it: nothing to confirm it with", null, null, "grad_norm")];
  const moved = move.highestRatio >= MOVED_RATIO;
  const text = moved
    ? `The gradient norm rose to ${sayTimes(move.highestRatio)} its median at step ${sayInteger(move.highestStep)}`
    : `The gradient norm did not move: at most ${sayTimes(move.highestRatio)} its median`;
  const list = [evidence(moved ? "for" : "against", text, move.highestRatio, null, "grad_norm")];
  if (move.leadStep !== null)
    list.push(
      evidence("for", `The gradient norm was high before, from step ${sayInteger(move.leadStep)} on`, move.leadStep, null, "grad_norm"),
    );
  if (move.nowRatio >= MOVED_RATIO)
    list.push(evidence("for", `The gradient norm is still ${sayTimes(move.nowRatio)} its median`, move.nowRatio, null, "grad_norm"));
  return list;
}

/** The update norm is told of only where it says more than the gradient norm: where it rose first. */
export function updateEvidence(leadStep: number | null): Evidence[] {
  if (leadStep === null) return [];
  return [evidence("for", `The update norm was high before, from step ${sayInteger(leadStep)} on`, leadStep, null, "update_norm")];
}

/** Innocent causes to look at first: a changed learning rate, a fresh start. */
export function causeEvidence(onsetStep: number, firstStep: number | null, rate: RateCompanion): Evidence[] {
  const list: Evidence[] = [];
  const change = rate.change;
  if (change !== null && onsetStep >= change.step && onsetStep - change.step <= SUSPECT_STEPS) {
    const text = `The learning rate changed from ${sayValue(change.before)} to ${sayValue(change.after)} ${sayInteger(onsetStep - change.step)} steps before`;
    list.push(evidence("against", text, onsetStep - change.step, "steps", "learning_rate"));
  }
  if (firstStep !== null && onsetStep - firstStep <= SUSPECT_STEPS) {
    list.push(
      evidence(
        "against",
        `It began within ${SUSPECT_STEPS} steps of the attempt's first: check the resume, the learning rate and the sampler first`,
        onsetStep - firstStep,
        "steps",
        "detection.md A.6",
      ),
    );
  }
  return list;
}

function remainderEvidence(shift: { readonly value: number; readonly standardError: number }): Evidence {
  const errors = shift.value / Math.max(shift.standardError, Number.MIN_VALUE);
  const text = `The level afterwards is ${saySigned(shift.value)} ± ${sayValue(shift.standardError)} against the baseline carried on along its trend`;
  return evidence(errors > 3 ? "for" : "against", text, shift.value);
}
