import { rulesInForce } from "@trainwatch/api";
import type { Finding } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createDetectBench, type DetectBench } from "../detect/detect-bench.fixture.ts";
import { foldFindings } from "./fold-findings.ts";
import type { PlacedFinding } from "./placed-finding.ts";

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;

function anXid(number: number, node: string, atMs: number, severity: Finding["severity"]): Finding {
  const gpu = `GPU-${node}`;
  return {
    id: `xid-${number}-${node}`,
    fingerprint: `xid-${number}-${node}`,
    detector: "xid",
    version: 1,
    attempt: "",
    metric: `xid ${number}`,
    subject: { kind: "gpu", id: gpu },
    severity,
    state: "ongoing",
    onsetStep: null,
    onsetLowerStep: null,
    detectedStep: null,
    peakStep: null,
    endStep: null,
    onsetTimeMs: atMs,
    detectedTimeMs: atMs,
    endTimeMs: null,
    shape: "point",
    peakValue: null,
    baselineValue: null,
    levelShift: null,
    summary: `XID ${number} on ${node}.`,
    evidence: [],
    place: { rank: null, gpuId: gpu, nodeId: `name:${node}`, host: node },
    facts: [{ fact: "gpu-error", value: number }],
  };
}

/** Steps that are slow, of the run and by its time. */
const aSlowStep = (atMs: number, severity: Finding["severity"]): Finding => ({
  ...anXid(0, "run", atMs, severity),
  id: "slow",
  fingerprint: "slow",
  detector: "step-time",
  attempt: "a1",
  metric: "step_time",
  subject: { kind: "run", id: "lab/base" },
  onsetStep: 500,
  onsetLowerStep: 499,
  detectedStep: 503,
  place: null,
  facts: [],
  summary: "Steps are slow.",
});

const dead = anXid(79, "c007", T0, "critical");
const slow = (severity: Finding["severity"] = "warning"): Finding => aSlowStep(T0 + MINUTE, severity);
const access = (severity: Finding["severity"] = "warning"): Finding => anXid(31, "c050", T0 + 30 * SECOND, severity);

interface Bench extends AsyncDisposable {
  readonly bench: DetectBench;
  /** One transaction, and nothing in memory before or after: as by a worker that has just been started. */
  fold(...findings: readonly Finding[]): Promise<void>;
  foldOfNoRun(finding: Finding): Promise<void>;
  /** Reasons of what was written to a channel, with what each says was merged. */
  told(): Promise<readonly (readonly [number, string, readonly number[]])[]>;
}

async function onRun(): Promise<Bench> {
  const bench = await createDetectBench();
  bench.clock.set(T0 + 2 * MINUTE);
  await bench.push(buildPush({ source: "r", seq: 1, attempt: "a1" }, [{ metric: "loss", points: [[1, 2, T0 - MINUTE]] }]));
  const facts = await bench.store.records.runs.facts(1);
  const run = { id: 1, fullName: facts?.fullName ?? "", cluster: null };
  const foldAll = async (findings: readonly PlacedFinding[]): Promise<void> => {
    await bench.store.records.transaction((records) =>
      foldFindings(records, {
        findings,
        rulesFor: () => rulesInForce([], { runId: 1, cluster: null, nowMs: bench.clock.now() }),
        logEveryOf: () => 1,
        nowMs: bench.clock.now(),
      }),
    );
  };
  return {
    bench,
    fold: (...findings) => foldAll(findings.map((finding) => ({ finding, shown: { ...finding, attempt: "a1" }, run, attempt: "a1" }))),
    foldOfNoRun: (finding) => foldAll([{ finding, shown: finding, run: null, attempt: null }]),
    async told() {
      const { items } = await bench.store.records.notices.list({ incidentId: null, channelId: null, limit: 100, cursor: null });
      return items.toReversed().map(({ incidentId, reason, body }) => [incidentId, reason, body.merged]);
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

async function withChannel(at: Bench, minSeverity: "warning" | "critical" = "warning"): Promise<void> {
  await at.bench.verbs.channels.create({ name: "on call", kind: "slack", url: "https://hooks.example/x", minSeverity, scope: {} });
}

async function twoThatAreOne(at: Bench, severity: Finding["severity"] = "warning"): Promise<void> {
  await at.fold(access(severity));
  await at.fold(slow(severity));
  expect((await at.bench.verbs.incidents.list({})).items.map(({ id }) => id).sort()).toEqual([1, 2]);
}

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
  it("brings what was told of it as of no run into its run's incident, with what the run suffered", async () => {
    await using at = await onRun();
    const lost: Finding = {
      ...anXid(0, "c007", T0 + 5 * MINUTE, "critical"),
      subject: { kind: "node", id: "name:c007" },
      metric: "lost",
      facts: [{ fact: "node-lost", value: null }],
    };
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
