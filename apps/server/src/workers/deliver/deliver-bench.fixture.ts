import {
  createCaller,
  createFleetIngest,
  createFleetViews,
  createMoveHub,
  createComparisons,
  createSignalCache,
  tellChanges,
} from "@trainwatch/api";
import { NO_RUN, noticeSchema, type Finding, type Incident, type NoticeBody } from "@trainwatch/core";
import type { Store } from "@trainwatch/store";
import { createFakeClock, createTestStore, type FakeClock } from "@trainwatch/testkit";
import { pino } from "pino";
import type { MoveRelay } from "../../live/move-relay.ts";
import type { Worker } from "../detect/detect-worker.ts";
import { startDeliverWorker } from "./deliver-worker.ts";
import { createReceiver, type Receiver } from "./receiver.fixture.ts";

export const SECRET = "0123456789abcdef0123456789abcdef";
export const PUBLIC_URL = "https://watch.example";

export interface DeliverBench extends AsyncDisposable {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly receiver: Receiver;
  readonly verbs: ReturnType<typeof createCaller>;
  readonly runId: number;
  /** Starts a deliver worker, waits until it has looked once, and ends it: as a server that was started and stopped. */
  deliver(): Promise<void>;
  /** Starts one that goes on until it is closed; `wake` is what a changed incident does. */
  start(): Worker & { wake(): void };
  /** What comes due by graphile-worker's clock is due now. */
  makeDue(): Promise<void>;
  bodies(): readonly NoticeBody[];
}

export async function createDeliverBench(): Promise<DeliverBench> {
  const test = await createTestStore();
  const receiver = await createReceiver();
  const { store } = test;
  const clock = createFakeClock();
  const hub = createMoveHub();
  const movesTo = (onMove: MoveRelay["onMove"]): MoveRelay => ({
    ...hub,
    onMove,
    endStreams: () => undefined,
    close: () => Promise.resolve(),
  });
  const moves = movesTo(() => () => undefined);
  const logger = pino({ level: "silent" });
  const verbs = createCaller({
    store,
    now: clock.now,
    moves,
    signals: createSignalCache(clock.now),
    comparisons: createComparisons(),
    fleetIngest: createFleetIngest(store, clock.now),
    fleetViews: createFleetViews(store, clock.now),
    requestId: "test",
    server: { version: "0", demo: false },
    actor: { name: "ada", scopes: ["admin"], tokenId: null, via: "local" },
  });
  const { rows } = await store.pool.query<{ id: number }>(
    "INSERT INTO run (project, name, created_at_ms, attempt, last_step) VALUES ('llm', '7b', 0, 'a1', 2000) RETURNING id",
  );
  return {
    store,
    clock,
    receiver,
    verbs,
    runId: rows[0]?.id ?? 0,
    async deliver() {
      await startDeliverWorker({ store, moves, now: clock.now, logger, publicUrl: PUBLIC_URL }).close();
    },
    start() {
      let wake = (): void => undefined;
      const heard = movesTo((listen) => {
        wake = () => listen({ runId: NO_RUN, lastStep: null, samples: 0, atMs: clock.now(), incidentsChanged: true });
        return () => undefined;
      });
      return { ...startDeliverWorker({ store, moves: heard, now: clock.now, logger, publicUrl: PUBLIC_URL }), wake: () => wake() };
    },
    async makeDue() {
      await store.pool.query("UPDATE graphile_worker._private_jobs SET run_at = now()");
    },
    bodies: () => receiver.received.map(({ body }) => noticeSchema.parse(JSON.parse(body))),
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

export function spike(given: Partial<Finding> = {}): Finding {
  return {
    id: "f1",
    fingerprint: "p1",
    detector: "loss-shift",
    version: 1,
    attempt: "a1",
    metric: "loss",
    subject: { kind: "run", id: "llm/7b" },
    severity: "critical",
    state: "ongoing",
    onsetStep: 1_000,
    onsetLowerStep: 995,
    detectedStep: 1_010,
    peakStep: 1_020,
    endStep: null,
    onsetTimeMs: Date.UTC(2026, 0, 1, 3, 0),
    detectedTimeMs: Date.UTC(2026, 0, 1, 3, 1),
    endTimeMs: null,
    shape: "jump",
    peakValue: 5,
    baselineValue: 2,
    levelShift: null,
    summary: "Loss ×2.5 since step 1,000",
    evidence: [],
    place: null,
    facts: [],
    ...given,
  };
}

export function incidentWith(finding: Finding, given: Partial<Incident> = {}): Incident {
  return {
    id: null,
    run: "llm/7b",
    attempt: "a1",
    state: "open",
    severity: finding.severity,
    findings: [finding],
    regressionOf: null,
    owner: null,
    openedAtMs: 0,
    acknowledgedAtMs: null,
    snoozedUntilMs: null,
    resolvedAtMs: null,
    flaps: 0,
    ...given,
  };
}

export async function open({ store, runId, clock }: DeliverBench, finding = spike()): Promise<number> {
  return store.records.transaction(async (records) => {
    const id = await records.incidents.create(runId, incidentWith(finding), finding.id, clock.now());
    if (id === null) throw new Error("opened already");
    await records.findings.upsert(runId, finding, id, clock.now());
    await tellChanges(records, { incidentId: id, nowMs: clock.now() });
    return id;
  });
}

/** What detectors do when a finding changes: the row, the finding, and what there is to tell. */
export async function change(
  { store, runId, clock }: DeliverBench,
  id: number,
  finding: Finding,
  given: Partial<Incident> = {},
): Promise<void> {
  await store.records.transaction(async (records) => {
    await records.incidents.update(id, incidentWith(finding, { id, ...given }), ["open", "acknowledged"], clock.now());
    await records.findings.upsert(runId, finding, id, clock.now());
    await tellChanges(records, { incidentId: id, nowMs: clock.now() });
  });
}

export const webhook = (bench: DeliverBench, given: object = {}) =>
  bench.verbs.channels.create({ name: "on call", kind: "webhook", url: bench.receiver.url, secret: SECRET, scope: {}, ...given });
