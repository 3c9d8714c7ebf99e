import type { Cohorts } from "../cohorts.ts";
import type { RankStep } from "../contract.ts";
import { createCusumColumn, offsetAllowance } from "../cusum-column.ts";
import type { CusumColumn, StoredCusumColumn } from "../cusum-column.ts";
import { createPeerScorer } from "../peer-scores.ts";
import type { PeerScores, StoredPeerScores } from "../peer-scores.ts";
import { newRecentSteps, noteStep } from "../recent-steps.ts";
import type { RecentSteps } from "../recent-steps.ts";
import { ALLOWANCE, settledSteps } from "./rules.ts";
import type { DeviationRules } from "./rules.ts";

export type Sign = 1 | -1;
const SIGNS = [1, -1] as const;

export interface DeviationAlarm {
  readonly rank: number;
  readonly sign: Sign;
  /** Which sum: the fast one where both exceed. */
  readonly design: "fast" | "slow";
}

/** As stored. */
export interface StoredTrack {
  readonly linear: boolean;
  readonly judgedSteps: number;
  readonly recent: RecentSteps;
  readonly scorer: StoredPeerScores | null;
  readonly sums: Readonly<Record<string, StoredCusumColumn>>;
}

export const NEW_TRACK: StoredTrack = { linear: false, judgedSteps: 0, recent: newRecentSteps(), scorer: null, sums: {} };

/** One metric of all ranks: scores among peers and four sums on each. */
export interface DeviationTrack {
  observe(
    step: RankStep,
    cohorts: Cohorts,
    frozen: Uint8Array,
  ): { readonly scores: PeerScores; readonly alarms: readonly DeviationAlarm[] };
  /** In the metric's unit: what the newest step's peers make expect of the rank. */
  expected(rank: number, cohort: number): number;
  sum(design: "fast" | "slow", sign: Sign, rank: number): number;
  age(design: "fast" | "slow", sign: Sign, rank: number): number;
  /** The rank's sums begin anew. */
  reset(rank: number): void;
  /** The rank's standing offset is learned anew. */
  forget(rank: number): void;
  recent(): RecentSteps;
  judgedSteps(): number;
  pack(): StoredTrack;
}

export function createDeviationTrack(rules: DeviationRules, stored: StoredTrack): DeviationTrack {
  let linear = stored.linear;
  let judgedSteps = stored.judgedSteps;
  const recent: RecentSteps = { steps: [...stored.recent.steps], times: [...stored.recent.times] };
  const settled = settledSteps(rules.offset_rate);
  const allowance = { fast: offsetAllowance(ALLOWANCE.fast, settled), slow: offsetAllowance(ALLOWANCE.slow, settled) };
  const scorerOf = (from: StoredPeerScores | null) =>
    createPeerScorer(
      { halfLife: rules.half_life, scaleFloor: rules.scale_floor, warmUp: rules.warm_up, offsetRate: rules.offset_rate, clip: rules.clip },
      from,
    );
  let scorer = scorerOf(stored.scorer);
  let sums = columnsOf(rules, stored.sums);
  let scores: PeerScores | null = null;
  let scaled = new Float64Array();

  const scale = ({ values }: RankStep): Float64Array => {
    if (scaled.length !== values.length) scaled = new Float64Array(values.length);
    for (let rank = 0; rank < values.length; rank++) {
      const value = values[rank] ?? Number.NaN;
      // A gradient that is exactly zero on one rank is a fault, and far below every other on the log.
      scaled[rank] = linear || !Number.isFinite(value) ? value : Math.log(Math.max(value, Number.MIN_VALUE));
    }
    return scaled;
  };

  return {
    observe(step, cohorts, frozen) {
      // A loss below zero (RL) has no log: from there on the metric is judged as it stands, and learned anew.
      if (!linear && step.values.some((value) => value < 0 && value !== Number.NEGATIVE_INFINITY)) {
        linear = true;
        scorer = scorerOf(null);
        sums = columnsOf(rules, {});
      }
      noteStep(recent, step.step, step.timeMs);
      scores = scorer.score(scale(step), cohorts, frozen);
      const found = new Map<number, DeviationAlarm>();
      for (const { design, sign, column } of sums) {
        for (const rank of column.advance(scores.z, scores.seen, allowance[design]))
          if (!found.has(rank)) found.set(rank, { rank, sign, design });
      }
      if (scores.z.some((z) => !Number.isNaN(z))) judgedSteps++;
      return { scores, alarms: [...found.values()] };
    },
    expected(rank, cohort) {
      const on = (scores?.centre[cohort] ?? Number.NaN) + (scores?.offset[rank] ?? Number.NaN);
      return linear ? on : Math.min(Number.MAX_VALUE, Math.exp(on));
    },
    sum: (design, sign, rank) => columnOf(sums, design, sign).sum(rank),
    age: (design, sign, rank) => columnOf(sums, design, sign).age(rank),
    reset(rank) {
      for (const { column } of sums) column.reset(rank);
    },
    forget: (rank) => scorer.forget(rank),
    recent: () => recent,
    judgedSteps: () => judgedSteps,
    pack: () => ({
      linear,
      judgedSteps,
      recent,
      scorer: scorer.pack(),
      sums: Object.fromEntries(sums.map(({ name, column }) => [name, column.pack()])),
    }),
  };
}

interface NamedColumn {
  readonly name: string;
  readonly design: "fast" | "slow";
  readonly sign: Sign;
  readonly column: CusumColumn;
}

/** The fast sums first: where both alarm at one step, the fast one dates the onset better. */
function columnsOf(rules: DeviationRules, stored: StoredTrack["sums"]): readonly NamedColumn[] {
  const designs = [
    { design: "fast", k: rules.fast_k, h: rules.fast_h, most: Math.max(rules.fast_h, rules.fast_page) + rules.clip },
    { design: "slow", k: rules.slow_k, h: rules.slow_h, most: Math.max(rules.slow_h, rules.slow_page) + rules.clip },
  ] as const;
  return designs.flatMap(({ design, k, h, most }) =>
    SIGNS.map((sign) => {
      const name = `${design}${sign > 0 ? "Up" : "Down"}`;
      return { name, design, sign, column: createCusumColumn({ k, h, clip: rules.clip }, sign, most, stored[name] ?? null) };
    }),
  );
}

function columnOf(sums: readonly NamedColumn[], design: "fast" | "slow", sign: Sign): CusumColumn {
  const named = sums.find((candidate) => candidate.design === design && candidate.sign === sign);
  if (named === undefined) throw new Error(`no ${design} sum of sign ${sign}`);
  return named.column;
}
