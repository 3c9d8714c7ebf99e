import { createHmac } from "node:crypto";
import { createCaller, createFleetIngest, createFleetViews, createMoveHub, createSignalCache, tellByClock, tellChanges, tellIncident } from "@trainwatch/api";
import { noticeSchema, type Finding, type Incident, type NoticeBody } from "@trainwatch/core";
import type { Store } from "@trainwatch/store";
import { createFakeClock, createTestStore, type FakeClock } from "@trainwatch/testkit";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { MoveRelay } from "../../live/move-relay.ts";
import { startDeliverWorker } from "./deliver-worker.ts";
import { createReceiver, type Receiver } from "./receiver.fixture.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const PUBLIC_URL = "https://watch.example";

interface Bench extends AsyncDisposable {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly receiver: Receiver;
  readonly verbs: ReturnType<typeof createCaller>;
  readonly runId: number;
  /** Starts a deliver worker, waits until it has looked once, and ends it: as a server that was started and stopped. */
  deliver(): Promise<void>;
  /** What comes due by graphile-worker's clock is due now. */
  makeDue(): Promise<void>;
  bodies(): readonly NoticeBody[];
}

async function createBench(): Promise<Bench> {
  const test = await createTestStore();
  const receiver = await createReceiver();
  const { store } = test;
  const clock = createFakeClock();
  const hub = createMoveHub();
  const moves: MoveRelay = { ...hub, onMove: () => () => undefined, endStreams: () => undefined, close: () => Promise.resolve() };
  const verbs = createCaller({
    store,
    now: clock.now,
    moves,
    signals: createSignalCache(clock.now),
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
      const worker = startDeliverWorker({ store, moves, now: clock.now, logger: pino({ level: "silent" }), publicUrl: PUBLIC_URL });
      await worker.close();
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

function spike(given: Partial<Finding> = {}): Finding {
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

function incidentWith(finding: Finding, given: Partial<Incident> = {}): Incident {
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

async function open({ store, runId, clock }: Bench, finding = spike()): Promise<number> {
  return store.records.transaction(async (records) => {
    const id = await records.incidents.create(runId, incidentWith(finding), finding.id, clock.now());
    if (id === null) throw new Error("opened already");
    await records.findings.upsert(runId, finding, id, clock.now());
    await tellChanges(records, { incidentId: id, nowMs: clock.now() });
    return id;
  });
}

/** What detectors do when a finding changes: the row, the finding, and what there is to tell. */
async function change({ store, runId, clock }: Bench, id: number, finding: Finding, given: Partial<Incident> = {}): Promise<void> {
  await store.records.transaction(async (records) => {
    await records.incidents.update(id, incidentWith(finding, { id, ...given }), ["open", "acknowledged"], clock.now());
    await records.findings.upsert(runId, finding, id, clock.now());
    await tellChanges(records, { incidentId: id, nowMs: clock.now() });
  });
}

const webhook = (bench: Bench, given: object = {}) =>
  bench.verbs.channels.create({ name: "on call", kind: "webhook", url: bench.receiver.url, secret: SECRET, scope: {}, ...given });

describe("delivering notices", () => {
  it("sends what was written, signed, with a link, and says so in the log and the timeline", async () => {
    await using bench = await createBench();
    await webhook(bench);
    const incidentId = await open(bench);
    await bench.deliver();
    const [received] = bench.receiver.received;
    expect(bench.receiver.received).toHaveLength(1);
    const { t = "", v1 = "" } = Object.fromEntries(String(received?.headers["x-trainwatch-signature"]).split(",").map((part) => part.split("=")));
    expect(v1).toBe(createHmac("sha256", SECRET).update(`${t}.${received?.body}`).digest("hex"));
    expect(Number(t)).toBe(bench.clock.now() / 1_000);
    expect(received?.headers["x-trainwatch-delivery"]).toBe(bench.bodies()[0]?.id);
    expect(bench.bodies()[0]).toMatchObject({
      version: 1,
      reason: "opened",
      incidentId,
      severity: "critical",
      run: "llm/7b",
      attempt: "a1",
      since: "2026-01-01T03:00:00.000Z",
      sinceStep: 1_000,
      ongoing: true,
      url: `${PUBLIC_URL}/incidents/${incidentId}`,
    });
    const { items } = await bench.verbs.notices.list({ incidentId });
    expect(items).toMatchObject([{ channel: "on call", reason: "opened", state: "delivered", deliveries: [{ ok: true, status: 200 }] }]);
    const { timeline } = await bench.verbs.incidents.get({ incidentId });
    expect(timeline.filter(({ kind }) => kind === "notified")).toMatchObject([{ actor: "notices", text: "Notified on call (opened): delivered" }]);
  });

  it("G6: five restarts of the server, and the incident judged anew each time, send nothing again", async () => {
    await using bench = await createBench();
    await webhook(bench);
    const incidentId = await open(bench);
    for (let restart = 0; restart < 5; restart++) {
      await change(bench, incidentId, spike());
      await bench.deliver();
    }
    expect(bench.bodies().map(({ reason }) => reason)).toEqual(["opened"]);
  });

  it("sends after a restart what was committed when the server was killed before it could send", async () => {
    await using bench = await createBench();
    await webhook(bench);
    await open(bench);
    expect(bench.receiver.received).toEqual([]);
    await bench.deliver();
    await bench.deliver();
    expect(bench.receiver.received).toHaveLength(1);
  });

  it("writes nothing where the transaction of what it tells of is undone", async () => {
    await using bench = await createBench();
    await webhook(bench);
    const undone = bench.store.records.transaction(async (records) => {
      const id = await records.incidents.create(bench.runId, incidentWith(spike()), "f1", 0);
      await records.findings.upsert(bench.runId, spike(), id, 0);
      await tellChanges(records, { incidentId: id ?? 0, nowMs: 0 });
      expect(await records.notices.sent(id ?? 0)).toHaveLength(1);
      throw new Error("power cut");
    });
    await expect(undone).rejects.toThrow("power cut");
    await bench.deliver();
    expect(bench.receiver.received).toEqual([]);
    expect((await bench.store.pool.query("SELECT FROM graphile_worker.jobs")).rows).toEqual([]);
  });

  it("G4: the same alarm of two replicas at once is told once", async () => {
    await using bench = await createBench();
    await webhook(bench);
    const incidentId = await open(bench);
    await Promise.all(
      [1, 2].map(() => bench.store.records.transaction((records) => tellIncident(records, { incidentId, reason: "over", nowMs: bench.clock.now() }))),
    );
    await bench.deliver();
    expect(bench.bodies().map(({ reason }) => reason)).toEqual(["opened", "over"]);
  });

  it("G4: sent twice, because the server died before it could write down that it had sent, it has the same id", async () => {
    await using bench = await createBench();
    await webhook(bench);
    await open(bench);
    // The receiver has it; nothing of it is written.
    const client = await bench.store.pool.connect();
    await client.query("BEGIN");
    await client.query("LOCK TABLE delivery IN SHARE MODE");
    const delivering = bench.deliver();
    // Whoever waits for the lock has sent and is about to write it down.
    const kill = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    while ((await client.query(kill)).rows.length === 0);
    await client.query("ROLLBACK");
    client.release();
    await delivering;
    await bench.makeDue();
    await bench.deliver();
    const ids = bench.receiver.received.map(({ headers }) => headers["x-trainwatch-delivery"]);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    const { items } = await bench.verbs.notices.list({});
    expect(items.flatMap(({ deliveries }) => deliveries.filter(({ ok }) => ok))).toHaveLength(1);
  });

  it("G4: an end never arrives before its beginning, also where the beginning could not be delivered at first", async () => {
    await using bench = await createBench();
    await webhook(bench);
    bench.receiver.answers.push({ status: 500 });
    const incidentId = await open(bench);
    await bench.deliver();
    await bench.verbs.incidents.resolve({ incidentId, reason: "data was fixed" });
    await bench.deliver();
    expect(bench.bodies().map(({ reason }) => reason)).toEqual(["opened", "opened", "resolved"]);
    expect(bench.bodies().at(-1)?.ended).toBe("Resolved: data was fixed (ada)");
    expect((await bench.verbs.notices.list({})).items.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  });

  it("tries again what a receiver that is down or fails did not take, and logs each try", async () => {
    await using bench = await createBench();
    await webhook(bench);
    bench.receiver.answers.push({ status: 500, body: "out of room ".repeat(100) }, { status: 429 });
    await open(bench);
    await bench.deliver();
    await bench.deliver();
    expect(bench.receiver.received, "no try before its time").toHaveLength(1);
    for (let round = 0; round < 2; round++) {
      await bench.makeDue();
      await bench.deliver();
    }
    const [notice] = (await bench.verbs.notices.list({})).items;
    expect(notice?.state).toBe("delivered");
    expect(notice?.deliveries.map(({ status }) => status)).toEqual([500, 429, 200]);
    expect(notice?.deliveries[0]?.message.length).toBe(200);
    expect(new Set(bench.bodies().map(({ id }) => id)).size).toBe(1);
  });

  it("waits for a receiver that is not there, and gives up after four hours, in words on the timeline", async () => {
    await using bench = await createBench();
    const { id: channelId } = await webhook(bench, { url: "http://127.0.0.1:1/hook" });
    const incidentId = await open(bench);
    let rounds = 0;
    const stateOf = async () => (await bench.verbs.notices.list({ channelId })).items[0]?.state;
    while ((await stateOf()) === "waiting") {
      await bench.deliver();
      bench.clock.advance(30 * 60_000);
      await bench.makeDue();
      expect(++rounds).toBeLessThan(20);
    }
    expect(await stateOf()).toBe("failed");
    const { timeline } = await bench.verbs.incidents.get({ incidentId });
    expect(timeline.at(-1)?.text).toMatch(/^Notified on call \(opened\): failed after \d tries: Nobody listens at this address/);
    expect(await bench.verbs.channels.health()).toMatchObject([{ channelId, waiting: 0, lastDeliveredAtMs: null, lastFailure: { ok: false } }]);
    expect((await bench.store.pool.query("SELECT FROM graphile_worker.jobs")).rows).toEqual([]);
  });

  it.each([
    { name: "a refusal that trying again does not help", answer: { status: 404, body: "no_service" }, says: "no_service" },
    { name: "a redirect, which is not followed", answer: { status: 302, headers: { location: "http://169.254.169.254/" } }, says: /^It answers with a redirect/ },
  ])("takes $name for final", async ({ answer, says }) => {
    await using bench = await createBench();
    await webhook(bench);
    bench.receiver.answers.push(answer);
    await open(bench);
    await bench.deliver();
    await bench.makeDue();
    await bench.deliver();
    expect(bench.receiver.received).toHaveLength(1);
    const [notice] = (await bench.verbs.notices.list({})).items;
    expect(notice?.state).toBe("failed");
    expect(notice?.deliveries).toMatchObject([{ ok: false, status: answer.status, message: expect.stringMatching(says) }]);
  });

  it("frees what a process that was killed at work still holds", async () => {
    await using bench = await createBench();
    await webhook(bench);
    await open(bench);
    await bench.store.pool.query("UPDATE graphile_worker._private_jobs SET locked_by = 'gone', locked_at = now() - interval '3 minutes'");
    await bench.store.pool.query("UPDATE graphile_worker._private_job_queues SET locked_by = 'gone', locked_at = now() - interval '3 minutes'");
    await bench.deliver();
    expect(bench.receiver.received).toHaveLength(1);
  });

  it("gives a job to what waits without one", async () => {
    await using bench = await createBench();
    await webhook(bench);
    await open(bench);
    await bench.store.pool.query("DELETE FROM graphile_worker._private_jobs");
    await bench.deliver();
    expect(bench.receiver.received).toHaveLength(1);
  });

  it("holds up no channel for one that does not answer", async () => {
    await using bench = await createBench();
    await using slow = await createReceiver();
    let answer: () => void = () => undefined;
    slow.onRequest = () => new Promise<void>((resolve) => (answer = resolve));
    await webhook(bench, { name: "slow", url: slow.url });
    await webhook(bench);
    bench.receiver.onRequest = () => answer();
    await open(bench);
    await bench.deliver();
    expect([slow.received.length, bench.receiver.received.length]).toEqual([1, 1]);
  });
});

describe("what is told", () => {
  it("G1: fired and over every 40 s for an hour, it is one incident of which two notices go out", async () => {
    await using bench = await createBench();
    await webhook(bench);
    const incidentId = await open(bench);
    for (let flaps = 1; flaps <= 90; flaps++) {
      bench.clock.advance(20_000);
      await change(bench, incidentId, spike({ state: "recovered", endStep: 1_000 + flaps, endTimeMs: bench.clock.now() }), { flaps: flaps - 1 });
      bench.clock.advance(20_000);
      await change(bench, incidentId, spike(), { flaps });
      await tellByClock(bench.store.records, bench.clock.now());
    }
    await bench.deliver();
    expect(bench.receiver.received.length).toBeLessThanOrEqual(2);
    expect((await bench.verbs.incidents.list()).items).toMatchObject([{ id: incidentId, flaps: 90 }]);
  });

  it("says that it is over once the end has held", async () => {
    await using bench = await createBench();
    await webhook(bench);
    const incidentId = await open(bench);
    bench.clock.advance(60_000);
    await change(bench, incidentId, spike({ state: "recovered", endStep: 1_200, endTimeMs: bench.clock.now() }));
    await tellByClock(bench.store.records, bench.clock.now());
    await bench.deliver();
    expect(bench.bodies()).toHaveLength(1);
    bench.clock.advance(10 * 60_000);
    await bench.deliver();
    expect(bench.bodies().map(({ reason, ended }) => [reason, ended])).toEqual([
      ["opened", null],
      ["over", "Recovered at step 1,200"],
    ]);
  });

  it("goes to the channels whose scope and severity it fits", async () => {
    await using bench = await createBench();
    await webhook(bench, { name: "pages", minSeverity: "critical" });
    await webhook(bench, { name: "tickets", minSeverity: "warning" });
    await webhook(bench, { name: "another cluster", minSeverity: "warning", scope: { cluster: "east" } });
    await webhook(bench, { name: "off", minSeverity: "warning", enabled: false });
    const incidentId = await open(bench, spike({ severity: "warning" }));
    await change(bench, incidentId, spike(), { severity: "critical" });
    await bench.deliver();
    const told = (await bench.verbs.notices.list({})).items.map(({ channel, reason }) => `${channel}: ${reason}`);
    expect(told.toSorted()).toEqual(["pages: escalated", "tickets: escalated", "tickets: opened"]);
  });

  it("keeps quiet while a mute holds, says so, and tells when it ends if it still goes on", async () => {
    await using bench = await createBench();
    await webhook(bench);
    bench.clock.set(Date.UTC(2026, 0, 5, 2, 0));
    await bench.verbs.mutes.create({ name: "nights", zone: "UTC", weekdays: [1, 2, 3, 4, 5, 6, 7], from: "22:00", to: "06:00", upTo: "critical", scope: {} });
    const incidentId = await open(bench);
    await bench.deliver();
    expect(bench.receiver.received).toEqual([]);
    expect((await bench.verbs.notices.list({})).items).toMatchObject([{ state: "muted" }]);
    const { timeline } = await bench.verbs.incidents.get({ incidentId });
    expect(timeline.at(-1)?.text).toBe("Nobody was notified (opened): a mute calendar holds");
    bench.clock.set(Date.UTC(2026, 0, 5, 6, 0));
    await bench.deliver();
    await bench.deliver();
    expect(bench.bodies().map(({ reason }) => reason)).toEqual(["opened"]);
  });

  it("is not told after a mute where somebody has taken it or it is over", async () => {
    await using bench = await createBench();
    await webhook(bench);
    bench.clock.set(Date.UTC(2026, 0, 5, 2, 0));
    const { id: muteId } = await bench.verbs.mutes.create({ name: "nights", zone: "UTC", weekdays: [1], from: "00:00", to: "06:00", upTo: "critical", scope: {} });
    const incidentId = await open(bench);
    await bench.verbs.incidents.acknowledge({ incidentId });
    await bench.verbs.mutes.delete({ muteId });
    await bench.deliver();
    expect(bench.receiver.received).toEqual([]);
  });

  it("comes back when a snooze is over and it still goes on", async () => {
    await using bench = await createBench();
    await webhook(bench);
    const incidentId = await open(bench);
    await bench.verbs.incidents.snooze({ incidentId, untilMs: bench.clock.now() + 3_600_000 });
    bench.clock.advance(3_500_000);
    await bench.deliver();
    expect(bench.bodies()).toHaveLength(1);
    bench.clock.advance(200_000);
    await bench.deliver();
    expect(bench.bodies().map(({ reason }) => reason)).toEqual(["opened", "reopened"]);
  });

  it("fits Slack: severity by shape and word, run, what, since when, and what Slack would take for its own marks made harmless", async () => {
    await using bench = await createBench();
    await webhook(bench, { kind: "slack" });
    const incidentId = await open(bench);
    await bench.deliver();
    const message: unknown = JSON.parse(bench.receiver.received[0]?.body ?? "null");
    expect(message).toMatchObject({ text: expect.stringMatching(/^◆ CRITICAL · new · llm\/7b: Loss/), blocks: [{ type: "section" }] });
    expect(JSON.stringify(message)).toContain("Since step 1,000 of a1, 2026-01-01 03:00:00 UTC, still going on");
    expect(JSON.stringify(message)).toContain(`<${PUBLIC_URL}/incidents/${incidentId}|Open incident ${incidentId}>`);
    expect(bench.receiver.received[0]?.headers["x-trainwatch-signature"]).toBeUndefined();
  });
});
