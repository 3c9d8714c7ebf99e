import type { CusumDesign } from "@trainwatch/stats";
import { grown, packColumn, unpackColumn } from "./column.ts";

/** As stored. */
export interface StoredCusumColumn {
  readonly sums: string;
  readonly ages: string;
}

/** One one-sided winsorised CUSUM a rank (Page 1954; stats' `cusumNext`, column-wise because there are up to a million of them). */
export interface CusumColumn {
  /**
   * Takes one score a rank, NaN where there is none; gives the ranks whose sum exceeds h, ascending.
   * @param seen steps from which each rank's offset was learned: `allowance[seen]` is added to k
   */
  advance(z: Float32Array, seen: Uint16Array, allowance: Float32Array): readonly number[];
  sum(rank: number): number;
  /** Steps since the rank's sum was last zero; 0 where it is. Saturates. */
  age(rank: number): number;
  reset(rank: number): void;
  pack(): StoredCusumColumn;
}

const OLDEST = 65_535;

/** @param sign 1 for a rise, -1 for a fall @param most where the sum stops: beyond what any rule asks for it only delays the end */
export function createCusumColumn(design: CusumDesign, sign: 1 | -1, most: number, stored: StoredCusumColumn | null): CusumColumn {
  let sums = stored === null ? new Float32Array() : unpackColumn(Float32Array, stored.sums);
  let ages = stored === null ? new Uint16Array() : unpackColumn(Uint16Array, stored.ages);
  const { k, h, clip } = design;
  return {
    advance(z, seen, allowance) {
      const ranks = z.length;
      sums = grown(Float32Array, sums, ranks);
      ages = grown(Uint16Array, ages, ranks);
      const last = allowance.length - 1;
      const alarms: number[] = [];
      for (let rank = 0; rank < ranks; rank++) {
        const score = z[rank] ?? Number.NaN;
        const before = sums[rank] ?? 0;
        let sum = before;
        if (score === score) {
          const signed = sign * score;
          const clipped = signed > clip ? clip : signed < -clip ? -clip : signed;
          const steps = seen[rank] ?? 0;
          sum = before + clipped - k - (allowance[steps < last ? steps : last] ?? 0);
        }
        if (sum <= 0) {
          if (before > 0) sums[rank] = ages[rank] = 0;
          continue;
        }
        sums[rank] = sum < most ? sum : most;
        // Also where the rank is silent: the age counts the run's steps.
        if (score === score || before > 0) ages[rank] = Math.min(OLDEST, (ages[rank] ?? 0) + 1);
        if (sum > h) alarms.push(rank);
      }
      return alarms;
    },
    sum: (rank) => sums[rank] ?? 0,
    age: (rank) => ages[rank] ?? 0,
    reset(rank) {
      if (rank < sums.length) sums[rank] = ages[rank] = 0;
    },
    pack: () => ({ sums: packColumn(sums), ages: packColumn(ages) }),
  };
}

/**
 * What is added to k while a rank's offset rests on few steps: `perStep / n` less what it is in the long run (`perStep / settled`). An offset learned from n
 * scores of variance v is off by a variance v / n; where ln(run length) changes by c per sigma of shift, alarms grow by exp(c² v / 2n), and adding c v / 2n to k takes that back.
 */
export function offsetAllowance(perStep: number, settled: number): Float32Array {
  return Float32Array.from({ length: settled + 1 }, (_, steps) =>
    steps === 0 ? perStep : Math.max(0, perStep / steps - perStep / settled),
  );
}
