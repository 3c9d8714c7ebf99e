import { tellByClock } from "@trainwatch/api";
import { describe, expect, it } from "vitest";
import { change, createDeliverBench, open, PUBLIC_URL, spike, webhook } from "./deliver-bench.fixture.ts";

describe("what is told", () => {
  it("G1: fired and over every 40 s for an hour, it is one incident of which two notices go out", async () => {
    await using bench = await createDeliverBench();
    await webhook(bench);
    const incidentId = await open(bench);
    for (let flaps = 1; flaps <= 90; flaps++) {
      bench.clock.advance(20_000);
      await change(bench, incidentId, spike({ state: "recovered", endStep: 1_000 + flaps, endTimeMs: bench.clock.now() }), {
        flaps: flaps - 1,
      });
      bench.clock.advance(20_000);
      await change(bench, incidentId, spike(), { flaps });
      await tellByClock(bench.store.records, bench.clock.now());
    }
    await bench.deliver();
    expect(bench.receiver.received.length).toBeLessThanOrEqual(2);
    expect((await bench.verbs.incidents.list()).items).toMatchObject([{ id: incidentId, flaps: 90 }]);
  });

  it("says that it is over once the end has held", async () => {
    await using bench = await createDeliverBench();
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
    await using bench = await createDeliverBench();
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
    await using bench = await createDeliverBench();
    await webhook(bench);
    bench.clock.set(Date.UTC(2026, 0, 5, 2, 0));
    await bench.verbs.mutes.create({
      name: "nights",
      zone: "UTC",
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      from: "22:00",
      to: "06:00",
      upTo: "critical",
      scope: {},
    });
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
    await using bench = await createDeliverBench();
    await webhook(bench);
    bench.clock.set(Date.UTC(2026, 0, 5, 2, 0));
    const { id: muteId } = await bench.verbs.mutes.create({
      name: "nights",
      zone: "UTC",
      weekdays: [1],
      from: "00:00",
      to: "06:00",
      upTo: "critical",
      scope: {},
    });
    const incidentId = await open(bench);
    await bench.verbs.incidents.acknowledge({ incidentId });
    await bench.verbs.mutes.delete({ muteId });
    await bench.deliver();
    expect(bench.receiver.received).toEqual([]);
  });

  it("comes back when a snooze is over and it still goes on", async () => {
    await using bench = await createDeliverBench();
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
    await using bench = await createDeliverBench();
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
