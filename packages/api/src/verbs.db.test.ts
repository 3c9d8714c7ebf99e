import { SCOPES, identifySeries, isAppError, type ErrorCode, type Scope } from "@trainwatch/core";
import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAllowed } from "./auth/actor.ts";
import { createVerbBench, seedIncident, seedRun, type VerbBench } from "./fixtures/verb-bench.ts";
import { appRouter } from "./root.ts";
import { importRecords } from "./releases/release-world.fixture.ts";

type Verb = (input?: unknown) => Promise<unknown>;

/** What the router itself says of each verb: the tables below must cover all of them. */
const VERBS = Object.entries(appRouter._def.procedures).map(([path, procedure]) => {
  const { type, meta } = Reflect.get(procedure, "_def") as { readonly type: string; readonly meta?: { readonly scope: Scope } };
  return { path, isMutation: type === "mutation", scope: meta?.scope };
});

function verbOf(caller: object, path: string): Verb {
  const found = path.split(".").reduce<unknown>((at, name) => Reflect.get(Object(at), name), caller);
  if (typeof found !== "function") throw new Error(`no verb ${path}`);
  return (input) => Promise.resolve(Reflect.apply(found, undefined, [input]));
}

async function codeOf(act: Promise<unknown>): Promise<ErrorCode | "done"> {
  try {
    await act;
    return "done";
  } catch (error) {
    if (error instanceof TRPCError && isAppError(error.cause)) return error.cause.code;
    throw error;
  }
}

describe("every verb", () => {
  // Nothing is written here, so that all share one database.
  let bench: VerbBench;
  beforeAll(async () => {
    bench = await createVerbBench();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it.each(VERBS)("$path names a scope and refuses who has shown no token", async ({ path, scope }) => {
    expect(SCOPES).toContain(scope);
    expect(await codeOf(verbOf(bench.anonymous(), path)({}))).toBe("unauthenticated");
  });

  it.each(VERBS)("$path refuses each scope that does not hold $scope, whatever the input", async ({ path, scope }) => {
    const lacking = SCOPES.filter(
      (held) => scope !== undefined && !isAllowed({ name: held, scopes: [held], tokenId: null, via: "bearer" }, scope),
    );
    for (const held of lacking) expect([held, await codeOf(verbOf(bench.as(held), path)({ nonsense: true }))]).toEqual([held, "forbidden"]);
  });
});

interface MutationCase {
  /** Makes what the verb acts on, and answers its input. */
  prepare(bench: VerbBench): Promise<unknown>;
  readonly target: RegExp;
  /** Of two at once: what the one that came second is told. */
  readonly second: ErrorCode | "done";
}

const onRun =
  (more: object = {}) =>
  async ({ store }: VerbBench) => ({ runId: await seedRun(store), ...more });

const onIncident =
  (more: object = {}, before: (bench: VerbBench, incidentId: number) => Promise<unknown> = () => Promise.resolve()) =>
  async (bench: VerbBench) => {
    const incidentId = await seedIncident(bench.store, await seedRun(bench.store));
    await before(bench, incidentId);
    return { incidentId, ...more };
  };

const onNode =
  (before: (bench: VerbBench) => Promise<unknown> = () => Promise.resolve()) =>
  async (bench: VerbBench) => {
    await bench.store.records.fleet.observe([identifySeries("node_load1", { node: "n7" })], 0);
    await before(bench);
    return { nodeId: "name:n7", reason: "its fan is loud" };
  };

const DETECTOR_RULE = { kind: "detector" as const, detector: "loss-shift", scope: {} };
const MUTE = { name: "nights", zone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5], from: "22:00", to: "06:00", scope: {} };
const CHANNEL = { name: "on call", kind: "webhook" as const, url: "http://127.0.0.1:1/hook", scope: {} };

const onChannel =
  (more: object = {}) =>
  async (bench: VerbBench) => ({ channelId: (await bench.as("admin").channels.create(CHANNEL)).id, ...more });

const REASON = "the samples that were lost are mislabelled";

/** Two models with one result each; their scorecards by id. */
async function seedScorecards(bench: VerbBench): Promise<readonly number[]> {
  const records = ["base", "next"].map((model) => ({
    kind: "measure" as const,
    subject: { model },
    task: "gsm8k",
    metric: "exact_match",
    value: 0.5,
    n: 100,
  }));
  return (await importRecords(bench, "a", records)).scorecards.map(({ scorecardId }) => scorecardId).sort((a, b) => a - b);
}

const releaseSpec = ([baselineId = 0, candidateId = 0]: readonly number[], more: object = {}) => ({
  name: "week 49",
  baselineId,
  candidateIds: [candidateId],
  ...more,
});

const onRelease =
  (
    more: (made: {
      readonly releaseId: number;
      readonly scorecardIds: readonly number[];
      readonly bench: VerbBench;
    }) => object | Promise<object> = () => ({}),
  ) =>
  async (bench: VerbBench) => {
    const scorecardIds = await seedScorecards(bench);
    const { releaseId } = await bench.as("operate").releases.create(releaseSpec(scorecardIds));
    return { releaseId, ...(await more({ releaseId, scorecardIds, bench })) };
  };

const MUTATIONS: Readonly<Record<string, MutationCase>> = {
  "runs.archive": { prepare: onRun(), target: /^run:\d+$/, second: "conflict" },
  "runs.unarchive": {
    async prepare(bench) {
      const runId = await seedRun(bench.store);
      await bench.as("operate").runs.archive({ runId });
      return { runId };
    },
    target: /^run:\d+$/,
    second: "conflict",
  },
  "runs.delete": { prepare: onRun({ confirmName: "run" }), target: /^run:\d+$/, second: "not-found" },
  "runs.setMetadata": { prepare: onRun({ gpus: 512 }), target: /^run:\d+$/, second: "done" },
  "incidents.acknowledge": { prepare: onIncident(), target: /^incident:\d+$/, second: "conflict" },
  "incidents.resolve": { prepare: onIncident({ reason: "data was fixed" }), target: /^incident:\d+$/, second: "conflict" },
  "incidents.reopen": {
    prepare: onIncident({ reason: "it is back" }, (bench, incidentId) => bench.as("operate").incidents.resolve({ incidentId })),
    target: /^incident:\d+$/,
    second: "conflict",
  },
  "incidents.assign": { prepare: onIncident({ owner: "grace" }), target: /^incident:\d+$/, second: "done" },
  "incidents.unassign": {
    prepare: onIncident({}, (bench, incidentId) => bench.as("operate").incidents.acknowledge({ incidentId })),
    target: /^incident:\d+$/,
    second: "conflict",
  },
  "incidents.snooze": {
    prepare: async (bench) => ({ ...(await onIncident()(bench)), untilMs: bench.clock.now() + 3_600_000 }),
    target: /^incident:\d+$/,
    second: "done",
  },
  "incidents.comment": { prepare: onIncident({ text: "Looks like **n7** again" }), target: /^incident:\d+$/, second: "done" },
  "incidents.label": { prepare: onIncident({ label: "wrong", reason: "a planned restart" }), target: /^incident:\d+$/, second: "done" },
  "replays.record": {
    prepare: onRun({ attempt: "a1", step: 1_005, kind: "step-elsewhere", outcome: "disagreed" }),
    target: /^run:\d+$/,
    second: "done",
  },
  "rules.create": { prepare: () => Promise.resolve(DETECTOR_RULE), target: /^rule:\d+$/, second: "conflict" },
  "rules.update": {
    async prepare(bench) {
      const { id } = await bench.as("operate").rules.create(DETECTOR_RULE);
      return { ruleId: id, rule: { ...DETECTOR_RULE, enabled: false } };
    },
    target: /^rule:\d+$/,
    second: "done",
  },
  "rules.delete": {
    prepare: async (bench) => ({ ruleId: (await bench.as("operate").rules.create(DETECTOR_RULE)).id }),
    target: /^rule:\d+$/,
    second: "not-found",
  },
  "mutes.create": { prepare: () => Promise.resolve(MUTE), target: /^mute:\d+$/, second: "conflict" },
  "mutes.update": {
    prepare: async (bench) => ({ muteId: (await bench.as("operate").mutes.create(MUTE)).id, mute: { ...MUTE, upTo: "critical" } }),
    target: /^mute:\d+$/,
    second: "done",
  },
  "mutes.delete": {
    prepare: async (bench) => ({ muteId: (await bench.as("operate").mutes.create(MUTE)).id }),
    target: /^mute:\d+$/,
    second: "not-found",
  },
  "channels.create": { prepare: () => Promise.resolve(CHANNEL), target: /^channel:\d+$/, second: "conflict" },
  "channels.update": { prepare: onChannel({ enabled: false }), target: /^channel:\d+$/, second: "done" },
  "channels.delete": { prepare: onChannel(), target: /^channel:\d+$/, second: "not-found" },
  // Nobody listens at that address, and that is an answer.
  "channels.test": { prepare: onChannel(), target: /^channel:\d+$/, second: "done" },
  "advice.propose": { prepare: onIncident(), target: /^incident:\d+$/, second: "done" },
  "decisions.decide": {
    async prepare(bench) {
      const incidentId = await seedIncident(bench.store, await seedRun(bench.store));
      const { id } = await bench.as("operate").advice.propose({ incidentId });
      return { incidentId, adviceId: id, verdict: "accepted", reason: "it is the newest good one" };
    },
    target: /^incident:\d+$/,
    second: "conflict",
  },
  "tokens.create": { prepare: () => Promise.resolve({ name: "trainer", scopes: ["ingest"] }), target: /^token:\d+$/, second: "conflict" },
  "tokens.revoke": {
    async prepare(bench) {
      const { token } = await bench.as("admin").tokens.create({ name: "old", scopes: ["read"] });
      return { tokenId: token.id };
    },
    target: /^token:\d+$/,
    second: "conflict",
  },
  "fleet.cordon": { prepare: onNode(), target: /^node:name:n7$/, second: "conflict" },
  "fleet.uncordon": {
    prepare: onNode((bench) => bench.as("operate").fleet.cordon({ nodeId: "name:n7", reason: "its fan is loud" })),
    target: /^node:name:n7$/,
    second: "conflict",
  },
  "fleet.setAssignmentRules": {
    prepare: () => Promise.resolve({ rules: [{ label: "pod", pattern: String.raw`(?<run>.+)-(?<rank>\d+)` }] }),
    target: /^settings$/,
    second: "done",
  },
  "scorecards.attach": {
    async prepare(bench) {
      const [scorecardId] = await seedScorecards(bench);
      const runId = await seedRun(bench.store);
      const { rows } = await bench.store.pool.query<{ id: number }>("SELECT id FROM checkpoint WHERE run_id = $1 AND step = 500", [runId]);
      return { scorecardId, checkpointId: rows[0]?.id };
    },
    target: /^scorecard:\d+$/,
    second: "done",
  },
  "releases.create": { prepare: async (bench) => releaseSpec(await seedScorecards(bench)), target: /^release:\d+$/, second: "conflict" },
  "releases.update": {
    prepare: onRelease(({ scorecardIds }) => ({ spec: releaseSpec(scorecardIds, { margin: 0.02 }) })),
    target: /^release:\d+$/,
    second: "done",
  },
  "releases.delete": { prepare: onRelease(), target: /^release:\d+$/, second: "not-found" },
  "releases.fixGates": { prepare: onRelease(() => ({ gates: [{ kind: "verified" }] })), target: /^release:\d+$/, second: "done" },
  "releases.overrideGate": {
    prepare: onRelease(async ({ releaseId, scorecardIds: [, scorecardId], bench }) => {
      await bench.as("operate").releases.fixGates({ releaseId, gates: [{ kind: "verified" }] });
      const [gate] = (await bench.as("read").releases.get({ releaseId })).gateViews;
      return { gateId: gate?.gateId, scorecardId, reason: REASON };
    }),
    target: /^release:\d+$/,
    second: "conflict",
  },
  "releases.overrideComparison": {
    prepare: onRelease(({ scorecardIds: [, scorecardId] }) => ({ rowKey: "gsm8k|exact_match|", scorecardId, reason: REASON })),
    target: /^release:\d+$/,
    second: "conflict",
  },
  "releases.sign": {
    prepare: onRelease(({ scorecardIds: [, scorecardId] }) => ({ scorecardId, role: "Owner", signedAs: "Grace Hopper" })),
    target: /^release:\d+$/,
    second: "conflict",
  },
  "settings.set": { prepare: () => Promise.resolve({ retentionDays: 30 }), target: /^settings$/, second: "done" },
};

/** A push is no act of a person; its record is the batch row, by which a repeat is known. `known` only asks: its question is too long for an address. */
const NOT_AUDITED = ["ingest.push", "ingest.known", "ingest.events", "ingest.frame", "ingest.evals"];

describe("every mutating verb", () => {
  it("stands in the table below", () => {
    const mutating = VERBS.filter(({ isMutation }) => isMutation).map(({ path }) => path);
    expect([...Object.keys(MUTATIONS), ...NOT_AUDITED].sort()).toEqual([...mutating].sort());
  });

  it.each(Object.entries(MUTATIONS))("%s writes one audit row with who, what and on what", async (path, { prepare, target }) => {
    await using bench = await createVerbBench();
    const input = await prepare(bench);
    bench.clock.advance(5_000);
    await verbOf(bench.as("admin"), path)(input);
    const rows = (await bench.store.records.audit.list({ target: null, limit: 100, cursor: null })).items.filter(
      ({ verb }) => verb === path,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ actor: "admin", atMs: bench.clock.now(), target: expect.stringMatching(target) });
  });

  it.each(Object.entries(MUTATIONS))(
    "%s at the same moment twice is done once, and the second is told",
    async (path, { prepare, second }) => {
      await using bench = await createVerbBench();
      const input = await prepare(bench);
      const codes = await Promise.all([1, 2].map(() => codeOf(verbOf(bench.as("admin"), path)(input))));
      expect(codes.sort()).toEqual(["done", second].sort());
      const rows = (await bench.store.records.audit.list({ target: null, limit: 100, cursor: null })).items.filter(
        ({ verb }) => verb === path,
      );
      expect(rows).toHaveLength(codes.filter((code) => code === "done").length);
    },
  );

  it.each(Object.keys(MUTATIONS).filter((path) => path !== "settings.set"))(
    "%s refuses an input that does not fit, naming the field, and writes nothing",
    async (path) => {
      await using bench = await createVerbBench();
      expect(await codeOf(verbOf(bench.as("admin"), path)({ runId: "x", incidentId: -1, tokenId: 0.5, adviceId: null, name: "" }))).toBe(
        "bad-request",
      );
      expect((await bench.store.records.audit.list({ target: null, limit: 1, cursor: null })).items).toEqual([]);
    },
  );
});
