import type { DemoScenario } from "./demo-scenario.ts";
import { simulateFleet } from "./fleet/index.ts";
import type { FleetFault, SimulatedFleet } from "./fleet/index.ts";
import { simulateRun } from "./simulate-run.ts";

const NODES = 16;
const MINUTE_MS = 60_000;
/** How far back the demonstration's readings go. */
export const DEMO_FLEET_PAST_MS = 60 * MINUTE_MS;

/**
 * The nodes of the live run. One GPU has been running hot for a while and begins to throttle when the run's steps become slow; one NVLink
 * repeats what it sends; one GPU has remapped a row; and one node is scraped with the exporter's default fields, so that its links are not seen.
 */
export function demoFleet({ live }: DemoScenario, seed: number, nowMs: number): SimulatedFleet {
  const slow = live.plan.faults.find(({ kind }) => kind === "slow");
  const throttled = slow?.kind === "slow" ? throttleOf(live, slow) : [];
  return simulateFleet({
    seed,
    nodes: NODES,
    startMs: nowMs - DEMO_FLEET_PAST_MS,
    run: { plan: live.plan, nodes: NODES, tensorParallel: 8, pipelineParallel: 4 },
    faults: [
      { kind: "hot-gpu", ...HOT, atMs: nowMs - 14 * MINUTE_MS, celsius: 21 },
      ...throttled,
      { kind: "link-errors", node: 5, gpu: 2, link: 11, atMs: nowMs - 9 * MINUTE_MS, perSecond: 180 },
      { kind: "row-remap", node: 13, gpu: 1, atMs: nowMs - 19 * MINUTE_MS, rows: 1, failed: false },
      { kind: "default-fields", node: 7, atMs: nowMs - DEMO_FLEET_PAST_MS },
    ],
  });
}

const HOT = { node: 10, gpu: 5 } as const;

/** The hot GPU goes over its limit for as long as the run's steps are slow. */
function throttleOf(
  { plan }: DemoScenario["live"],
  { step, steps, factor }: { readonly step: number; readonly steps: number; readonly factor: number },
): readonly FleetFault[] {
  let atMs: number | null = null;
  for (const event of simulateRun(plan)) {
    if (event.kind !== "point") continue;
    if (event.step === step - 1) atMs = event.timeMs;
    if (event.step === step + steps - 1 && atMs !== null)
      return [{ kind: "hot-gpu", ...HOT, atMs, untilMs: event.timeMs, celsius: 7, slowsStepBy: factor }];
  }
  return [];
}
