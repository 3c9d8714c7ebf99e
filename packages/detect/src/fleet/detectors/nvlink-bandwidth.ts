import { gpuOf } from "@trainwatch/core";
import { median, medianInPlace } from "@trainwatch/stats";
import { evidence } from "../../finding/make-finding.ts";
import type { FleetColumn, FleetTick } from "../contract.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { CohortLoad } from "../engine/cohort-load.ts";
import { cohortLevel, cohortsOf } from "../engine/cohorts.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import type { Episode } from "../engine/episode.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import type { FleetTelling } from "../engine/fleet-finding.ts";
import { linksOf } from "../engine/links.ts";
import { PeerCusum } from "../engine/peer-cusum.ts";
import { READING, columnOf, isRead } from "../engine/rows.ts";
import { called, isReadIn, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { percent } from "../engine/words.ts";

const LINK_FIELDS = ["DCGM_FI_PROF_NVLINK_TX_BYTES_PER_LINK", "DCGM_FI_DEV_NVLINK_THROUGHPUT_PER_LINK"];
const GPU_FIELDS = ["DCGM_FI_PROF_NVLINK_TX_BYTES", "DCGM_FI_PROF_NVLINK_RX_BYTES", "DCGM_FI_DEV_NVLINK_THROUGHPUT_TOTAL"];
const FIELDS = [...LINK_FIELDS, ...GPU_FIELDS];

const PARAMETERS = [
  { name: "k", value: 1, unit: "σ", meaning: "Reference value of the sum" },
  { name: "h", value: 18.5, unit: "σ", meaning: "Sum at which the alarm is raised" },
  { name: "clip", value: 6, unit: "σ", meaning: "Scores are clipped to this: four readings at least" },
  { name: "sigma_floor", value: 0.02, unit: "share", meaning: "Least scale of a GPU's or link's share of the median" },
  { name: "deficit", value: 0.1, unit: "share", meaning: "Less bandwidth missing than this is nobody's trouble" },
  { name: "load", value: 0.5, unit: "share", meaning: "The cohort works from this share of its highest level on" },
  { name: "least_mb", value: 100, unit: "MB/s", meaning: "A cohort whose median is below this does not work" },
  { name: "steady", value: 0.1, unit: "share", meaning: "Greatest change of the cohort's median from tick to tick while it is judged" },
  { name: "peers", value: 6, unit: "GPUs", meaning: "Fewest GPUs of a cohort, or links of a GPU" },
  { name: "fresh_s", value: 90, unit: "s", meaning: "Readings older than this are not compared" },
  { name: "page_share", value: 0.5, unit: "share", meaning: "A link or GPU below this share pages" },
  ...HOLD_PARAMETERS,
] as const;
/** Fields of DCGM's devices are in MB/s, those of its profiling in B/s. */
const perMb = (field: string): number => (field.startsWith("DCGM_FI_PROF") ? 1e6 : 1);
type Name = (typeof PARAMETERS)[number]["name"];
type Kit = FleetKit<Name>;

function start(kit: Kit): FleetBody {
  const { chosen, book, stored } = kit;
  const coverage = new FieldCoverage(FIELDS);
  const design = { k: chosen("k"), h: chosen("h"), clip: chosen("clip") };
  const sums = new Map(FIELDS.map((field) => [field, new PeerCusum(design, storedPart(storedPart(stored, "sums"), field))]));
  const load = new CohortLoad(chosen("load"), chosen("steady"), storedPart(stored, "load"));

  const deficit = chosen("deficit");

  const judge = (
    tick: FleetTick,
    column: FleetColumn,
    sum: PeerCusum,
    row: number,
    share: number,
    kind: "gpu" | "link",
    sigma: number,
  ): void => {
    const missing = 1 - share;
    const timeMs = column.timesMs[row] ?? tick.timeMs;
    const isAlarm = sum.add(row, timeMs, missing < deficit ? Math.min(0, missing / sigma) : missing / sigma);
    if (!isAlarm || missing < deficit || (kind === "gpu" && hasLink(kit, column.entities[row] ?? ""))) return;
    const severity = share < chosen("page_share") ? "critical" : "warning";
    book.see(
      seenAt(column, tick, row, kind, {
        what: "slow",
        severity,
        onsetMs: sum.since(row),
        value: share,
        baseline: 1,
        metric: "nvlink bandwidth",
      }),
      tick.timeMs,
    );
  };

  const gpus = (tick: FleetTick, field: string, names: Set<string>): void => {
    const column = columnOf(tick, field);
    const sum = sums.get(field);
    if (column === null || sum === undefined) return;
    sum.begin(column);
    const cohorts = cohortsOf(column, tick);
    for (const [at, rows] of cohorts.rows.entries()) {
      const level = cohortLevel(column, rows, tick.timeMs, chosen("fresh_s") * 1000);
      const name = `${field}|${cohorts.names[at] ?? ""}`;
      names.add(name);
      if (!load.isSteady(name, level) || level.count < chosen("peers") || level.median < chosen("least_mb") * perMb(field)) continue;
      const sigma = Math.max(chosen("sigma_floor"), level.sigma / level.median);
      for (const row of rows)
        if (isRead(column, row)) judge(tick, column, sum, row, (column.values[row] ?? 0) / level.median, "gpu", sigma);
    }
  };

  /** Cohorts whose GPUs, by the median of their links, work and steadily. */
  const steadyCohorts = (
    field: string,
    cohorts: readonly string[],
    byGpu: readonly Int32Array[],
    medians: Float64Array,
    of: Int32Array,
    names: Set<string>,
  ): ReadonlySet<number> => {
    const levels: number[][] = cohorts.map(() => []);
    for (const [gpu, rows] of byGpu.entries())
      if (Number.isFinite(medians[gpu] ?? Number.NaN)) levels[of[rows[0] ?? -1] ?? -1]?.push(medians[gpu] ?? 0);
    const steady = new Set<number>();
    for (const [at, own] of levels.entries()) {
      const name = `${field}|${cohorts[at] ?? ""}`;
      names.add(name);
      const level = { median: median(own), sigma: 0, count: own.length };
      // A link carries a share of what a GPU does.
      if (load.isSteady(name, level) && level.median >= (chosen("least_mb") / 10) * perMb(field)) steady.add(at);
    }
    return steady;
  };

  const links = (tick: FleetTick, field: string, names: Set<string>): void => {
    const column = columnOf(tick, field);
    const sum = sums.get(field);
    if (column === null || sum === undefined) return;
    sum.begin(column);
    const { byGpu, byNumber, number } = linksOf(column, tick);
    const shares = new Float64Array(column.values.length).fill(Number.NaN);
    // A reading that is none is not among the finite ones.
    const values = new Float64Array(column.values);
    for (let row = 0; row < values.length; row++) if (column.has[row] !== READING) values[row] = Number.NaN;
    const medians = Float64Array.from(byGpu, (rows) => medianOf(values, rows));
    const { of, names: cohorts } = cohortsOf(column, tick);
    const steady = steadyCohorts(field, cohorts, byGpu, medians, of, names);
    for (const [gpu, rows] of byGpu.entries()) {
      const level = medians[gpu] ?? 0;
      if (rows.length < chosen("peers") || !(level > 0) || !steady.has(of[rows[0] ?? -1] ?? -1)) continue;
      for (const row of rows) shares[row] = (values[row] ?? Number.NaN) / level;
    }
    // What one link number carries on most GPUs is the topology's share, and no fault.
    const usual = byNumber.map((rows) => medianOf(shares, rows));
    const floor = chosen("sigma_floor");
    for (let row = 0; row < shares.length; row++) {
      const share = (shares[row] ?? Number.NaN) / (usual[number[row] ?? -1] ?? Number.NaN);
      if (Number.isFinite(share)) judge(tick, column, sum, row, share, "link", floor);
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      const names = new Set<string>();
      for (const field of LINK_FIELDS) links(tick, field, names);
      for (const field of GPU_FIELDS) gpus(tick, field, names);
      load.keepOnly(names);
      book.calmUnseen(
        tick.timeMs,
        isReadIn(
          FIELDS.map((field) => columnOf(tick, field)),
          tick,
        ),
      );
    },
    tell,
    state: () => ({ sums: Object.fromEntries([...sums].map(([field, sum]) => [field, sum.store()])), load: load.store() }),
    coverage: () => coverage.coverage(),
  };
}

function hasLink({ book }: Kit, gpu: string): boolean {
  return book.open().some(({ subject }) => subject.kind === "link" && gpuOf(subject.id) === gpuOf(gpu));
}

let scratch = new Float64Array(0);

/** Of the finite values of some rows. */
function medianOf(values: Float64Array, rows: Int32Array): number {
  if (scratch.length < rows.length) scratch = new Float64Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const value = values[rows[at] ?? -1] ?? Number.NaN;
    if (Number.isFinite(value)) scratch[count++] = value;
  }
  return medianInPlace(scratch, count);
}

function tell(episode: Episode): FleetTelling {
  const share = episode.peak ?? 1;
  const whom = episode.subject.kind === "link" ? "the GPU's other links" : "the GPUs of the same model, run and stage";
  return {
    summary: `${called(episode)} carries ${percent(share)} of what ${whom} carry`,
    evidence: [
      evidence(
        "for",
        `Traffic as a share of the median of ${whom}, while they work steadily`,
        share,
        "share",
        episode.words["field"] ?? null,
      ),
      evidence(
        "against",
        "A rank that sends less by its place in the job looks the same; its other end may be the slow one",
        null,
        null,
        null,
      ),
    ],
    facts: [{ fact: "link-slow", value: share }],
  };
}

export const nvlinkBandwidth = defineFleetDetector(
  {
    id: "nvlink-bandwidth",
    version: 1,
    title: "NVLink bandwidth",
    finds: "A GPU or a link that carries less than its peers in the same job while they work.",
    source: "Share of the cohort's median, CUSUM k = 1, h = 18.5 on the pooled scale: detection.md C.1, G.2",
    fields: FIELDS,
  },
  PARAMETERS,
  start,
);
