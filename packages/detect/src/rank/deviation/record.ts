import type { RankStep } from "../contract.ts";
import { stepAt } from "../recent-steps.ts";
import type { DeviationRules } from "./rules.ts";
import type { DeviationAlarm, DeviationTrack, Sign } from "./track.ts";

/** One rank's excursion in one metric. JSON-safe. */
export interface DeviationRecord {
  readonly metric: string;
  readonly rank: number;
  readonly sign: Sign;
  readonly design: "fast" | "slow";
  readonly onsetStep: number;
  readonly onsetTimeMs: number | null;
  readonly onsetLowerStep: number;
  readonly detectedStep: number;
  readonly detectedTimeMs: number | null;
  readonly shape: "jump" | "ramp";
  /** Mean clipped score from onset to alarm, in sigma, and over how many steps. */
  readonly meanScore: number;
  readonly stepsToAlarm: number;
  /** Steps on which it deviated by `FAR` or more: each is another batch. Those before the alarm as few as the sum allows. */
  far: number;
  lastFarStep: number;
  sinceFar: number;
  /** Moving average of its signed score. */
  level: number;
  /** At the newest extreme: score, step, value and what its peers made expect. */
  peakZ: number;
  peakStep: number;
  peakValue: number;
  expected: number;
  /** Steps since the alarm on which the rank was judged. */
  followed: number;
  /** The sum has gone on to the page's level. */
  paged: boolean;
  /** Step of the alarm before on this rank, where it was not long ago. */
  readonly againAfter: number | null;
  /** Share of all ranks that deviated with it, where they were too many for a single device. */
  crowd: number | null;
  state: "ongoing" | "recovered" | "shifted";
  endStep: number | null;
}

/** In sigma: beyond it a step counts as deviating. */
export const FAR = 3;
/** A mean score of this over the way to the alarm is a fault on nearly every step, from one step on. */
const JUMP_SCORE = 3;
const LEVEL_RATE = 0.1;
/** So many steps without one that deviates, at a level near that of its peers, and it is over: at 10 % of steps, 0.5 % of gaps are as long. */
const CALM = { steps: 50, level: 1 } as const;
/** After so many steps the new level is taken as the rank's own. */
const LONGEST = 2_000;

/** The record of an alarm. @param at score, expected value in the unit of the metric, and the alarm before on this rank */
export function openRecord(
  track: DeviationTrack,
  rules: DeviationRules,
  step: RankStep,
  alarm: DeviationAlarm,
  at: { readonly z: number; readonly expected: number; readonly againAfter: number | null },
): DeviationRecord {
  const { rank, sign, design } = alarm;
  const age = track.age(design, sign, rank);
  const k = design === "fast" ? rules.fast_k : rules.slow_k;
  const meanScore = track.sum(design, sign, rank) / Math.max(1, age) + k;
  const isJump = meanScore >= JUMP_SCORE;
  // A clipped score adds at most so much: a fault on every step took no more steps than that, and what the sum was above zero before was noise.
  const fewest = Math.ceil(track.sum(design, sign, rank) / (rules.clip - k));
  const onset = stepAt(track.recent(), isJump ? Math.min(age, fewest) : age);
  // A sum may have touched zero since a fault began that shows on some steps only, or grows: then it began earlier than it seems.
  const longest = Math.max(age, track.age("slow", sign, rank));
  const lower = stepAt(track.recent(), isJump ? age : 2 * longest).earliest;
  return {
    metric: step.metric,
    rank,
    sign,
    design,
    onsetStep: onset.step,
    onsetTimeMs: onset.timeMs,
    onsetLowerStep: lower,
    detectedStep: step.step,
    detectedTimeMs: step.timeMs,
    shape: isJump ? "jump" : "ramp",
    meanScore,
    stepsToAlarm: age,
    far: fewest,
    lastFarStep: step.step,
    sinceFar: 0,
    level: sign * Math.min(Math.max(meanScore, -rules.clip), rules.clip),
    peakZ: at.z,
    peakStep: step.step,
    peakValue: step.values[rank] ?? Number.NaN,
    expected: at.expected,
    followed: 0,
    paged: false,
    againAfter: at.againAfter,
    crowd: null,
    state: "ongoing",
    endStep: null,
  };
}

/** Takes one more step of the rank; whether anything has changed that is worth telling. `z` is NaN where it said nothing. */
export function followRecord(
  record: DeviationRecord,
  track: DeviationTrack,
  rules: DeviationRules,
  step: RankStep,
  at: { readonly z: number; readonly expected: number },
): boolean {
  if (Number.isNaN(at.z)) return false;
  record.followed++;
  const signed = record.sign * at.z;
  const isFar = signed >= FAR;
  record.level += LEVEL_RATE * (record.sign * Math.min(Math.max(signed, -rules.clip), rules.clip) - record.level);
  record.sinceFar = isFar ? 0 : record.sinceFar + 1;
  let isNews = false;
  if (isFar) {
    record.far++;
    record.lastFarStep = step.step;
    isNews = record.far >= 16 && (record.far & (record.far - 1)) === 0;
  }
  if (signed > record.sign * record.peakZ) {
    Object.assign(record, { peakZ: at.z, peakStep: step.step, peakValue: step.values[record.rank] ?? Number.NaN, expected: at.expected });
  }
  const { rank, sign } = record;
  if (!record.paged && (track.sum("fast", sign, rank) >= rules.fast_page || track.sum("slow", sign, rank) >= rules.slow_page)) {
    record.paged = true;
    isNews = true;
  }
  const isCalm = record.sinceFar >= CALM.steps && Math.abs(record.level) < CALM.level;
  if (!isCalm && record.followed < LONGEST) return isNews;
  record.state = isCalm ? "recovered" : "shifted";
  record.endStep = isCalm ? record.lastFarStep : step.step;
  return true;
}
