import type { CellTest } from "@trainwatch/core";
import { mcnemarExact, nonInferiority, normalQuantile, pairedBootstrap, pairedDifference, pairedShareInterval } from "@trainwatch/stats";
import type { PairedDifference } from "@trainwatch/stats";
import type { Joins } from "./align.ts";
import type { Reading } from "./reading.ts";
import type { SampleScores } from "./sample-scores.ts";

/** A difference (candidate − baseline, in the row's unit) and what is known of it. */
export interface Difference {
  readonly test: CellTest;
  readonly delta: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly error: number | null;
  readonly p: number | null;
  readonly pairs: number | null;
  readonly lost: number | null;
  readonly won: number | null;
  /** Standard deviation of one pair's difference; null where samples are not paired. */
  readonly perPairSd: number | null;
  /** Whether a loss beyond `margin` is ruled out at the level, one-sided; `direction` 1 where higher is better, else −1. */
  nonInferior(direction: 1 | -1, margin: number): boolean | null;
}

export interface TestOptions {
  readonly level: number;
  readonly seed: number;
  /** Resamples of a bootstrap; 0: too many samples in this comparison, Student's t serves. */
  readonly draws: number;
}

/** Fewer pairs show too little of their distribution to be resampled; from so many on the mean is normal enough for t. Both ends are left to Student's t. */
const BOOTSTRAP_FROM = 30;
const BOOTSTRAP_BELOW = 1_000;

export interface Pairing {
  readonly difference: Difference;
  /** Samples that only one of the two has scored. */
  readonly alone: number;
}

/**
 * Tests the difference on the samples that both have scored: McNemar exact with Tango's interval for pass and fail, a paired bootstrap for other
 * means (Student's t under 30 pairs and from 1,000 on), cluster-robust where samples share a cluster. Null: fewer than two common samples, or so few that
 * comparing the two means says more (under half of the smaller side).
 */
export function pairedTest(baseline: Reading, candidate: Reading, joins: Joins, options: TestOptions): Pairing | null {
  const [own, other] = [baseline.samples, candidate.samples];
  if (own === null || other === null || baseline.factor !== candidate.factor) return null;
  const { places } = joins.align(own.keys, other.keys);
  const counted = countPairs(own, other, places);
  if (counted.pairs < 2 || counted.pairs < Math.min(own.n, other.n) / 2) return null;
  const alone = own.n + other.n - 2 * counted.pairs;
  const clusters = clustersOf(own, other, places);
  if (counted.isBinary && clusters === null) return { difference: shareDifference(counted, baseline.factor, options), alone };
  const difference = meanDifference({ own, other, places, clusters, counted, factor: baseline.factor }, options);
  return difference === null ? null : { difference, alone };
}

interface Counted {
  readonly pairs: number;
  readonly lost: number;
  readonly won: number;
  readonly isBinary: boolean;
}

function countPairs(own: SampleScores, other: SampleScores, places: Int32Array): Counted {
  let pairs = 0;
  let lost = 0;
  let won = 0;
  for (let sample = 0; sample < places.length; sample++) {
    const place = places[sample] ?? -1;
    if (place < 0) continue;
    const change = (other.scores[place] ?? Number.NaN) - (own.scores[sample] ?? Number.NaN);
    if (Number.isNaN(change)) continue;
    pairs++;
    if (change < 0) lost++;
    else if (change > 0) won++;
  }
  return { pairs, lost, won, isBinary: own.isBinary && other.isBinary };
}

function shareDifference({ pairs, lost, won }: Counted, factor: number, { level }: TestOptions): Difference {
  const { low, high } = pairedShareInterval(lost, won, pairs, level);
  const delta = (won - lost) / pairs;
  const variance = (lost + won) / pairs - delta * delta;
  const perPairSd = Math.sqrt(Math.max(0, (variance * pairs) / (pairs - 1)));
  return {
    test: "mcnemar-exact",
    delta: delta * factor,
    low: low * factor,
    high: high * factor,
    // Of the interval's width, so that it is no zero where no sample differs.
    error: ((high - low) * factor) / (2 * normalQuantile((1 + level) / 2)),
    p: mcnemarExact(lost, won).p,
    pairs,
    lost,
    won,
    perPairSd: perPairSd * factor,
    nonInferior: (direction, margin) => {
      const oneSided = pairedShareInterval(lost, won, pairs, 2 * level - 1);
      return (direction === 1 ? oneSided.low : -oneSided.high) * factor > -margin;
    },
  };
}

interface Paired {
  readonly own: SampleScores;
  readonly other: SampleScores;
  readonly places: Int32Array;
  readonly clusters: Float64Array | null;
  readonly counted: Counted;
  readonly factor: number;
}

function meanDifference({ own, other, places, clusters, counted, factor }: Paired, { level, seed, draws }: TestOptions): Difference | null {
  const differences = new Float64Array(places.length);
  for (let sample = 0; sample < places.length; sample++) {
    const place = places[sample] ?? -1;
    const change = place < 0 ? Number.NaN : (other.scores[place] ?? Number.NaN) - (own.scores[sample] ?? Number.NaN);
    differences[sample] = change * factor;
  }
  const robust = pairedDifference(differences, { clusters, level });
  if (Number.isNaN(robust.error)) return null;
  // Differences that are equal but for rounding are equal.
  if (robust.error <= 1e-12 * Math.abs(robust.mean)) return uniform(robust, counted, factor, level);
  const byBootstrap = clusters === null && draws > 0 && counted.pairs >= BOOTSTRAP_FROM && counted.pairs < BOOTSTRAP_BELOW;
  const tested = byBootstrap ? pairedBootstrap(differences, { draws, level, seed }) : robust;
  const { mean, error } = tested;
  return {
    test: byBootstrap ? "paired-bootstrap" : "paired-clustered",
    delta: mean,
    low: tested.low,
    high: tested.high,
    error,
    p: tested.p,
    pairs: counted.pairs,
    lost: counted.isBinary ? counted.lost : null,
    won: counted.isBinary ? counted.won : null,
    perPairSd: error * Math.sqrt(counted.pairs),
    nonInferior: (direction, margin) => nonInferiority(direction * mean, error, margin, level, robust.degrees).shown,
  };
}

/**
 * All differences are alike, so nothing shows how they scatter: the sign test says how surprising that is, and an interval is there only where the
 * scores are of pass and fail (Tango's for as many pairs as there are clusters).
 */
function uniform({ mean, clusters }: PairedDifference, counted: Counted, factor: number, level: number): Difference {
  const { pairs, lost, won, isBinary } = counted;
  const interval = isBinary && mean === 0 ? pairedShareInterval(0, 0, clusters, level) : null;
  return {
    test: "paired-clustered",
    delta: mean,
    low: interval === null ? null : interval.low * factor,
    high: interval === null ? null : interval.high * factor,
    error: null,
    p: mean === 0 ? 1 : mcnemarExact(0, clusters).p,
    pairs,
    lost: isBinary ? lost : null,
    won: isBinary ? won : null,
    perPairSd: null,
    nonInferior: (_, margin) => (interval === null ? null : pairedShareInterval(0, 0, clusters, 2 * level - 1).low * factor > -margin),
  };
}

/** Clusters by the places of the first side, as either side tells them; of two tellings the coarser. */
function clustersOf(own: SampleScores, other: SampleScores, places: Int32Array): Float64Array | null {
  const { clusters } = other;
  if (clusters === null) return own.clusters;
  const moved = Float64Array.from(places, (place) => (place < 0 ? Number.NaN : (clusters[place] ?? Number.NaN)));
  return own.clusters !== null && unitsOf(own.clusters) <= unitsOf(moved) ? own.clusters : moved;
}

function unitsOf(clusters: Float64Array): number {
  const named = new Set(clusters);
  const alone = clusters.reduce((count, cluster) => count + Number(Number.isNaN(cluster)), 0);
  return alone === 0 ? named.size : named.size - 1 + alone;
}
