// The figures of docs/detection-quality.md by detector, for the catalogue: nothing is measured here, and what the document does not tell of a detector is null.
import { CLOCK_DETECTORS, DETECTORS, FLEET_DETECTORS, RANK_DETECTORS, type MeasuredQuality } from "@trainwatch/detect";
import { poissonUpperBound, wilsonInterval } from "@trainwatch/stats";
import { FLEET_FAULT_DETECTORS } from "./fleet-injection.ts";
import type { Cell } from "./part.ts";
import type { QualityTable } from "./quality-tables.ts";
import { DETECTOR_OF_SCENARIO } from "./scenario-detectors.ts";

type Tables = ReadonlyMap<string, QualityTable>;
type Row = Readonly<Record<string, Cell>>;

/** Their metrics are in the fault-free clusters (`packages/simulate`); one that reads what is not there stays silent, which shows nothing. */
const IN_FAULT_FREE_CLUSTERS: ReadonlySet<string> = new Set([
  "loss-scale-collapse",
  "learning-rate-jump",
  "rank-deviation",
  "rank-rare-faults",
  "rank-non-finite",
  "recompute-mismatch",
  "compute-straggler",
  "stage-slow",
  "transfer-slow",
  "data-wait",
  "sequence-imbalance",
  "hang",
  "checkpoint-late",
  "checkpoint-failed",
]);

/** It has a longer null of its own, and is put to the test on real logs. */
const LOSS_SHIFT = "loss-shift";
const NOISE_UNIT = "points of simulated noise";

/** What stands for a delay where nothing was found. */
const NEVER = 9_999;

/** By id, in the order of the registries. */
export function detectorQuality(tables: Tables): Readonly<Record<string, MeasuredQuality>> {
  const entries: readonly { readonly id: string }[] = [...DETECTORS, ...RANK_DETECTORS, ...FLEET_DETECTORS, ...CLOCK_DETECTORS];
  return Object.fromEntries(
    entries.map(({ id }) => [id, { falseAlarms: falseAlarmsOf(id, tables), delay: delayOf(id, tables), recall: recallOf(id, tables) }]),
  );
}

function falseAlarmsOf(id: string, tables: Tables): MeasuredQuality["falseAlarms"] {
  const longer = id === LOSS_SHIFT ? rowsOf(tables, "Loss shift on simulated nulls") : [];
  if (longer.length > 0) return rateOf(sumOf(longer, "alarms"), sumOf(longer, "points"), NOISE_UNIT);
  const rl = ofPostTraining(id, tables);
  if (rl !== undefined) return rateOf(numberOf(rl, "false alarms"), numberOf(rl, "fault-free runs"), "runs of reinforcement learning");
  const nulls = rowsOf(tables, "All detectors of a run on the same nulls").filter((row) => typeof row[id] === "number");
  if (nulls.length > 0) return rateOf(sumOf(nulls, id), sumOf(nulls, "points"), NOISE_UNIT);
  const fleet = tables.get("Fleet detectors on fault-free days");
  const own = fleet?.rows.find(({ detector }) => detector === id);
  const gpuDays = Number.parseFloat(fleet?.text ?? "");
  if (own !== undefined && gpuDays > 0) return rateOf(numberOf(own, "pages") + numberOf(own, "tickets"), gpuDays, "GPU-days");
  const clusters = rowsOf(tables, "Fault-free clusters");
  const said = clusters.filter((row) => namesOf(row, "said by").includes(id));
  // Where several spoke the table does not tell who spoke how often.
  const isTold = clusters.length > 0 && said.every((row) => namesOf(row, "said by").length === 1);
  if (!isTold || !IN_FAULT_FREE_CLUSTERS.has(id)) return null;
  return rateOf(sumOf(said, "alarms"), sumOf(clusters, "steps"), "steps of 128 ranks");
}

function rateOf(alarms: number, per: number, unit: string): MeasuredQuality["falseAlarms"] {
  return { alarms, per, upper95: Number(poissonUpperBound(alarms).toPrecision(3)), unit };
}

function delayOf(id: string, tables: Tables): MeasuredQuality["delay"] {
  const shift = id === LOSS_SHIFT ? inRealLogs(tables).find(({ shape }) => shape === "shift 3 σ") : undefined;
  if (shift !== undefined) return { median: numberOf(shift, "median delay"), p90: null, unit: "logged points after a shift of 3 σ" };
  const rl = ofPostTraining(id, tables);
  if (rl !== undefined) return { median: numberOf(rl, "median delay, steps"), p90: p90Of(rl), unit: "steps" };
  const line = rowsOf(tables, "Detectors").find(({ detector }) => detector === id);
  const median = line?.["median delay, s"];
  if (line !== undefined && typeof median === "number") {
    const [scenario, ...others] = scenariosOf(id, tables);
    // Only where these are the runs that the median is of.
    const isSame = scenario !== undefined && others.length === 0 && isFirst(scenario, id) && scenario["found"] === line["spoke in"];
    const p90 = isSame ? numberOf(scenario, "p90, s") : null;
    return { median, p90, unit: "s" };
  }
  const [fault, ...others] = fleetFaultsOf(id, tables);
  const inFleet = fault?.["median delay, s"];
  return typeof inFleet === "number" && others.length === 0 ? { median: inFleet, p90: null, unit: "s" } : null;
}

function recallOf(id: string, tables: Tables): MeasuredQuality["recall"] {
  const logs = id === LOSS_SHIFT ? inRealLogs(tables) : [];
  // The table has shares.
  const inLogs = logs.reduce((sum, row) => sum + Math.round(numberOf(row, "found") * numberOf(row, "injected")), 0);
  if (logs.length > 0) return shareOf(inLogs, sumOf(logs, "injected"));
  const rl = ofPostTraining(id, tables);
  if (rl !== undefined) return shareOf(numberOf(rl, "found"), numberOf(rl, "injected"));
  const faults = fleetFaultsOf(id, tables);
  if (faults.length > 0) return shareOf(sumOf(faults, "found"), sumOf(faults, "injected"));
  const scenarios = scenariosOf(id, tables);
  // Where another was first the table does not tell how often this one followed.
  if (scenarios.length === 0 || !scenarios.every((row) => row["found"] === 0 || isFirst(row, id))) return null;
  return shareOf(sumOf(scenarios, "found"), sumOf(scenarios, "runs"));
}

function shareOf(found: number, of: number): MeasuredQuality["recall"] {
  return of === 0 ? null : { found, of, low95: Number(wilsonInterval(found, of).low.toFixed(3)) };
}

function isFirst(row: Row, id: string): boolean {
  return row["first said by"] === id;
}

function scenariosOf(id: string, tables: Tables): readonly Row[] {
  return rowsOf(tables, "Injected faults, end to end").filter(({ injected }) => DETECTOR_OF_SCENARIO[String(injected)] === id);
}

function fleetFaultsOf(id: string, tables: Tables): readonly Row[] {
  return rowsOf(tables, "Faults put into a synthetic fleet").filter(({ fault }) => FLEET_FAULT_DETECTORS.get(String(fault)) === id);
}

function ofPostTraining(id: string, tables: Tables): Row | undefined {
  return rowsOf(tables, "Detectors of post-training").find(({ detector }) => detector === id);
}

/** Null where more than a tenth was never found. */
function p90Of(row: Row): number | null {
  const p90 = numberOf(row, "p90, steps");
  return p90 >= NEVER ? null : p90;
}

/** Of the logs that no threshold was tuned on. */
function inRealLogs(tables: Tables): readonly Row[] {
  return rowsOf(tables, "Injected into healthy real logs").filter(({ set }) => set === "judged");
}

function rowsOf(tables: Tables, title: string): readonly Row[] {
  return tables.get(title)?.rows ?? [];
}

function namesOf(row: Row, column: string): readonly string[] {
  const text = row[column];
  return typeof text === "string" ? text.split(", ") : [];
}

function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + numberOf(row, column), 0);
}

/** @throws Error where a table has lost a column that this reads */
function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new Error(`no number in column ${JSON.stringify(column)}: ${JSON.stringify(row)}`);
  return value;
}
