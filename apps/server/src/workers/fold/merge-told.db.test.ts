import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { access, anXid, dead, MINUTE, onRun, SECOND, slow, T0, twoThatAreOne, withChannel } from "./merge-bench.fixture.ts";

describe("what is told of two incidents that become one", () => {
  it("is once that they are one, to who was told of both", async () => {
    await using at = await onRun();
    await withChannel(at);
    await twoThatAreOne(at, "critical");
    await at.fold(dead);
    await at.fold({ ...dead, detectedTimeMs: T0 + SECOND });
    expect(await at.told()).toEqual([
      [1, "opened", []],
      [2, "opened", []],
      [1, "merged", [2]],
    ]);
  });

  it("is once that it got worse, where what ties them is worse, and that says what was merged", async () => {
    await using at = await onRun();
    await withChannel(at);
    await twoThatAreOne(at);
    await at.fold(dead);
    await at.fold({ ...dead, detectedTimeMs: T0 + SECOND });
    expect(await at.told()).toEqual([
      [1, "opened", []],
      [2, "opened", []],
      [1, "escalated", [2]],
    ]);
  });

  it("is nothing more, where only one of them was told", async () => {
    await using at = await onRun();
    await withChannel(at, "critical");
    await at.fold(access());
    await at.fold(slow("critical"));
    await at.fold(dead);
    expect(await at.told()).toEqual([[2, "opened", []]]);
  });

  it("is nothing but the one, where all came in one batch, and one end when all of it is over", async () => {
    await using at = await onRun();
    await withChannel(at);
    await at.fold(dead, slow(), access());
    const end = { state: "recovered", endTimeMs: T0 + 2 * MINUTE } as const;
    at.bench.clock.set(T0 + 20 * MINUTE);
    await at.fold({ ...dead, ...end }, { ...access(), ...end }, { ...slow(), ...end, endStep: 510 });
    expect((await at.told()).map(([id, reason]) => [id, reason])).toEqual([
      [1, "opened"],
      [1, "over"],
    ]);
  });

  it("is that it is over, also where only the younger one was told of", async () => {
    await using at = await onRun();
    await withChannel(at, "critical");
    await at.fold(access());
    await at.fold(slow("critical"));
    await at.fold(dead);
    const end = { state: "recovered", endTimeMs: T0 + 2 * MINUTE } as const;
    await at.fold({ ...dead, ...end }, { ...access(), ...end }, { ...slow("critical"), ...end, endStep: 510 });
    const nowMs = T0 + 20 * MINUTE;
    expect(await at.bench.store.records.notices.due(nowMs, 10)).toEqual([1]);
    at.bench.clock.set(nowMs);
    await at.fold({ ...dead, ...end });
    expect(await at.told()).toEqual([
      [2, "opened", []],
      [1, "over", [2]],
    ]);
    expect(await at.bench.store.records.notices.due(nowMs, 10)).toEqual([]);
  });

  it("is under a mute nothing yet, and after it that they are one", async () => {
    await using at = await onRun();
    await withChannel(at);
    await twoThatAreOne(at, "critical");
    const { mutes, incidents } = at.bench.verbs;
    const always = {
      name: "always",
      zone: "UTC",
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      from: "00:00",
      to: "00:00",
      upTo: "critical" as const,
      scope: {},
    };
    const { id: muteId } = await mutes.create(always);
    await at.fold(dead);
    expect((await at.told()).map(([id, reason]) => [id, reason])).toEqual([
      [1, "opened"],
      [2, "opened"],
    ]);
    await mutes.delete({ muteId });
    await at.fold({ ...dead, detectedTimeMs: T0 + SECOND });
    expect((await at.told()).at(-1)).toEqual([1, "merged", [2]]);
    // And whoever reads the elder's delivery log sees what was sent of both.
    const log = await at.bench.store.records.notices.list({ incidentId: 1, channelId: null, limit: 10, cursor: null });
    expect(log.items.map(({ incidentId, reason }) => [incidentId, reason])).toEqual([
      [1, "merged"],
      [2, "opened"],
      [1, "opened"],
    ]);
    expect((await incidents.get({ incidentId: 1 })).timeline.filter(({ text }) => text.includes("a mute calendar"))).toEqual([]);
  });

  it("is what a mute keeps back of the younger one, once it ends", async () => {
    await using at = await onRun();
    await withChannel(at, "critical");
    await at.fold(access());
    await at.fold(slow("critical"));
    await at.bench.store.pool.query("UPDATE notice SET state = 'muted'");
    await at.fold(dead);
    expect(await at.bench.store.records.notices.kept(0, 10)).toEqual([1]);
    expect(await at.told()).toEqual([[1, "opened", []]]);
  });
});

describe("a node whose kernel lines come last", () => {
  const lost: Finding = {
    ...anXid(0, "c007", T0 + 5 * MINUTE, "critical"),
    subject: { kind: "node", id: "name:c007" },
    metric: "lost",
    facts: [{ fact: "node-lost", value: null }],
  };

  it("brings what was told of it as of no run to the run's findings, also where the run's own incident is the elder", async () => {
    await using at = await onRun();
    await at.fold(slow());
    await at.foldOfNoRun(lost);
    await at.fold(dead);
    expect((await at.bench.verbs.incidents.list({})).items.map(({ id, runId, findingCount }) => [id, runId, findingCount])).toEqual([
      [1, 1, 3],
    ]);
    expect((await at.bench.store.records.findings.ofRun(1, 10)).total).toBe(3);
  });

  it("is told as new, once, to who hears of that run alone, when it turns out to be of the run", async () => {
    await using at = await onRun();
    const { channels, notices } = at.bench.verbs;
    for (const [name, scope] of [
      ["everybody", {}],
      ["of the run", { runId: 1 }],
    ] as const)
      await channels.create({ name, kind: "slack", url: "https://hooks.example/x", minSeverity: "warning", scope });
    const told = async () => (await notices.list({})).items.toReversed().map(({ channel, reason }) => [channel, reason]);
    await at.foldOfNoRun(lost);
    expect(await told()).toEqual([["everybody", "opened"]]);
    await at.fold(dead);
    await at.fold({ ...dead, detectedTimeMs: T0 + SECOND });
    expect(await told()).toEqual([
      ["everybody", "opened"],
      ["of the run", "opened"],
    ]);
  });

  it("brings what was told of it as of no run into its run's incident, with what the run suffered", async () => {
    await using at = await onRun();
    await at.foldOfNoRun(lost);
    await at.fold(slow());
    await at.fold(dead);
    const { items } = await at.bench.verbs.incidents.list({});
    expect(items.map(({ id, runId, attempt, findingCount }) => [id, runId, attempt, findingCount])).toEqual([[1, 1, "a1", 3]]);
    expect((await at.bench.verbs.incidents.list({ runId: 1 })).total).toBe(1);
    expect((await at.bench.store.records.findings.ofRun(1, 10)).total).toBe(3);
  });

  it("is what began it, though 400 peers were cleared and the run stood in other batches before", async () => {
    await using at = await onRun();
    const torn = Array.from({ length: 400 }, (_, index) => anXid(45, `p${index}`, T0 + (5 + (index % 20)) * SECOND, "info"));
    for (let from = 0; from < torn.length; from += 80) await at.fold(...torn.slice(from, from + 80));
    await at.fold({
      ...slow("critical"),
      id: "hang",
      fingerprint: "hang",
      metric: "progress",
      state: "stalled",
      onsetTimeMs: T0 + 2 * SECOND,
    });
    await at.fold(dead);
    const { items } = await at.bench.verbs.incidents.list({});
    expect(items.map(({ findingCount, title }) => [findingCount, title])).toEqual([
      [402, expect.stringMatching(/^XID 79 .*c007.*teardown on 400 nodes$/)],
    ]);
  });
});
