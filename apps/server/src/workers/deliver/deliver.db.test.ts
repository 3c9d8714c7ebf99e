import { createHmac } from "node:crypto";
import { tellChanges, tellIncident } from "@trainwatch/api";
import { describe, expect, it } from "vitest";
import { change, createDeliverBench, incidentWith, open, PUBLIC_URL, SECRET, spike, webhook } from "./deliver-bench.fixture.ts";
import { createReceiver } from "./receiver.fixture.ts";

/** Something to wait for until somebody says so. */
function createSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give: () => give() };
}

describe("delivering notices", () => {
  it("sends what was written, signed, with a link, and says so in the log and the timeline", async () => {
    await using bench = await createDeliverBench();
    await webhook(bench);
    const incidentId = await open(bench);
    await bench.deliver();
    const [received] = bench.receiver.received;
    expect(bench.receiver.received).toHaveLength(1);
    const { t = "", v1 = "" } = Object.fromEntries(
      String(received?.headers["x-trainwatch-signature"])
        .split(",")
        .map((part) => part.split("=")),
    );
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
    expect(timeline.filter(({ kind }) => kind === "notified")).toMatchObject([
      { actor: "notices", text: "Notified on call (opened): delivered" },
    ]);
  });

  it("G6: five restarts of the server, and the incident judged anew each time, send nothing again", async () => {
    await using bench = await createDeliverBench();
    await webhook(bench);
    const incidentId = await open(bench);
    for (let restart = 0; restart < 5; restart++) {
      await change(bench, incidentId, spike());
      await bench.deliver();
    }
    expect(bench.bodies().map(({ reason }) => reason)).toEqual(["opened"]);
  });

  it("sends after a restart what was committed when the server was killed before it could send", async () => {
    await using bench = await createDeliverBench();
    await webhook(bench);
    await open(bench);
    expect(bench.receiver.received).toEqual([]);
    await bench.deliver();
    await bench.deliver();
    expect(bench.receiver.received).toHaveLength(1);
  });

  it("writes nothing where the transaction of what it tells of is undone", async () => {
    await using bench = await createDeliverBench();
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
    await using bench = await createDeliverBench();
    await webhook(bench);
    const incidentId = await open(bench);
    await Promise.all(
      [1, 2].map(() =>
        bench.store.records.transaction((records) => tellIncident(records, { incidentId, reason: "over", nowMs: bench.clock.now() })),
      ),
    );
    await bench.deliver();
    expect(bench.bodies().map(({ reason }) => reason)).toEqual(["opened", "over"]);
  });

  it("G4: sent twice, because the server died before it could write down that it had sent, it has the same id", async () => {
    await using bench = await createDeliverBench();
    await webhook(bench);
    await open(bench);
    // The receiver has it; nothing of it is written.
    const client = await bench.store.pool.connect();
    await client.query("BEGIN");
    await client.query("LOCK TABLE delivery IN SHARE MODE");
    const delivering = bench.deliver();
    // Whoever waits for the lock has sent and is about to write it down.
    const kill =
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
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
    await using bench = await createDeliverBench();
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
    await using bench = await createDeliverBench();
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
    await using bench = await createDeliverBench();
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
    expect(await bench.verbs.channels.health()).toMatchObject([
      { channelId, waiting: 0, lastDeliveredAtMs: null, lastFailure: { ok: false } },
    ]);
    expect((await bench.store.pool.query("SELECT FROM graphile_worker.jobs")).rows).toEqual([]);
  });

  it.each([
    { name: "a refusal that trying again does not help", answer: { status: 404, body: "no_service" }, says: "no_service" },
    {
      name: "a redirect, which is not followed",
      answer: { status: 302, headers: { location: "http://169.254.169.254/" } },
      says: /^It answers with a redirect/,
    },
  ])("takes $name for final", async ({ answer, says }) => {
    await using bench = await createDeliverBench();
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
    await using bench = await createDeliverBench();
    await webhook(bench);
    await open(bench);
    await bench.store.pool.query("UPDATE graphile_worker._private_jobs SET locked_by = 'gone', locked_at = now() - interval '3 minutes'");
    await bench.store.pool.query(
      "UPDATE graphile_worker._private_job_queues SET locked_by = 'gone', locked_at = now() - interval '3 minutes'",
    );
    await bench.deliver();
    expect(bench.receiver.received).toHaveLength(1);
  });

  it("gives a job to what waits without one", async () => {
    await using bench = await createDeliverBench();
    await webhook(bench);
    await open(bench);
    await bench.store.pool.query("DELETE FROM graphile_worker._private_jobs");
    await bench.deliver();
    expect(bench.receiver.received).toHaveLength(1);
  });

  it("holds up no channel for one that does not answer", async () => {
    await using bench = await createDeliverBench();
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

  it("sends what comes for another channel while one does not answer", async () => {
    await using bench = await createDeliverBench();
    await using slow = await createReceiver();
    const [asked, answer, told] = [createSignal(), createSignal(), createSignal()];
    slow.onRequest = () => {
      asked.give();
      return answer.given;
    };
    await webhook(bench, { name: "slow", url: slow.url });
    await open(bench);
    const worker = bench.start();
    await asked.given;
    bench.receiver.onRequest = told.give;
    await webhook(bench);
    await open(bench, spike({ id: "f2", fingerprint: "p2" }));
    worker.wake();
    await told.given;
    expect([slow.received.length, bench.receiver.received.length]).toEqual([1, 1]);
    answer.give();
    await worker.close();
  });
});
