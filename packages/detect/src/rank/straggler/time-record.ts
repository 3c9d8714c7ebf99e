import { median } from "@trainwatch/stats";
import { stepAt } from "../recent-steps.ts";
import type { TimeTrack } from "./time-track.ts";

/** A rank or a node that is slow. JSON-safe. Deviations are on the track's scale. */
export interface TimeRecord {
  readonly kind: "rank" | "node";
  /** Rank number, or node id. */
  readonly id: string;
  readonly ranks: readonly number[];
  readonly onsetStep: number;
  readonly onsetTimeMs: number | null;
  readonly onsetLowerStep: number;
  readonly detectedStep: number;
  readonly detectedTimeMs: number | null;
  /** Slow since it is known, or so slowly grown that its own offset took it up: no step can be named. */
  readonly standing: boolean;
  /** Moving average of the deviation at the alarm, or the largest that it was since, and where. */
  excess: number;
  peakStep: number;
  peakValue: number;
  expected: number;
  /** Of its first rank at the alarm. */
  readonly score: number;
  readonly stepsToAlarm: number;
  /** Communication time as a share of its peers' median at the alarm; null where unknown. */
  readonly waits: number | null;
  level: number;
  calm: number;
  steps: number;
  lastSlowStep: number;
  crowd: number | null;
  /** Shifted: what it was compared with is gone, and it is not followed any further. */
  state: "ongoing" | "recovered" | "shifted";
  endStep: number | null;
}

export interface StepFacts {
  readonly step: number;
  readonly timeMs: number | null;
  /** The value of a rank in the unit that is told, and what is expected of it. */
  value(rank: number): number;
  expected(rank: number): number;
  waits(rank: number): number | null;
}

const LEVEL_RATE = 0.15;
/** Steps near its peers after which it is over. */
const CALM_STEPS = 20;

export function openTimeRecord(
  track: TimeTrack,
  at: StepFacts,
  unit: Pick<TimeRecord, "kind" | "id" | "ranks">,
  alarmed: number,
  standing: boolean,
): TimeRecord {
  const age = Math.max(1, track.age(alarmed));
  const recent = track.recent();
  const onset = standing ? stepAt(recent, recent.steps.length) : stepAt(recent, Math.min(age, track.fewest(alarmed)));
  const lower = standing ? 0 : stepAt(recent, age).earliest;
  const excess = standing ? track.offset(alarmed) : median(unit.ranks.map((rank) => track.excess(rank)));
  return {
    ...unit,
    onsetStep: onset.step,
    onsetTimeMs: onset.timeMs,
    onsetLowerStep: Math.min(lower, onset.step),
    detectedStep: at.step,
    detectedTimeMs: at.timeMs,
    standing,
    excess,
    peakStep: at.step,
    peakValue: at.value(alarmed),
    expected: at.expected(alarmed),
    score: track.z(alarmed),
    stepsToAlarm: age,
    waits: at.waits(alarmed),
    level: excess,
    calm: 0,
    steps: age,
    lastSlowStep: at.step,
    crowd: null,
    state: "ongoing",
    endStep: null,
  };
}

/** One more step; whether anything has changed that is worth telling. */
export function followTimeRecord(record: TimeRecord, track: TimeTrack, at: StepFacts, material: number): boolean {
  const own = record.ranks
    .map((rank) => track.deviation(rank) + (record.standing ? track.offset(rank) : 0))
    .filter((one) => !Number.isNaN(one));
  if (own.length === 0) return false;
  const now = Math.min(median(own), 4 * material);
  record.steps++;
  record.level += LEVEL_RATE * (now - record.level);
  if (now >= material / 2) record.lastSlowStep = at.step;
  record.calm = record.level < material / 2 && now < material ? record.calm + 1 : 0;
  if (record.level > 1.2 * record.excess) {
    const rank = record.ranks.find((one) => Number.isFinite(at.value(one))) ?? 0;
    Object.assign(record, { excess: record.level, peakStep: at.step, peakValue: at.value(rank), expected: at.expected(rank) });
    return true;
  }
  if (record.calm < CALM_STEPS) return record.steps >= 64 && (record.steps & (record.steps - 1)) === 0;
  record.state = "recovered";
  record.endStep = record.lastSlowStep;
  return true;
}

/** Its peers, or what is compared, are others now: it is not followed any further, and must not go on for ever. */
export function leaveTimeRecord(record: TimeRecord): TimeRecord {
  return { ...record, state: "shifted", endStep: record.lastSlowStep };
}
