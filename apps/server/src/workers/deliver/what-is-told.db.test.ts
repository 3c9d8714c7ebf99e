import { tellByClock, tellChanges } from "@trainwatch/api";
import { describe, expect, it } from "vitest";
import { change, createDeliverBench, incidentWith, open, PUBLIC_URL, spike, webhook } from "./deliver-bench.fixture.ts";

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

  it("tells after a mute what goes on again, and not of the end that was kept back with it", async () => {
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
    await change(bench, incidentId, spike({ state: "recovered", endStep: 1_200, endTimeMs: bench.clock.now() }));
    bench.clock.advance(10 * 60_000);
    await bench.deliver();
    // It flaps, and two were written within the hour: no third, though it is back.
    await change(bench, incidentId, spike(), { flaps: 1 });
    expect((await bench.verbs.notices.list({})).items.map(({ reason, state }) => [reason, state])).toEqual([
      ["over", "muted"],
      ["opened", "muted"],
    ]);
    await bench.verbs.mutes.delete({ muteId });
    bench.clock.advance(60_000);
    await bench.deliver();
    expect(bench.bodies().map(({ reason, ongoing }) => [reason, ongoing])).toEqual([["opened", true]]);
  });

  it("lets go of all that a mute kept back, however many others another one still holds", async () => {
    await using bench = await createDeliverBench();
    await webhook(bench);
    bench.clock.set(Date.UTC(2026, 0, 5, 2, 0));
    const night = { zone: "UTC", weekdays: [1], from: "00:00", to: "06:00", upTo: "critical" as const, scope: {} };
    await bench.verbs.mutes.create({ ...night, name: "held", detectors: ["loss-shift"] });
    const { id: muteId } = await bench.verbs.mutes.create({ ...night, name: "let go", detectors: ["hang"] });
    for (let index = 0; index < 101; index++) await open(bench, spike({ id: `f${index}`, fingerprint: `p${index}` }));
    const hang = await open(bench, spike({ id: "hang", fingerprint: "hang", detector: "hang" }));
    await bench.verbs.mutes.delete({ muteId });
    await bench.deliver();
    expect(bench.bodies().map(({ incidentId }) => incidentId)).toEqual([hang]);
  });

  it("comes back when a snooze is over, also where a finding is folded in before the clock sees to it", async () => {
    await using bench = await createDeliverBench();
    await webhook(bench);
    const incidentId = await open(bench);
    const untilMs = bench.clock.now() + 3_600_000;
    await bench.verbs.incidents.snooze({ incidentId, untilMs });
    await bench.deliver();
    bench.clock.set(untilMs + 1_000);
    // As the fold writes it: what has run out is open.
    await bench.store.records.transaction(async (records) => {
      await records.incidents.update(
        incidentId,
        incidentWith(spike(), { id: incidentId, snoozedUntilMs: untilMs }),
        ["snoozed"],
        bench.clock.now(),
      );
      await tellChanges(records, { incidentId, nowMs: bench.clock.now() });
    });
    await bench.deliver();
    expect(bench.bodies().map(({ reason }) => reason)).toEqual(["opened", "reopened"]);
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
