// False alarms of the fleet detectors: fault-free days of a synthetic fleet, and what their sums do at the healthy rates that they allow.
import type { Finding } from "@trainwatch/core";
import { FLEET_DETECTORS, FLEET_TICK_MS, createFleetWatch } from "@trainwatch/detect";
import { averageRunLength, poissonUpperBound, seededRandom, studentDraw } from "@trainwatch/stats";
import { DAY_S } from "./fleet-phases.ts";
import { FleetWorld, GPUS, LINKS } from "./fleet-world.ts";

/** The fleet that rates are given for (detection.md L.2). */
const FLEET_GPUS = 16_384;

export interface FleetNullLine extends Readonly<Record<string, string | number>> {
  readonly detector: string;
  readonly pages: number;
  readonly tickets: number;
  readonly notes: number;
}

export interface FleetNulls {
  readonly gpuDays: number;
  readonly seconds: number;
  readonly lines: readonly FleetNullLine[];
  readonly alarms: readonly string[];
  /** Pages and tickets a day on 16,384 GPUs, at most (95 %). */
  readonly atMostADay: number;
}

/** Fault-free days, a seed each. Job ends with their XIDs, checkpoints, bursts and slow counts of healthy links are part of them. */
export function fleetNulls({
  nodes = 32,
  days = 1,
  seeds = [11],
}: { readonly nodes?: number; readonly days?: number; readonly seeds?: readonly number[] } = {}): FleetNulls {
  const began = process.cpuUsage();
  const said = new Map<string, Finding>();
  for (const seed of seeds) {
    const world = new FleetWorld({ nodes, seed });
    const watch = createFleetWatch({});
    const ticks = (days * DAY_S * 1000) / FLEET_TICK_MS;
    for (let tick = 0; tick < ticks; tick++) for (const finding of watch.tick(world.tick(tick))) said.set(`${seed} ${finding.id}`, finding);
  }
  const gpuDays = nodes * GPUS * days * seeds.length;
  const findings = [...said.values()];
  const alarms = findings.filter(({ severity }) => severity !== "info");
  return {
    gpuDays,
    seconds: Math.round(process.cpuUsage(began).user / 1e6),
    lines: FLEET_DETECTORS.map(({ id }) => lineOf(id, findings)),
    alarms: alarms.map(({ severity, summary }) => `${severity}: ${summary}`),
    atMostADay: Number(((poissonUpperBound(alarms.length) / gpuDays) * FLEET_GPUS).toFixed(3)),
  };
}

function lineOf(id: string, findings: readonly Finding[]): FleetNullLine {
  const own = (severity: string): number => findings.filter((finding) => finding.detector === id && finding.severity === severity).length;
  return { detector: id, pages: own("critical"), tickets: own("warning"), notes: own("info") };
}

export interface RunLengthLine extends Readonly<Record<string, string | number>> {
  readonly sum: string;
  readonly noise: string;
  /** A day on 16,384 GPUs, 18 links each where the sum is on links. */
  readonly "alarms a day": string;
}

/** Days of one thing at the healthy rate: long enough to bound what a fleet of them does in a day. */
const COUNT_DAYS = [
  ["nvlink-errors", 3e7],
  ["ecc", 3e6],
  ["port-errors", 2e6],
] as const;

/**
 * What the sums of the detectors do by themselves, at their own parameters: exactly for peers (before the least deficit, which lets far less through), by events for
 * counts at the healthy rate that they allow.
 * @param share of the days that counts are followed for
 */
export function fleetRunLengths(share = 1): readonly RunLengthLine[] {
  const bandwidth = designOf("nvlink-bandwidth");
  const ticksADay = DAY_S / 10;
  const peer = (noise: string, cdf: (score: number) => number): RunLengthLine => ({
    sum: "nvlink-bandwidth, GPUs",
    noise,
    "alarms a day": (
      (FLEET_GPUS * ticksADay) /
      averageRunLength({ k: bandwidth("k"), h: bandwidth("h"), clip: bandwidth("clip") }, cdf)
    ).toExponential(1),
  });
  return [
    peer("Gaussian", gaussianCdf),
    peer("Student t, 4 degrees, of unit variance", empiricalT4()),
    ...COUNT_DAYS.map(([id, days]) => countLine(id, days * share)),
  ];
}

function countLine(id: string, linkDays: number): RunLengthLine {
  const design = designOf(id);
  const things = id === "nvlink-errors" ? FLEET_GPUS * LINKS : FLEET_GPUS;
  const alarms = countAlarms(design, linkDays);
  const atMost = (poissonUpperBound(alarms) / linkDays) * things;
  return {
    sum: id,
    noise: `every one counts at the healthy rate allowed, ${linkDays} days, ${alarms} alarms`,
    "alarms a day": `at most ${atMost.toExponential(1)}`,
  };
}

/** The sum over events of a Poisson process at the healthy rate: between two it falls evenly. */
function countAlarms(design: (name: string) => number, days: number): number {
  const random = seededRandom(4_711);
  const [rate, ratio, h] = [design("healthy_per_min"), design("ratio"), design("h")];
  const [gain, loss] = [Math.log(ratio), (ratio - 1) * rate];
  let alarms = 0;
  let sum = 0;
  for (let minutes = 0; minutes < days * 1_440;) {
    const gap = -Math.log(1 - random()) / rate;
    minutes += gap;
    sum = Math.max(0, sum - loss * gap) + gain;
    if (sum < h) continue;
    alarms++;
    sum = 0;
  }
  return alarms;
}

function designOf(id: string): (name: string) => number {
  const parameters = FLEET_DETECTORS.find((entry) => entry.id === id)?.parameters ?? [];
  return (name) => parameters.find((parameter) => parameter.name === name)?.value ?? Number.NaN;
}

function gaussianCdf(score: number): number {
  // Abramowitz and Stegun 7.1.26, 1.5e-7.
  const t = 1 / (1 + 0.3275911 * Math.abs(score / Math.SQRT2));
  const tail =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-((score / Math.SQRT2) ** 2));
  return score >= 0 ? 1 - tail / 2 : tail / 2;
}

function empiricalT4(): (score: number) => number {
  const random = seededRandom(815);
  // Peers are scaled by their median absolute deviation, which for heavy tails is less than their standard deviation.
  const draws = Float64Array.from({ length: 400_000 }, () => studentDraw(random, 4) / 1.098).sort();
  return (score) => {
    let low = 0;
    let high = draws.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((draws[middle] ?? 0) <= score) low = middle + 1;
      else high = middle;
    }
    return low / draws.length;
  };
}

/** Whether the goals hold: no false page or ticket in the fault-free days. */
export function fleetNullsHold({ alarms }: FleetNulls): boolean {
  return alarms.length === 0;
}
