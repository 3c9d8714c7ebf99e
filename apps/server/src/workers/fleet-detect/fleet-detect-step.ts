import {
  createTickReader,
  freshEvents,
  NO_EVENTS_TOLD,
  rulesInForce,
  type EventMemory,
  type FleetViews,
  type TickReader,
} from "@trainwatch/api";
import type { FleetWatch, FleetWatchContext } from "@trainwatch/detect";
import type { FleetDetectState, Lease, Store } from "@trainwatch/store";
import { demand } from "../detect/demand.ts";
import { foldInParts } from "../fold/fold-in-parts.ts";
import { placeFleetFindings } from "../fold/place-fleet-findings.ts";
import { nextTick, readyAt } from "./next-tick.ts";

/** The detectors of the fleet, and what they read. */
export interface FleetDetection {
  readonly fields: readonly string[];
  create(context: FleetWatchContext, state?: unknown): FleetWatch;
}

export interface HeldFleet {
  readonly watch: FleetWatch;
  readonly reader: TickReader;
  /** What was told of events. */
  readonly told: EventMemory;
  /** Last tick that was judged; null before the first. */
  readonly tickMs: number | null;
  /** The parameters in force, as text. */
  readonly parameters: string;
  /** Nothing is judged before. */
  readonly readyAtMs: number;
}

export interface FleetStepRequest {
  readonly store: Store;
  readonly views: FleetViews;
  readonly lease: Lease;
  readonly detection: FleetDetection;
  /** From the step before; null reads what is stored. */
  readonly held: HeldFleet | null;
  readonly nowMs: number;
}

export interface FleetStepResult {
  readonly next: HeldFleet;
  /** Whether another tick is due already. */
  readonly hasMore: boolean;
  /** Milliseconds of the fleet's time that were left out, since they lay too far back to be made up for. */
  readonly skippedMs: number;
  /** Runs on which an incident has changed; `null` stands for incidents of no run. */
  readonly changed: readonly (number | null)[];
}

/** State as it is stored. */
interface StoredFleet {
  readonly watch: unknown;
  readonly told: EventMemory;
}

/**
 * Judges the next tick of the fleet, if it is due, and stores the detectors' state, what they found and the incidents in one transaction, or in several where thousands are found at once. A crash leaves the tick undone or done.
 * @throws LeaseLost, IncidentMoved: nothing was stored; `held` must be thrown away
 */
export async function fleetDetectStep({ store, views, lease, detection, held, nowMs }: FleetStepRequest): Promise<FleetStepResult> {
  const { records } = store;
  const rules = await records.rules.list();
  const { parameters } = rulesInForce(rules, { runId: null, cluster: null, nowMs });
  const from = tuned(detection, held ?? (await restore(store, views, detection, nowMs)), parameters);
  const { tickMs, isDue, skippedMs, hasMore } = nextTick(from.tickMs, nowMs);
  if (!isDue || nowMs < from.readyAtMs) return { next: from, hasMore: false, skippedMs: 0, changed: [] };

  const { events, memory: told } = await freshEvents(records.fleet, from.told, tickMs, nowMs);
  const tick = await from.reader.read(tickMs, events);
  const found = from.watch.tick(tick);
  const findings = await placeFleetFindings(store, views, found);
  const next = { ...from, told, tickMs };
  const state: FleetDetectState = {
    tickMs,
    state: { watch: from.watch.state(), told } satisfies StoredFleet,
    coverage: from.watch.coverage(),
  };
  // Where nobody has a fleet there is nothing to remember.
  if (tick.topology.nodes.length === 0 && events.length === 0 && found.length === 0) return { next, hasMore, skippedMs, changed: [] };

  const touched = await foldInParts({
    records,
    demand: (tx) => demand(tx, lease),
    move: (tx) => tx.fleetDetect.put(state, nowMs),
    findings,
    rulesFor: (run) => rulesInForce(rules, { runId: run?.id ?? null, cluster: run?.cluster ?? null, nowMs }),
    logEveryOf: () => 1,
    nowMs,
  });
  const changed = touched.size === 0 ? [] : [...new Set(findings.map(({ run }) => run?.id ?? null))];
  return { next, hasMore, skippedMs, changed };
}

async function restore(store: Store, views: FleetViews, detection: FleetDetection, nowMs: number): Promise<HeldFleet> {
  const stored = await store.records.fleetDetect.get();
  const state = isStored(stored?.state) ? stored.state : null;
  return {
    watch: detection.create({}, state?.watch),
    reader: createTickReader(store, views, detection.fields),
    told: state?.told ?? NO_EVENTS_TOLD,
    tickMs: stored?.tickMs ?? null,
    parameters: "{}",
    readyAtMs: readyAt(stored?.tickMs ?? null, nowMs),
  };
}

/** Other parameters hold from the next tick on: what is past stays judged as it was. */
function tuned(detection: FleetDetection, held: HeldFleet, parameters: NonNullable<FleetWatchContext["parameters"]>): HeldFleet {
  const text = JSON.stringify(parameters);
  return text === held.parameters ? held : { ...held, watch: detection.create({ parameters }, held.watch.state()), parameters: text };
}

function isStored(state: unknown): state is StoredFleet {
  return typeof state === "object" && state !== null && "watch" in state && "told" in state;
}
