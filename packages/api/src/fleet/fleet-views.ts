import { type AssignmentRule, readAssignment } from "@trainwatch/core";
import type { FleetSeriesInfo, Store, StoredAssignment } from "@trainwatch/store";
import { summaryOf } from "./fleet-summary.ts";
import type { CoverageColumns } from "./coverage-columns.ts";
import { coverageOf } from "./coverage-of.ts";
import type { FleetViews } from "./fleet-views-contract.ts";
import { createGlance, createLastKnown, createShelf } from "./held-answers.ts";
import { buildLayout, type LayoutCore } from "./layout-core.ts";
import { type GpuRank, hitsOfRules, ranksAt, ranksOfHits } from "./ranks-at.ts";

/** A field of each of 18 links of 16,384 GPUs has 294,912. */
const MAX_SERIES = 524_288;
/** Layouts as at different times, some 2 MB each at 16,384 GPUs. */
const MAX_LAYOUTS = 24;
/** Of all metrics together: some hundred bytes each. */
const MAX_SERIES_HELD = 1_500_000;
const MAX_COVERAGES = 16;
const COVERAGE_STEP_MS = 30_000;
/** Who reports is told on every page, and half a scrape old at most when a page asks again and again. */
const SUMMARY_STEP_MS = 5_000;
const MAX_ASSIGNMENTS = 262_144;
/** What layouts are made of, beside the labels of assignment rules. */
const LAYOUT_ATTRIBUTES = ["node", "index", "model", "pci", "host", "rack"];

/** What all layouts of one stamp have in common. */
interface Ground {
  readonly assignments: readonly StoredAssignment[];
  readonly rules: readonly AssignmentRule[];
  /** Ascending: the layout is the same between two neighbours. */
  readonly changesMs: readonly number[];
}

/** @param now epoch milliseconds */
export function createFleetViews(store: Pick<Store, "fleet" | "records">, now: () => number): FleetViews {
  const { reader } = store.fleet;
  const { fleet } = store.records;
  const sources = { reader, eventSources: () => fleet.eventSources() };
  const stamp = createGlance(now, () => fleet.stamp());
  const metrics = createGlance(now, async () => new Map((await reader.metrics()).map(({ metric, series }) => [metric, series])));
  const layouts = createShelf<LayoutCore>(MAX_LAYOUTS);
  const series = createShelf<readonly FleetSeriesInfo[]>(MAX_SERIES_HELD);
  const coverages = createShelf<CoverageColumns>(MAX_COVERAGES);
  const grounds = createShelf<Ground>(1);

  const readGround = async (): Promise<Ground> => {
    const assignments = await fleet.assignments(MAX_ASSIGNMENTS);
    const rules = await fleet.assignmentRules();
    const changes = await fleet.changeTimes([...LAYOUT_ATTRIBUTES, ...labelsOf(rules)]);
    const told = assignments.flatMap(({ facts, startedAtMs, endedAtMs }) => {
      const range = readAssignment(facts);
      return [range?.fromMs ?? startedAtMs ?? [], range?.toMs ?? endedAtMs ?? []].flat();
    });
    return { assignments, rules, changesMs: [...new Set([...changes, ...told])].sort((a, b) => a - b) };
  };
  const readLayout = async (atMs: number, { assignments, rules }: Ground): Promise<LayoutCore> => {
    const nodes = await fleet.nodesAt(atMs);
    const gpus = await fleet.gpusAt(atMs);
    const read = await ranksFromLabels(store, rules, gpus, atMs);
    // What somebody has said beats what a label seems to say.
    return buildLayout(nodes, gpus, new Map([...read, ...ranksAt({ nodes, gpus, assignments }, atMs)]));
  };
  const groundOf = (mark: string): Promise<Ground> => grounds.get(mark, readGround);
  const liveCoverage = createLastKnown(now, COVERAGE_STEP_MS, async () => {
    const atMs = now();
    const layout = await views.layout(atMs);
    return { digest: layout.digest, columns: await coverageOf(sources, views, layout, atMs) };
  });
  const newestAtMs = createGlance(now, () => reader.newestAtMs(now()));
  const summary = createLastKnown(now, SUMMARY_STEP_MS, () => summaryOf(store, views, now()));
  const views: FleetViews = {
    changed: () => stamp.forget(),
    async layout(atMs) {
      const mark = await stamp();
      const ground = await groundOf(mark);
      return layouts.get(`${mark} ${placeAmong(ground.changesMs, atMs)}`, () => readLayout(atMs, ground));
    },
    async series(metric) {
      const count = (await metrics()).get(metric) ?? 0;
      return count === 0
        ? []
        : series.get(`${metric} ${count}`, () => reader.series({ metric, limit: MAX_SERIES }), Math.min(count, MAX_SERIES));
    },
    async coverage(layout, atMs) {
      const isNow = Math.abs(now() - atMs) < COVERAGE_STEP_MS;
      const live = isNow ? await liveCoverage() : null;
      if (live?.digest === layout.digest) return live.columns;
      return coverages.get(`${layout.digest} ${Math.floor(atMs / COVERAGE_STEP_MS)}`, () => coverageOf(sources, views, layout, atMs));
    },
    summary,
    newestAtMs,
    assignments: async () => (await groundOf(await stamp())).assignments,
    metrics,
  };
  return views;
}

async function ranksFromLabels(
  { records: { fleet } }: Pick<Store, "records">,
  rules: readonly AssignmentRule[],
  gpus: LayoutCore["gpus"],
  atMs: number,
): Promise<ReadonlyMap<string, GpuRank>> {
  if (rules.length === 0) return new Map();
  const hits = hitsOfRules(rules, await fleet.gpuAttributesAt(labelsOf(rules), atMs), gpus);
  return ranksOfHits(hits, await fleet.runsNamed([...new Set(hits.map(({ run }) => run))]));
}

function labelsOf(rules: readonly AssignmentRule[]): readonly string[] {
  return [...new Set(rules.map(({ label }) => label))];
}

/** How many of the times, ascending, are at or before a time: between two of them nothing changes. */
function placeAmong(timesMs: readonly number[], atMs: number): number {
  let [low, high] = [0, timesMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
