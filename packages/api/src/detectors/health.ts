import { DETECTOR_FAMILIES, type DetectorFamily, type DetectorHealth, type DetectorsHealth } from "@trainwatch/core";
import { FLEET_TICK_MS } from "@trainwatch/detect";
import type { CoverageEntry, Records, Store } from "@trainwatch/store";
import { DETECTOR_ENTRIES } from "./entries.ts";
import { readVerb } from "../procedures.ts";

/** Runs whose detectors are looked at, newest first. */
const MOST_RUNS = 1_000;
/** Name of the lease that whoever judges holds. */
const DETECT_LEASE = "detect";

/** How the detectors are: what waits for them, what they saw last, and where they are blind. */
export async function detectorHealth({ records }: Pick<Store, "records">, nowMs: number): Promise<DetectorsHealth> {
  const backlog = await records.health.runBacklog();
  const coverage = await records.health.runCoverage(MOST_RUNS);
  const alive = await records.health.isLeased(DETECT_LEASE);
  const ofRuns = (family: DetectorFamily): DetectorHealth => ({
    family,
    behind: backlog.hasRead || backlog.pushes > 0 ? backlog.pushes : null,
    behindUnit: "pushes",
    lagMs: backlog.oldestAtMs !== null ? Math.max(0, nowMs - backlog.oldestAtMs) : backlog.hasRead ? 0 : null,
    lastSampleAtMs: backlog.lastSampleAtMs,
    watched: coverage.length,
    blind: blindOf(
      coverage.map((each) => each.coverage),
      idsOf(family),
    ),
  });
  const families: DetectorHealth[] = [];
  for (const family of DETECTOR_FAMILIES) families.push(family === "fleet" ? await ofFleet(records, nowMs) : ofRuns(family));
  return { nowMs, alive, families };
}

async function ofFleet(records: Records, nowMs: number): Promise<DetectorHealth> {
  const held = await records.fleetDetect.get();
  const sinceMs = held === null ? null : Math.max(0, nowMs - held.tickMs);
  return {
    family: "fleet",
    behind: sinceMs === null ? null : Math.max(0, Math.floor(sinceMs / FLEET_TICK_MS) - 1),
    behindUnit: "ticks",
    lagMs: sinceMs,
    lastSampleAtMs: held?.tickMs ?? null,
    watched: held === null ? 0 : 1,
    blind: held === null ? [] : blindOf([held.coverage], idsOf("fleet")),
  };
}

function idsOf(family: DetectorFamily): ReadonlySet<string> {
  return new Set(DETECTOR_ENTRIES.filter((entry) => entry.family === family).map(({ id }) => id));
}

function blindOf(coverages: readonly (readonly CoverageEntry[])[], ids: ReadonlySet<string>): DetectorHealth["blind"] {
  const blind = new Map<string, { runs: number; why: string }>();
  for (const { detector, sees, why } of coverages.flat()) {
    if (sees || !ids.has(detector)) continue;
    const held = blind.get(detector) ?? { runs: 0, why: why ?? "it has not said why" };
    blind.set(detector, { ...held, runs: held.runs + 1 });
  }
  return [...blind]
    .map(([detector, each]) => ({ detector, ...each }))
    .sort((a, b) => b.runs - a.runs || (a.detector < b.detector ? -1 : 1));
}

/** Whether the detectors themselves are well. */
export const getDetectorHealth = readVerb.query(({ ctx }): Promise<DetectorsHealth> => detectorHealth(ctx.store, ctx.now()));
