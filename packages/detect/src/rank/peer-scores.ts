import { MAD_TO_SIGMA, medianInPlace } from "@trainwatch/stats";
import { LEAST_PEERS } from "./cohorts.ts";
import type { Cohorts } from "./cohorts.ts";
import { grown, packColumn, unpackColumn } from "./column.ts";

export interface PeerScoreRules {
  /** Steps in which a cohort's pooled MAD forgets half. */
  readonly halfLife: number;
  /** Least sigma, in the unit of the values. */
  readonly scaleFloor: number;
  /** Steps a rank must have reported before it is judged. */
  readonly warmUp: number;
  /** Share by which a rank's standing offset follows it each step. */
  readonly offsetRate: number;
  /** A deviation moves the offset by no more than it would at so many sigma. */
  readonly clip: number;
}

/** As stored. */
export interface StoredPeerScores {
  readonly offset: string;
  readonly seen: string;
  readonly streak: string;
  readonly scale: string;
}

/** How each rank stands among its cohort at one step. Columns are of the scorer and good until its next call. */
export interface PeerScores {
  /** Deviation from cohort median and own standing offset, in pooled sigma; NaN where a rank has no value or is not judged yet. */
  readonly z: Float32Array;
  /** Cohort's median of values less offsets, and its sigma: expected of a rank is `centre + offset`. NaN where too few report. */
  readonly centre: Float64Array;
  readonly sigma: Float64Array;
  readonly offset: Float32Array;
  /** Steps from which the offset was learned. */
  readonly seen: Uint16Array;
}

export interface PeerScorer {
  /** @param values one a rank, on the scale to be compared; what is not finite has no say @param frozen ranks whose offset stands still, by a 1 */
  score(values: Float64Array, cohorts: Cohorts, frozen: Uint8Array): PeerScores;
  /** Forgets one rank's offset: it is learned anew. */
  forget(rank: number): void;
  pack(): StoredPeerScores;
}

/** So many deviations in a row beyond the clip while a rank warms up, and its first offset was wrong: an outlier, or far from all others. */
const WRONG_START = 3;
/** From so many peers on, a step's own MAD is sure enough to widen the pooled one at once. */
const PEERS_FOR_OWN_SCALE = 64;
/** So large a share of exactly equal values is a printed grid. */
const ALIKE = 0.25;
const MOST_SEEN = 65_535;
/** Beyond it a score says nothing more; it must stay a number in JSON. */
const MOST_SCORE = 1e6;

/**
 * Robust scores among peers, detection.md B.4: centre is the cohort's median at the step, which removes what is common to the batch; scale its MAD pooled over
 * time, because one step's MAD of few peers is mostly chance; a slow clipped average takes out each rank's standing offset. Where values are written to
 * few digits, half a digit is the least sigma.
 */
export function createPeerScorer(rules: PeerScoreRules, stored: StoredPeerScores | null): PeerScorer {
  let offset = stored === null ? new Float32Array() : unpackColumn(Float32Array, stored.offset);
  let seen = stored === null ? new Uint16Array() : unpackColumn(Uint16Array, stored.seen);
  let streak = stored === null ? new Uint8Array() : unpackColumn(Uint8Array, stored.streak);
  /** Three a cohort: weighted sum of MADs, its weight, and the digit that values are printed to. */
  let scale = stored === null ? new Float64Array() : unpackColumn(Float64Array, stored.scale);
  let z = new Float32Array();
  let centre = new Float64Array();
  let sigma = new Float64Array();
  let held = new Float64Array();
  let scratch = new Float64Array();
  let who = new Uint32Array();
  const keep = 0.5 ** (1 / rules.halfLife);

  const learn = (rank: number, deviation: number, width: number): void => {
    const steps = seen[rank] ?? 0;
    const far = Math.abs(deviation) >= rules.clip * width;
    const rate = Math.max(rules.offsetRate, 1 / (steps + 1));
    let move = rate * Math.min(Math.max(deviation, -rules.clip * width), rules.clip * width);
    let next = Math.min(MOST_SEEN, steps + 1);
    if (steps < rules.warmUp) {
      const sign = deviation > 0 ? 16 : 0;
      const before = streak[rank] ?? 0;
      const run = far ? ((before & 16) === sign ? (before & 15) + 1 : 1) : 0;
      streak[rank] = run === 0 ? 0 : sign | run;
      if (run >= WRONG_START) {
        move = deviation;
        next = 1;
        streak[rank] = 0;
      }
    }
    offset[rank] = (offset[rank] ?? 0) + move;
    seen[rank] = next;
  };

  const grow = (ranks: number, cohorts: number): void => {
    offset = grown(Float32Array, offset, ranks);
    seen = grown(Uint16Array, seen, ranks);
    streak = grown(Uint8Array, streak, ranks);
    scale = grown(Float64Array, scale, 3 * cohorts);
    if (z.length !== ranks) z = new Float32Array(ranks);
    if (centre.length !== cohorts) [centre, sigma] = [new Float64Array(cohorts), new Float64Array(cohorts)];
    if (held.length < ranks) [held, scratch, who] = [new Float64Array(ranks), new Float64Array(ranks), new Uint32Array(ranks)];
  };

  /** Sigma of this step, and what is remembered of it. */
  const widthOf = (cohort: number, count: number, median: number, values: Float64Array): number => {
    let nearest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let index = 0; index < count; index++) {
      const away = Math.abs((held[index] ?? 0) - median);
      scratch[index] = away;
      if (away < least) [least, nearest] = [away, index];
    }
    const own = MAD_TO_SIGMA * smallSampleFactor(count) * medianInPlace(scratch, count);
    // Values so far apart that their difference is no number any more say nothing about what is usual.
    if (!Number.isFinite(own)) return Number.NaN;
    const at = 3 * cohort;
    const weight = scale[at + 1] ?? 0;
    const pooled = weight === 0 ? own : (scale[at] ?? 0) / weight;
    scale[at] = keep * (scale[at] ?? 0) + own;
    scale[at + 1] = keep * weight + 1;
    scale[at + 2] = gridOf(values, count, values[who[nearest] ?? 0] ?? Number.NaN, scale[at + 2] ?? 0);
    return Math.max(rules.scaleFloor, (scale[at + 2] ?? 0) / 2, pooled, count >= PEERS_FOR_OWN_SCALE ? own : 0);
  };

  /** The digit that values are printed to, where many are alike: the least distance between others. Continuous values are never alike, and have none. */
  const gridOf = (values: Float64Array, count: number, reference: number, before: number): number => {
    let grid = Number.POSITIVE_INFINITY;
    let alike = 0;
    for (let index = 0; index < count; index++) {
      const away = Math.abs((values[who[index] ?? 0] ?? 0) - reference);
      if (away === 0) alike++;
      else if (away < grid) grid = away;
    }
    if (alike < ALIKE * count) return 0.9 * before;
    if (!Number.isFinite(grid)) return before;
    return before === 0 ? grid : Math.min(grid, 1.01 * before);
  };

  const scoreCohort = (values: Float64Array, cohorts: Cohorts, cohort: number, frozen: Uint8Array): void => {
    const { members, starts } = cohorts;
    let count = 0;
    for (let at = starts[cohort] ?? 0, end = starts[cohort + 1] ?? 0; at < end; at++) {
      const rank = members[at] ?? 0;
      const value = values[rank] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      held[count] = value - (offset[rank] ?? 0);
      who[count++] = rank;
    }
    centre[cohort] = sigma[cohort] = Number.NaN;
    if (count < LEAST_PEERS) return;
    scratch.set(held.subarray(0, count));
    const median = medianInPlace(scratch, count);
    const width = widthOf(cohort, count, median, values);
    if (Number.isNaN(width)) return;
    for (let index = 0; index < count; index++) {
      const rank = who[index] ?? 0;
      const deviation = (held[index] ?? 0) - median;
      if ((seen[rank] ?? 0) >= rules.warmUp) z[rank] = Math.min(Math.max(deviation / width, -MOST_SCORE), MOST_SCORE);
      if (frozen[rank] !== 1) learn(rank, deviation, width);
    }
    centre[cohort] = median;
    sigma[cohort] = width;
  };

  return {
    score(values, cohorts, frozen) {
      grow(values.length, cohorts.count);
      z.fill(Number.NaN);
      for (let cohort = 0; cohort < cohorts.count; cohort++) scoreCohort(values, cohorts, cohort, frozen);
      return { z, centre, sigma, offset, seen };
    },
    forget(rank) {
      if (rank < seen.length) [seen[rank], streak[rank], offset[rank]] = [0, 0, 0];
    },
    pack: () => ({ offset: packColumn(offset), seen: packColumn(seen), streak: packColumn(streak), scale: packColumn(scale) }),
  };
}

/** The MAD of few values is too small on average: Croux & Rousseeuw 1992, b_n for n below 10, n / (n - 0.8) from there on. */
function smallSampleFactor(count: number): number {
  if (count >= 10) return count / (count - 0.8);
  return count === 9 ? 1.107 : 1.129;
}
