import type { Cohorts } from "../cohorts.ts";
import { grown, packColumn, unpackColumn } from "../column.ts";
import { createCusumColumn, offsetAllowance } from "../cusum-column.ts";
import type { StoredCusumColumn } from "../cusum-column.ts";
import { ALLOWANCE, settledSteps } from "../deviation/rules.ts";
import { createPeerScorer } from "../peer-scores.ts";
import type { PeerScores, StoredPeerScores } from "../peer-scores.ts";
import { newRecentSteps, noteStep } from "../recent-steps.ts";
import type { RecentSteps } from "../recent-steps.ts";
import type { TimeRules } from "./rules.ts";

export interface StoredTimeTrack {
  readonly recent: RecentSteps;
  readonly judged: number;
  readonly scorer: StoredPeerScores | null;
  readonly sums: StoredCusumColumn | null;
  readonly excess: string;
}

export const NEW_TIME_TRACK: StoredTimeTrack = { recent: newRecentSteps(), judged: 0, scorer: null, sums: null, excess: "" };

/** One time of all ranks, on a scale on which slowness is a difference (log seconds, or shares of a step). */
export interface TimeTrack {
  /** Ranks whose sum is beyond h and that are slow by the material share on a moving average. */
  observe(
    at: { readonly step: number; readonly timeMs: number | null },
    values: Float64Array,
    cohorts: Cohorts,
    frozen: Uint8Array,
  ): readonly number[];
  /** How far above its peers and its own offset the rank was at the newest step; NaN where it said nothing. */
  deviation(rank: number): number;
  z(rank: number): number;
  /** Expected of the rank at the newest step. */
  expected(rank: number): number;
  /** Moving average of the deviation, and how many steps ago the sum left zero. */
  excess(rank: number): number;
  age(rank: number): number;
  sum(rank: number): number;
  /** Fewest steps in which clipped scores can have made the sum: of slowness on every step, all that it took. */
  fewest(rank: number): number;
  /** Ranks whose standing offset alone is as far as `least`. */
  standing(least: number): readonly number[];
  offset(rank: number): number;
  reset(rank: number): void;
  /** Its sum begins anew, and its standing offset is learned anew. */
  forget(rank: number): void;
  recent(): RecentSteps;
  judged(): number;
  pack(): StoredTimeTrack;
}

export function createTimeTrack(rules: TimeRules, material: number, stored: StoredTimeTrack): TimeTrack {
  const recent: RecentSteps = { steps: [...stored.recent.steps], times: [...stored.recent.times] };
  const allowance = offsetAllowance(ALLOWANCE.fast, settledSteps(rules.offset_rate));
  const { half_life: halfLife, scale_floor: scaleFloor, warm_up: warmUp, offset_rate: offsetRate, clip, k, h } = rules;
  const scorer = createPeerScorer({ halfLife, scaleFloor, warmUp, offsetRate, clip }, stored.scorer);
  const column = createCusumColumn({ k, h, clip }, 1, 2 * h, stored.sums);
  let excess = unpackColumn(Float32Array, stored.excess);
  let judged = stored.judged;
  let scores: PeerScores | null = null;
  let of: Cohorts["of"] = new Int32Array();
  const sigmaOf = (rank: number): number => scores?.sigma[of[rank] ?? -1] ?? Number.NaN;
  const zOf = (rank: number): number => scores?.z[rank] ?? Number.NaN;
  const excessOf = (rank: number): number => excess[rank] ?? 0;
  return {
    observe({ step, timeMs }, values, cohorts, frozen) {
      noteStep(recent, step, timeMs);
      of = cohorts.of;
      scores = scorer.score(values, cohorts, frozen);
      const beyond = column.advance(scores.z, scores.seen, allowance);
      excess = grown(Float32Array, excess, values.length);
      let any = false;
      for (let rank = 0; rank < values.length; rank++) {
        const z = scores.z[rank] ?? Number.NaN;
        any ||= !Number.isNaN(z);
        if (Number.isNaN(z)) continue;
        const before = excess[rank] ?? 0;
        // A pause of minutes must not make slowness of the steps around it.
        const now = Math.min(MOST_EXCESS * material, Math.max(z * sigmaOf(rank), -material));
        excess[rank] = before + EXCESS_RATE * (now - before);
      }
      if (any) judged++;
      return beyond.filter((rank) => excessOf(rank) >= material);
    },
    deviation: (rank) => zOf(rank) * sigmaOf(rank),
    z: zOf,
    expected: (rank) => (scores?.centre[of[rank] ?? -1] ?? Number.NaN) + (scores?.offset[rank] ?? Number.NaN),
    excess: excessOf,
    age: (rank) => column.age(rank),
    sum: (rank) => column.sum(rank),
    fewest: (rank) => Math.max(1, Math.ceil(column.sum(rank) / (clip - k))),
    standing(least) {
      const far: number[] = [];
      if (scores === null) return far;
      const { offset, seen } = scores;
      for (let rank = 0; rank < scores.z.length; rank++) {
        const isJudged = (seen[rank] ?? 0) >= warmUp && !Number.isNaN(zOf(rank));
        if (isJudged && (offset[rank] ?? 0) >= least) far.push(rank);
      }
      return far;
    },
    offset: (rank) => scores?.offset[rank] ?? 0,
    reset(rank) {
      column.reset(rank);
      excess[rank] = 0;
    },
    forget(rank) {
      column.reset(rank);
      excess[rank] = 0;
      scorer.forget(rank);
    },
    recent: () => recent,
    judged: () => judged,
    pack: () => ({ recent, judged, scorer: scorer.pack(), sums: column.pack(), excess: packColumn(excess) }),
  };
}

/** Of the moving average: what was on every step of the seven that an alarm takes at least is in it by 92 %, what was before is forgotten. */
const EXCESS_RATE = 0.3;
/** In material shares: one step counts as at most so much. */
const MOST_EXCESS = 4;
