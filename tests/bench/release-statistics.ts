// What the statistics of a release comparison promise, by simulation with more draws than a test may take: how often intervals hold the truth, and
// the time of 200,000 paired samples. Shares depend on the seeds only, times on the machine.
import {
  bradleyTerry,
  calibrationError,
  mcnemarExact,
  meansAndCovariance,
  normalDraw,
  pairedBootstrap,
  pairedDifference,
  pairedShareInterval,
  seededRandom,
  trendPeak,
} from "@trainwatch/stats";
import type { Random } from "@trainwatch/stats";
import { printTable } from "./detect/table.ts";

interface Differences {
  readonly values: readonly number[];
  readonly clusters: readonly number[] | null;
}

const SHAPES: readonly { readonly name: string; readonly truth: number; draw(random: Random): Differences }[] = [
  { name: "pass or fail, n 200", truth: 0.05, draw: (random) => alone(200, () => signOf(random())) },
  { name: "pass or fail, n 60", truth: 0.05, draw: (random) => alone(60, () => signOf(random())) },
  { name: "exponential, n 150", truth: 1, draw: (random) => alone(150, () => -Math.log(1 - random())) },
  { name: "log-normal, n 300", truth: Math.exp(0.5), draw: (random) => alone(300, () => Math.exp(normalDraw(random))) },
  { name: "60 clusters of 1 to 10", truth: 0, draw: (random) => clustered(random, 60, () => 1 + Math.floor(random() * 10)) },
  { name: "20 clusters of 2, 8 and 25", truth: 0, draw: (random) => clustered(random, 20, (at) => (at < 4 ? 25 : at < 10 ? 8 : 2)) },
];

function signOf(at: number): number {
  return at < 0.1 ? -1 : at < 0.25 ? 1 : 0;
}

function alone(n: number, draw: () => number): Differences {
  return { values: Array.from({ length: n }, draw), clusters: null };
}

function clustered(random: Random, count: number, sizeOf: (at: number) => number): Differences {
  const values: number[] = [];
  const clusters: number[] = [];
  for (let cluster = 0; cluster < count; cluster++) {
    const shared = 0.7 * normalDraw(random);
    const size = sizeOf(cluster);
    for (let at = 0; at < size; at++) {
      values.push(shared + normalDraw(random));
      clusters.push(cluster);
    }
  }
  return { values, clusters };
}

/** Shares of `runs` in which 95 % intervals hold the truth: of the bootstrap, of the t interval, and of one that knows no clusters. */
function coverage(runs: number) {
  return SHAPES.map(({ name, truth, draw }) => {
    const random = seededRandom(23);
    let [bootstrap, robust, plain] = [0, 0, 0];
    for (let run = 0; run < runs; run++) {
      const { values, clusters } = draw(random);
      bootstrap += Number(holds(pairedBootstrap(values, { draws: 1_000, level: 0.95, seed: run, clusters }), truth));
      robust += Number(holds(pairedDifference(values, { level: 0.95, clusters }), truth));
      plain += Number(holds(pairedDifference(values, { level: 0.95 }), truth));
    }
    return { shape: name, bootstrap: bootstrap / runs, robust: robust / runs, withoutClusters: plain / runs };
  });
}

function holds({ low, high }: { readonly low: number; readonly high: number }, truth: number): boolean {
  return low <= truth && truth <= high;
}

const MOST_COVERED = 0.97;

const CURVES = [
  { curve: "rising", heightAt: (at: number) => 0.3 + 0.3 * at },
  { curve: "saturating", heightAt: (at: number) => 0.6 - 0.3 * Math.exp(-6 * at) },
  { curve: "flat", heightAt: () => 0.6 },
  { curve: "peaked", heightAt: (at: number) => 0.6 - 0.4 * (at - 0.6) ** 2 },
  { curve: "sharply turned", heightAt: (at: number) => 0.6 - 0.3 * Math.abs(at - 0.5) },
] as const;

/** How often the 90 % interval of 30 checkpoints at 1,000 prompts holds the true peak, how wide it is as a share of the run, and how often a fall is shown. */
function peaks(runs: number) {
  const [points, noise] = [30, 0.015];
  return CURVES.flatMap(({ curve, heightAt }) =>
    [true, false].map((known) => {
      const random = seededRandom(29);
      const truth = Array.from({ length: points }, (_, at) => heightAt(at / (points - 1)));
      const best = truth.lastIndexOf(Math.max(...truth));
      let [covered, settled, width] = [0, 0, 0];
      for (let run = 0; run < runs; run++) {
        const values = truth.map((height) => height + noise * normalDraw(random));
        const errors = known ? values.map(() => noise) : null;
        const peak = trendPeak({ steps: truth.map((_, at) => at), values, errors, level: 0.9, seed: run, draws: 500 });
        if ("why" in peak) continue;
        covered += Number(peak.lowIndex <= best && best <= peak.highIndex);
        settled += Number(peak.isSettled);
        width += (peak.highIndex - peak.lowIndex) / (points - 1) / runs;
      }
      return { curve, errorsKnown: known, covered: covered / runs, settled: settled / runs, width: Number(width.toFixed(3)) };
    }),
  );
}

/** How often the 95 % interval of the calibration error holds the true one, for models whose rate is `slope` times their confidence. */
function calibration(runs: number) {
  return [1, 0.9, 0.7].map((slope) => {
    const random = seededRandom(37);
    const truth = (1 - slope) / 2;
    let [covered, ruledOut] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const confidence = Float64Array.from({ length: 800 }, () => random());
      const correct = confidence.map((value) => Number(random() < slope * value));
      const result = calibrationError(confidence, correct, { bins: 10, level: 0.95, seed: run, draws: 500 });
      covered += Number(holds(result, truth));
      ruledOut += Number(result.low > 0);
    }
    return { trueError: truth, covered: covered / runs, calibrationRuledOut: ruledOut / runs };
  });
}

/** Milliseconds of all that one row of 200,000 paired samples asks for, and of a length-controlled fit of 100,000 judgements of 16 models. */
function times() {
  const random = seededRandom(41);
  const n = 200_000;
  const [first, second] = [0.6, 0.61].map((share) => Float64Array.from({ length: n }, () => Number(random() < share)));
  if (first === undefined || second === undefined) throw new Error("two columns were drawn");
  const differences = second.map((score, at) => score - (first[at] ?? 0));
  const scores = differences.map((difference) => difference + normalDraw(random));
  const clusters = Float64Array.from({ length: n }, (_, at) => Math.floor(at / 10));
  const [lost, won] = [-1, 1].map((sign) => differences.reduce((count, difference) => count + Number(difference === sign), 0));
  const bootstrap = { draws: 2_000, level: 0.95, seed: 1 };
  const items = 16;
  const judgements = 100_000;
  const left = Int32Array.from({ length: judgements }, () => Math.floor(random() * items));
  const right = left.map((item) => (item + 1 + Math.floor(random() * (items - 1))) % items);
  const preference = Float64Array.from(left, () => Math.floor(random() * 3) / 2);
  const lengths = Float64Array.from(left, () => 300 * normalDraw(random));
  return {
    meansAndCovarianceMs: millisecondsOf(() => meansAndCovariance([first, second])),
    mcnemarMs: millisecondsOf(() => mcnemarExact(lost ?? 0, won ?? 0)),
    shareIntervalMs: millisecondsOf(() => pairedShareInterval(lost ?? 0, won ?? 0, n, 0.95)),
    passFailBootstrapMs: millisecondsOf(() => pairedBootstrap(differences, bootstrap)),
    scoreBootstrapMs: millisecondsOf(() => pairedBootstrap(scores, bootstrap)),
    clusteredBootstrapMs: millisecondsOf(() => pairedBootstrap(scores, { ...bootstrap, clusters })),
    bradleyTerryMs: millisecondsOf(() => bradleyTerry({ items, left, right, preference, covariates: [lengths] })),
  };
}

function millisecondsOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return Number((performance.now() - started).toFixed(1));
}

async function run() {
  const coverages = coverage(2_000);
  const trends = peaks(1_000);
  const calibrations = calibration(500);
  const milliseconds = times();
  printTable("95 % intervals of a paired difference: share that holds the truth", coverages);
  printTable("90 % intervals of the peak of 30 checkpoints", trends);
  const { meansAndCovarianceMs, mcnemarMs, shareIntervalMs, passFailBootstrapMs } = milliseconds;
  const rowMs = meansAndCovarianceMs + mcnemarMs + shareIntervalMs + passFailBootstrapMs;
  return {
    ok:
      coverages.every(({ bootstrap, robust }) => [bootstrap, robust].every((share) => share >= 0.93 && share <= MOST_COVERED)) &&
      trends.every(({ covered }) => covered >= 0.9) &&
      calibrations.every(({ covered }) => covered >= 0.93) &&
      rowMs < 500,
    coverages,
    trends,
    calibrations,
    milliseconds,
    passFailRowMs: Number(rowMs.toFixed(1)),
  };
}

export default { name: "release-statistics", run };
