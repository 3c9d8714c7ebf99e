import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { access, anXid, dead, MINUTE, onRun, SECOND, slow, T0, twoThatAreOne, withChannel } from "./merge-bench.fixture.ts";

describe("a finding that comes late and explains two incidents", () => {
  it("makes them one, with the late one as what began it, and the younger one's id says where it went", async () => {
    await using at = await onRun();
    const { verbs, store } = at.bench;
    await twoThatAreOne(at);
    await verbs.incidents.comment({ incidentId: 2, text: "looks like the data loader" });
    await at.fold(dead);

    const { items, total } = await verbs.incidents.list({});
    expect([total, items.map(({ id, findingCount, severity }) => [id, findingCount, severity])]).toEqual([1, [[1, 3, "critical"]]]);
    expect((await store.records.incidents.openTotals()).total).toBe(1);
    const survivor = await verbs.incidents.get({ incidentId: 1 });
    expect(survivor).toMatchObject({ merged: [2], mergedInto: null, title: expect.stringMatching(/^XID 79 .*steps slower/) });
    expect(survivor.findings.map(({ id }) => id).sort()).toEqual(["slow", "xid-31-c050", "xid-79-c007"]);
    const texts = survivor.timeline.map(({ text }) => text);
    expect(texts).toContain("#2: looks like the data loader");
    expect(texts.filter((text) => text.startsWith("Took in incident 2, “"))).toEqual([expect.stringContaining("XID 79 on c007.")]);

    const gone = await verbs.incidents.get({ incidentId: 2 });
    expect(gone).toMatchObject({ mergedInto: 1, state: "resolved", ongoing: false, findings: [] });
    expect(gone.timeline.at(-1)?.text).toMatch(/^Merged into incident 1, “/);
    expect(await verbs.incidents.export({ incidentId: 2, format: "markdown" })).toMatchObject({
      text: expect.stringContaining("| Merged into | incident 1"),
    });
    const { items: done } = await store.records.audit.list({ target: "incident:2", limit: 10, cursor: null });
    expect(done.map(({ verb, actor, details }) => [verb, actor, details["into"]])).toContainEqual(["incidents.merge", "detectors", 1]);
  });

  it("ends in one incident whoever comes first, and however many workers fold at once", async () => {
    await using at = await onRun();
    await Promise.all([at.fold(dead), at.fold(slow()), at.fold(access())]);
    const { items } = await at.bench.verbs.incidents.list({});
    expect(items.map(({ findingCount, title }) => [findingCount, title.slice(0, 6)])).toEqual([[3, "XID 79"]]);
  });

  it("changes nothing when it is folded again", async () => {
    await using at = await onRun();
    await withChannel(at);
    await twoThatAreOne(at);
    await at.fold(dead);
    const read = async () => [
      await at.told(),
      (await at.bench.verbs.incidents.get({ incidentId: 1 })).timelineTotal,
      (await at.bench.store.records.incidents.find(1))?.flaps,
    ];
    const before = await read();
    await at.fold(dead, slow(), access());
    await at.fold(slow());
    expect(await read()).toEqual(before);
  });

  it("refuses what people would do to the one that is gone, and says which it is now", async () => {
    await using at = await onRun();
    await twoThatAreOne(at);
    await at.fold(dead);
    const { incidents, advice } = at.bench.verbs;
    const incidentId = 2;
    for (const act of [
      () => incidents.acknowledge({ incidentId }),
      () => incidents.resolve({ incidentId }),
      () => incidents.reopen({ incidentId }),
      () => incidents.snooze({ incidentId, untilMs: at.bench.clock.now() + MINUTE }),
      () => incidents.assign({ incidentId, owner: "ada" }),
      () => incidents.comment({ incidentId, text: "?" }),
      () => incidents.label({ incidentId, label: "right" }),
      () => advice.propose({ incidentId }),
    ])
      await expect(act()).rejects.toThrow("Incident 2 turned out to be incident 1 and was merged into it. Act on that one.");
  });

  it("keeps who has taken it and what was said of the alarm, counted once", async () => {
    await using at = await onRun();
    const { verbs } = at.bench;
    await twoThatAreOne(at);
    await verbs.incidents.acknowledge({ incidentId: 2 });
    await verbs.incidents.label({ incidentId: 2, label: "right", reason: "it is slow" });
    await at.fold(dead);
    const survivor = await verbs.incidents.get({ incidentId: 1 });
    expect(survivor).toMatchObject({
      state: "acknowledged",
      owner: "test",
      labelled: { label: "right", reason: "it is slow", by: "test" },
    });
    expect(survivor.timeline.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Took in incident 2, .* \(acknowledged of test\): /),
    );
    const precision = await verbs.detectors.precision();
    expect(precision.map(({ detector, total, unlabelled }) => [detector, total.right, unlabelled]).sort()).toEqual([
      ["step-time", 1, 0],
      ["xid", 1, 0],
    ]);
  });

  it.each(["wrong", "unsure"] as const)(
    "takes a younger one's “%s” for a word on that part: it stays in the timeline, and judges nothing else",
    async (label) => {
      await using at = await onRun();
      const { verbs } = at.bench;
      await twoThatAreOne(at);
      await verbs.incidents.label({ incidentId: 2, label, reason: "a full disk" });
      await at.fold(dead);
      const survivor = await verbs.incidents.get({ incidentId: 1 });
      expect(survivor.labelled).toBeNull();
      expect(survivor.timeline.map(({ text }) => text)).toContain(`#2: Labelled ${label}: a full disk`);
      expect((await verbs.detectors.precision()).map(({ total }) => total.wrong)).toEqual([0, 0]);
    },
  );

  it("keeps the word on the elder, also where the younger one's is newer", async () => {
    await using at = await onRun();
    const { verbs } = at.bench;
    await twoThatAreOne(at);
    await verbs.incidents.label({ incidentId: 1, label: "unsure" });
    at.bench.clock.advance(SECOND);
    await verbs.incidents.label({ incidentId: 2, label: "right" });
    await at.fold(dead);
    expect((await verbs.incidents.get({ incidentId: 1 })).labelled).toMatchObject({ label: "unsure" });
  });

  it("is taken by nobody, where the younger was not known when somebody took the elder", async () => {
    await using at = await onRun();
    const { verbs } = at.bench;
    await at.fold(access());
    await verbs.incidents.acknowledge({ incidentId: 1 });
    at.bench.clock.advance(SECOND);
    await at.fold(slow());
    await at.fold(dead);
    const survivor = await verbs.incidents.get({ incidentId: 1 });
    expect(survivor).toMatchObject({ merged: [2], state: "open", owner: "test", acknowledgedAtMs: null });
    expect(survivor.timeline.map(({ text }) => text)).toContain("Open again: what it took in came after it was acknowledged");
  });

  it("leaves alone what somebody has resolved", async () => {
    await using at = await onRun();
    await twoThatAreOne(at);
    await at.bench.verbs.incidents.resolve({ incidentId: 2 });
    await at.fold(dead);
    const { items } = await at.bench.verbs.incidents.list({});
    expect(items.map(({ id, state, findingCount }) => [id, state, findingCount])).toEqual([
      [1, "open", 2],
      [2, "resolved", 1],
    ]);
  });

  it("was no earlier alarm for what came before it, though its elder was", async () => {
    await using at = await onRun();
    const other = anXid(31, "c090", T0 + 20 * SECOND, "warning");
    await at.fold(access());
    await at.fold({ ...other, subject: { kind: "gpu", id: "GPU-x" }, detectedTimeMs: T0 + 40 * SECOND, onsetTimeMs: T0 - 20 * MINUTE });
    await at.fold(slow());
    await at.fold(dead);
    const { items } = await at.bench.verbs.incidents.list({});
    expect(items.map(({ id, findingCount }) => [id, findingCount]).sort()).toEqual([
      [1, 3],
      [2, 1],
    ]);
    const { findings, causes } = at.bench.store.records;
    const earlier = await findings.earlier({ runId: 1, incidentId: 2, nearStep: 500, limit: 10 });
    expect(earlier.map(({ id }) => id).sort()).toEqual(["xid-31-c050", "xid-79-c007"]);
    expect(await causes.flaggedBefore("name:c007", 2)).toBe(1);
    expect(await causes.flaggedBefore("name:c050", 2)).toBe(1);
  });

  it("brings together what was merged before, and all of them name the last", async () => {
    await using at = await onRun();
    const error = (node: string, seconds: number): Finding => anXid(31, node, T0 + seconds * SECOND, "warning");
    for (const finding of [error("c001", 0), error("c002", 65), error("c003", 130), error("c003", 130)]) await at.fold(finding);
    expect((await at.bench.verbs.incidents.list({})).total).toBe(3);
    await at.fold(error("c004", 100));
    await at.fold(error("c005", 40));
    expect((await at.bench.verbs.incidents.list({})).items.map(({ id, findingCount }) => [id, findingCount])).toEqual([[1, 5]]);
    expect((await at.bench.verbs.incidents.get({ incidentId: 3 })).mergedInto).toBe(1);
    expect((await at.bench.verbs.incidents.get({ incidentId: 1 })).merged).toEqual([2, 3]);
  });
});
