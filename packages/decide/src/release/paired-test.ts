import type { CellTest } from "@trainwatch/core";
import { mcnemarExact, nonInferiority, normalQuantile, pairedBootstrap, pairedDifference, pairedShareInterval } from "@trainwatch/stats";
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

/** From so many pairs on the mean of differences is normal enough for t, and a bootstrap says the same for more. */
const BOOTSTRAP_BELOW = 1_000;

export interface Pairing {
  readonly difference: Difference;
  /** Samples that only one of the two has scored. */
  readonly alone: number;
}

/**
 * Tests the difference on the samples that both have scored: McNemar exact with Tango's interval for pass and fail, a paired bootstrap for other
 * means (Student's t from 1,000 pairs on), cluster-robust where samples share a cluster. Null: fewer than two common samples, or so few that
 * comparing the two means says more (under half of the smaller side).
 */
export function pairedTest(baseline: Reading, candidate: Reading, joins: Joins, options: TestOptions): Pairing | null {
  const [own, other] = [baseline.samples, candidate.samples];
  if (own === null || other === null || baseline.factor !== candidate.factor) return null;
  const { places } = joins.align(own.keys, other.keys);
  const counted = countPairs(own, other, places);
  if (counted.pairs < 2 || counted.pairs < Math.min(own.n, other.n) / 2) return null;
  const alone = own.n + other.n - 2 * counted.pairs;
  if (own.isBinary && other.isBinary && own.clusters === null)
    return { difference: shareDifference(counted, baseline.factor, options), alone };
  const difference = meanDifference(own, other, places, counted, baseline.factor, options);
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

function meanDifference(
  own: SampleScores,
  other: SampleScores,
  places: Int32Array,
  counted: Counted,
  factor: number,
  { level, seed, draws }: TestOptions,
): Difference | null {
  const differences = new Float64Array(places.length);
  for (let sample = 0; sample < places.length; sample++) {
    const place = places[sample] ?? -1;
    const change = place < 0 ? Number.NaN : (other.scores[place] ?? Number.NaN) - (own.scores[sample] ?? Number.NaN);
    differences[sample] = change * factor;
  }
  const clusters = own.clusters ?? clustersOf(other, places);
  const robust = pairedDifference(differences, { clusters, level });
  if (Number.isNaN(robust.error)) return null;
  const byBootstrap = clusters === null && draws > 0 && counted.pairs < BOOTSTRAP_BELOW;
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

/** Clusters that only the other side tells, by the places of this one. */
function clustersOf(other: SampleScores, places: Int32Array): Float64Array | null {
  const { clusters } = other;
  return clusters === null ? null : Float64Array.from(places, (place) => (place < 0 ? Number.NaN : (clusters[place] ?? Number.NaN)));
}
