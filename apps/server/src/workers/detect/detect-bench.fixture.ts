import {
  createCaller,
  createFleetIngest,
  createFleetViews,
  createMoveHub,
  createComparisons,
  createSignalCache,
  type ApiContext,
  type FleetIngest,
  type FleetViews,
} from "@trainwatch/api";
import type { PushInput } from "@trainwatch/core";
import type { Lease, Store } from "@trainwatch/store";
import { buildPush, createFakeClock, createTestStore, type FakeClock } from "@trainwatch/testkit";
import { beginTurn, clockRound } from "./clock-round.ts";
import { detectStep } from "./detect-step.ts";
import type { WatchedRun } from "./watched-run.ts";

export interface DetectBench extends AsyncDisposable {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly verbs: ReturnType<typeof createCaller>;
  readonly views: FleetViews;
  readonly fleetIngest: FleetIngest;
  push(input: PushInput): Promise<void>;
  lease(holder?: string): Promise<Lease>;
  /** Tells every live run the time. */
  tick(options?: { readonly restarts?: boolean }): Promise<void>;
  /** Judges all that is unread. With `restarts` nothing is kept in memory from one step to the next. */
  drain(options?: { readonly restarts?: boolean }): Promise<void>;
}

export async function createDetectBench(): Promise<DetectBench> {
  const test = await createTestStore();
  const { store } = test;
  const clock = createFakeClock();
  const views = createFleetViews(store, clock.now);
  const fleetIngest = createFleetIngest(store, clock.now);
  const context: ApiContext = {
    store,
    now: clock.now,
    moves: createMoveHub(),
    signals: createSignalCache(clock.now),
    comparisons: createComparisons(),
    fleetIngest,
    fleetViews: views,
    requestId: "test",
    server: { version: "0", demo: false },
    actor: { name: "test", scopes: ["admin"], tokenId: null, via: "local" },
  };
  const verbs = createCaller(context);
  const held = new Map<number, WatchedRun>();
  const lease = async (holder = "bench"): Promise<Lease> => {
    const taken = await store.records.leases.acquire("detect", holder, 600_000);
    if (taken === null) throw new Error("somebody holds the lease");
    return taken;
  };
  return {
    store,
    clock,
    verbs,
    views,
    fleetIngest,
    lease,
    async push(input) {
      await verbs.ingest.push(input);
    },
    async tick({ restarts = false } = {}) {
      await clockRound({
        store,
        views,
        lease: await lease(),
        turn: await beginTurn(store, clock.now),
        mustYield: () => false,
        now: clock.now,
        held: (runId) => (restarts ? null : (held.get(runId) ?? null)),
        isDue: () => true,
        async act(runId, ask) {
          held.set(runId, (await ask()).next);
        },
      });
    },
    async drain({ restarts = false } = {}) {
      const current = await lease();
      for (;;) {
        const pending = await store.records.cursors.pending(16);
        if (pending.length === 0) return;
        for (const run of pending) {
          const { next } = await detectStep({
            store,
            views,
            lease: current,
            run,
            held: restarts ? null : (held.get(run.runId) ?? null),
            nowMs: clock.now(),
          });
          held.set(run.runId, next);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await fleetIngest.close();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** Deterministic noise in [-1, 1): Murmur's finaliser, which leaves no pattern between neighbours. */
function noise(index: number): number {
  let state = Math.imul(index ^ (index >>> 16), 0x85eb_ca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2_ae35);
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 31 - 1;
}

export interface Fault {
  readonly kind: "spike" | "nan";
  readonly step: number;
  readonly steps: number;
}

/** A loss and a gradient norm from one step to another, with a fault in them; one push a hundred steps. */
export function* trainingPushes(options: {
  readonly from: number;
  readonly to: number;
  readonly seq: number;
  readonly faults: readonly Fault[];
  readonly attempt?: string;
}): Generator<PushInput, void, undefined> {
  const { from, to, faults, attempt } = options;
  let { seq } = options;
  for (let first = from; first <= to; first += 100) {
    const steps = Array.from({ length: Math.min(100, to - first + 1) }, (_, index) => first + index);
    const at = (step: number): Fault | undefined => faults.find((fault) => step >= fault.step && step < fault.step + fault.steps);
    const loss = (step: number): number => {
      const level = 2 + 0.01 * noise(step);
      const fault = at(step);
      if (fault === undefined) return level;
      return fault.kind === "nan" ? Number.NaN : level * 2.5;
    };
    yield buildPush({ source: `bench ${attempt ?? ""}`, seq: seq++, ...(attempt === undefined ? {} : { attempt }) }, [
      { metric: "loss", points: steps.map((step) => [step, loss(step), step * 2_000]) },
      {
        metric: "grad_norm",
        points: steps.map((step) => [step, 0.4 + 0.02 * noise(step + 7) + (at(step)?.kind === "spike" ? 3 : 0), step * 2_000]),
      },
    ]);
  }
}

/** What the detectors left behind, without what depends on when they did. */
export async function outcomeOf({ store }: DetectBench, runId: number): Promise<unknown> {
  const incidents = await store.records.incidents.ofRun(runId);
  const states = await store.records.cursors.states(runId);
  const facts = await store.records.runs.facts(runId);
  return {
    findings: (await store.records.findings.ofRun(runId, 10_000)).items,
    incidents: incidents.map(({ id, run, attempt, severity, findings }) => ({ id, run, attempt, severity, findings })),
    states: [...states].sort((a, b) => (a.attempt < b.attempt ? -1 : 1)),
    pace: { stepTimeS: facts?.stepTimeS, logEvery: facts?.logEvery, watched: facts?.watched },
  };
}
