import { createHash } from "node:crypto";
import type { EvalRecordInput, GateInput, ReleaseSpecInput } from "@trainwatch/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVerbBench, type VerbBench } from "../fixtures/verb-bench.ts";
import { importRecords, refusalOf, seedModels, solved } from "./release-world.fixture.ts";

const ROW = "gsm8k|exact_match|";
const NO_LOSS: GateInput = { kind: "no-loss", row: ROW, margin: 0.01 };
const REASON = "the lost samples were mislabelled";

describe("releases", () => {
  let bench: VerbBench;
  let ids: Awaited<ReturnType<typeof seedModels>>;
  const operate = () => bench.as("operate").releases;
  const read = () => bench.as("read").releases;
  const create = (given: Partial<ReleaseSpecInput> = {}) =>
    operate().create({ name: "week 49", baselineId: ids.base, candidateIds: [ids.better, ids.worse], ...given });

  beforeEach(async () => {
    bench = await createVerbBench();
    ids = await seedModels(bench);
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("compares candidates with the baseline on their common samples", async () => {
    const { releaseId } = await create();
    const { comparison, baseline, candidates, frozen } = await read().get({ releaseId });
    expect([baseline, candidates, frozen]).toEqual(["base", ["better", "worse"], null]);
    expect(comparison.columns.map(({ letter, model }) => [letter, model])).toEqual([
      ["P", "base"],
      ["A", "better"],
      ["B", "worse"],
    ]);
    const row = comparison.rows.find(({ key }) => key === ROW);
    expect(row?.cells.map(({ value, verdict, pairs, lost, won }) => [value, verdict, pairs, lost, won])).toEqual([
      [0.6, "tie", null, null, null],
      [0.7, "better", 400, 0, 40],
      [0.45, "worse", 400, 60, 0],
    ]);
  });

  it("V5: allows a comparison under other settings only with a reason, which stays with the release", async () => {
    const other = await importRecords(
      bench,
      "b",
      solved("other", 400, (index) => index < 280, { settings: { nShot: 0 } }),
    );
    await importRecords(bench, "c", [
      {
        kind: "measure",
        subject: { model: "base" },
        task: "gsm8k",
        metric: "exact_match",
        value: 0.6,
        n: 400,
        settings: { nShot: 5 },
        evaluatedAtMs: 9_000_000_000_000,
      },
    ]);
    const scorecardId = other.scorecards[0]?.scorecardId ?? 0;
    const { releaseId } = await create({ candidateIds: [scorecardId] });
    const cell = async () => (await read().get({ releaseId })).comparison.rows.find(({ key }) => key === ROW)?.cells[1];
    expect(await cell()).toMatchObject({ verdict: "not-comparable", overridden: false });
    expect((await cell())?.differences).toContainEqual({ setting: "nShot", title: "n-shot", baseline: "5", candidate: "0", forbids: true });
    expect(await refusalOf(operate().overrideComparison({ releaseId, rowKey: ROW, scorecardId, reason: "because" }))).toMatch(
      /^bad-request: .*at least 10 characters/,
    );
    await operate().overrideComparison({ releaseId, rowKey: ROW, scorecardId, reason: REASON });
    expect(await cell()).toMatchObject({ verdict: "better", overridden: true });
    expect((await read().get({ releaseId })).overrides).toMatchObject([{ rowKey: ROW, scorecardId, reason: REASON, actor: "operate" }]);
    expect(await refusalOf(operate().overrideComparison({ releaseId, rowKey: ROW, scorecardId, reason: REASON }))).toMatch(/^conflict/);
  });

  it("keeps what was allowed only as long as the baseline that it was allowed against", async () => {
    const { releaseId } = await create({ candidateIds: [ids.better] });
    await operate().fixGates({ releaseId, gates: [NO_LOSS] });
    const [gate] = (await read().get({ releaseId })).gateViews;
    await operate().overrideGate({ releaseId, gateId: gate?.gateId ?? 0, scorecardId: ids.better, reason: REASON });
    await operate().overrideComparison({ releaseId, rowKey: ROW, scorecardId: ids.better, reason: REASON });
    const allowed = async () => {
      const { overrides, gateViews } = await read().get({ releaseId });
      return [overrides.length, gateViews[0]?.cells[0]?.override?.reason ?? null];
    };
    await operate().update({ releaseId, spec: { name: "week 49", baselineId: ids.base, candidateIds: [ids.better], margin: 0.02 } });
    expect(await allowed()).toEqual([1, REASON]);
    await operate().update({ releaseId, spec: { name: "week 49", baselineId: ids.worse, candidateIds: [ids.better] } });
    expect(await allowed()).toEqual([0, null]);
  });

  it("keeps how many results there were when the gates were fixed, and each time they were fixed", async () => {
    const { releaseId } = await create();
    expect((await read().get({ releaseId })).resultsBeforeGates).toBeNull();
    await operate().fixGates({ releaseId, gates: [NO_LOSS] });
    const detail = await read().get({ releaseId });
    expect(detail).toMatchObject({ gates: 1, resultsBeforeGates: 3, gatesFixedAtMs: bench.clock.now() });
    expect(detail.gateViews).toMatchObject([
      {
        gate: { ...NO_LOSS, confidence: 0.95 },
        cells: [
          { column: 1, state: "pass" },
          { column: 2, state: "fail" },
        ],
      },
    ]);
    await operate().fixGates({ releaseId, gates: [{ kind: "verified" }] });
    expect((await read().get({ releaseId })).gateViews.map(({ gate }) => gate.kind)).toEqual(["verified"]);
    const { items } = await bench.as("read").audit.list({ target: `release:${releaseId}` });
    expect(items.map(({ verb }) => verb)).toEqual(["releases.fixGates", "releases.fixGates", "releases.create"]);
    expect(items[0]?.details).toMatchObject({ before: [{ kind: "no-loss" }], after: [{ kind: "verified" }] });
  });

  it("keeps with a gate the unit that it was fixed in, and holds it against results that come in another", async () => {
    const result = (model: string, value: number): EvalRecordInput => ({
      kind: "measure",
      subject: { model },
      task: "bfcl",
      metric: "accuracy",
      value,
      unit: "%",
      n: 1_000,
    });
    const { releaseId } = await create({ candidateIds: [ids.better] });
    const limit = { kind: "limit", row: "bfcl|accuracy|", bound: "at-least" } as const;
    await operate().fixGates({ releaseId, gates: [{ ...limit, value: 0.975 }, NO_LOSS] });
    expect((await read().get({ releaseId })).gateViews).toMatchObject([
      { gate: { value: 0.975, unit: "share" }, cells: [{ state: "unknown", text: "no result" }] },
      { gate: { margin: 0.01, unit: "share" } },
    ]);
    await importRecords(bench, "b", [result("base", 98), result("better", 97.1)]);
    const [gate] = (await read().get({ releaseId })).gateViews;
    expect(gate).toMatchObject({ gate: { value: 97.5, unit: "%" }, cells: [{ state: "fail", text: "97.1 %" }] });
    await operate().fixGates({ releaseId, gates: [{ ...limit, value: 97 }] });
    expect((await read().get({ releaseId })).gateViews[0]).toMatchObject({ gate: { value: 97, unit: "%" }, cells: [{ state: "pass" }] });
  });

  it("refuses a gate on what is no key of a row, and takes one on a row without results", async () => {
    const { releaseId } = await create();
    const limit = { kind: "limit", bound: "at-least", value: 0.5 } as const;
    expect(await refusalOf(operate().fixGates({ releaseId, gates: [NO_LOSS, { ...limit, row: "nope" }] }))).toBe(
      'bad-request: "nope" is no key of a row: a row is named task|metric|filter.',
    );
    expect((await read().get({ releaseId })).gateViews).toEqual([]);
    await operate().fixGates({ releaseId, gates: [{ ...limit, row: "mmlu|acc|" }] });
    expect((await read().get({ releaseId })).gateViews[0]?.cells[0]).toMatchObject({ state: "unknown", text: "no result" });
  });

  it("does not call gates older than the results of a column that was put in after them", async () => {
    const fresh = await importRecords(bench, "b", [
      { kind: "pair", task: "arena", key: "1", left: { model: "l" }, right: { model: "r" }, preference: 1 },
    ]);
    const [left = 0, right = 0] = fresh.scorecards.map(({ scorecardId }) => scorecardId);
    const { releaseId } = await create({ baselineId: left, candidateIds: [right] });
    await operate().fixGates({ releaseId, gates: [{ kind: "verified" }] });
    await operate().update({ releaseId, spec: { name: "week 49", baselineId: left, candidateIds: [right], margin: 0.02 } });
    expect((await read().get({ releaseId })).resultsBeforeGates).toBe(0);
    await operate().update({ releaseId, spec: { name: "week 49", baselineId: ids.base, candidateIds: [right] } });
    expect((await read().get({ releaseId })).resultsBeforeGates).toBe(1);
  });

  it("counts wins on whichever side an answer stood", async () => {
    const pair = (index: number): EvalRecordInput => {
      const [won, lost] = index < 8 ? ["ours", "gpt"] : ["gpt", "ours"];
      const [left, right] = index % 2 === 0 ? [won, lost] : [lost, won];
      return {
        kind: "pair",
        task: "arena",
        key: `q${index}`,
        left: { model: left },
        right: { model: right },
        preference: right === won ? 1 : 0,
        judge: "j",
      };
    };
    const { scorecards } = await importRecords(
      bench,
      "b",
      Array.from({ length: 10 }, (_, index) => pair(index)),
    );
    const idOf = (model: string): number => scorecards.find((card) => card.model === model)?.scorecardId ?? 0;
    const { releaseId } = await create({ baselineId: idOf("gpt"), candidateIds: [idOf("ours")] });
    const { rows } = (await read().get({ releaseId })).comparison;
    expect(rows.find(({ metric }) => metric === "win_rate")?.cells.map(({ value, n }) => [value, n])).toEqual([
      [0.5, 10],
      [0.8, 10],
    ]);
  });

  it("says that gates were fixed before the first result", async () => {
    const empty = await importRecords(bench, "b", [
      { kind: "pair", task: "arena", key: "1", left: { model: "l" }, right: { model: "r" }, preference: 1 },
    ]);
    const [left, right] = empty.scorecards.map(({ scorecardId }) => scorecardId);
    const { releaseId } = await create({ baselineId: left ?? 0, candidateIds: [right ?? 0] });
    await operate().fixGates({ releaseId, gates: [{ kind: "verified" }] });
    expect((await read().get({ releaseId })).resultsBeforeGates).toBe(0);
  });

  it("is signed when gates pass or are overridden with a reason; what was signed never changes when new results come", async () => {
    const { releaseId } = await create({ signers: ["Owner", "Safety"] });
    await operate().fixGates({ releaseId, gates: [NO_LOSS] });
    const sign = (role: string, scorecardId = ids.worse) => operate().sign({ releaseId, scorecardId, role, signedAs: "Grace Hopper" });
    expect(await refusalOf(sign("Owner"))).toMatch(/^conflict: worse fails on the gate ".*" \(.*\)\. Override it with a reason/);
    const [gate] = (await read().get({ releaseId })).gateViews;
    const override = { releaseId, gateId: gate?.gateId ?? 0, scorecardId: ids.worse };
    expect(await refusalOf(operate().overrideGate({ ...override, reason: "   short   " }))).toMatch(/^bad-request/);
    await operate().overrideGate({ ...override, reason: REASON });
    expect((await read().get({ releaseId })).gateViews[0]?.cells[1]).toMatchObject({
      state: "fail",
      override: { reason: REASON, actor: "operate" },
    });

    bench.clock.advance(5_000);
    const first = await sign("Owner");
    const frozen = await read().frozen({ releaseId });
    expect(frozen).toMatchObject({ hash: first.hash, atMs: bench.clock.now() });
    expect(
      createHash("sha256")
        .update(frozen?.body ?? "")
        .digest("hex"),
    ).toBe(first.hash);
    expect(await read().get({ releaseId })).toMatchObject({
      chosen: "worse",
      chosenScorecardId: ids.worse,
      signed: 1,
      complete: false,
      frozen: { changedRows: 0, hash: first.hash },
    });

    await importRecords(bench, "d", [
      {
        kind: "measure",
        subject: { model: "worse" },
        task: "gsm8k",
        metric: "exact_match",
        value: 0.9,
        n: 400,
        evaluatedAtMs: 9_000_000_000_000,
      },
    ]);
    expect(await read().frozen({ releaseId })).toEqual(frozen);
    expect(await read().get({ releaseId })).toMatchObject({ frozen: { changedRows: 1, hash: first.hash } });
    expect(await read().frozenDiff({ releaseId })).toMatchObject([
      { key: ROW, letter: "B", before: { value: 0.45, verdict: "worse" }, now: { value: 0.9 } },
    ]);

    expect(await refusalOf(sign("Owner"))).toBe("conflict: The role Owner has signed already.");
    expect(await refusalOf(sign("Cook"))).toMatch(/^bad-request: Cook is no role that signs release "week 49": Owner, Safety/);
    expect(await refusalOf(sign("Safety", ids.better))).toMatch(/^conflict: The first signature was for worse/);
    expect((await sign("Safety")).hash).toBe(first.hash);
    expect(await read().get({ releaseId })).toMatchObject({
      signed: 2,
      complete: true,
      signatures: [{ role: "Owner" }, { role: "Safety", hash: first.hash }],
    });
  });

  it("changes in nothing once it is signed", async () => {
    const { releaseId } = await create();
    await operate().fixGates({ releaseId, gates: [NO_LOSS] });
    const { gateViews } = await read().get({ releaseId });
    await operate().sign({ releaseId, scorecardId: ids.better, role: "Owner", signedAs: "Grace" });
    const acts = [
      () => operate().update({ releaseId, spec: { name: "other", baselineId: ids.base, candidateIds: [ids.better] } }),
      () => operate().fixGates({ releaseId, gates: [NO_LOSS] }),
      () => operate().overrideGate({ releaseId, gateId: gateViews[0]?.gateId ?? 0, scorecardId: ids.worse, reason: REASON }),
      () => operate().overrideComparison({ releaseId, rowKey: ROW, scorecardId: ids.worse, reason: REASON }),
      () => operate().delete({ releaseId }),
    ];
    for (const act of acts) expect(await refusalOf(act())).toMatch(/^conflict: Release "week 49" is signed, and/);
  });

  it("ends in one frozen copy when two sign at once", async () => {
    const { releaseId } = await create({ signers: ["Owner", "Safety"] });
    const signed = await Promise.all(
      ["Owner", "Safety"].map((role) => operate().sign({ releaseId, scorecardId: ids.better, role, signedAs: role })),
    );
    expect(new Set(signed.map(({ hash }) => hash)).size).toBe(1);
    const detail = await read().get({ releaseId });
    expect([detail.complete, detail.frozen?.hash]).toEqual([true, signed[0]?.hash]);
    const other = await create({ name: "week 50", signers: ["Owner", "Safety"] });
    const both = await Promise.allSettled([
      operate().sign({ releaseId: other.releaseId, scorecardId: ids.better, role: "Owner", signedAs: "a" }),
      operate().sign({ releaseId: other.releaseId, scorecardId: ids.worse, role: "Safety", signedAs: "b" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await read().get({ releaseId: other.releaseId })).signed).toBe(1);
  });

  it("refuses a spec that cannot be compared, naming what is wrong", async () => {
    expect(await refusalOf(create({ candidateIds: [ids.base] }))).toMatch(/^bad-request: Scorecard \d+ stands twice/);
    expect(await refusalOf(create({ candidateIds: [999_999] }))).toMatch(/^not-found: There is no scorecard 999999/);
    await create();
    expect(await refusalOf(create())).toMatch(/^conflict: There is a release "week 49" already/);
    expect(await refusalOf(read().get({ releaseId: 999_999 }))).toMatch(/^not-found: There is no release 999999/);
  });

  it("gives a name once, also where two ask for it at the same moment", async () => {
    const made = await Promise.all(["one", "two"].map((name) => create({ name })));
    const spec = { name: "wanted", baselineId: ids.base, candidateIds: [ids.better] };
    const renamed = await Promise.allSettled(made.map(({ releaseId }) => operate().update({ releaseId, spec })));
    expect(renamed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await refusalOf(operate().create(spec))).toMatch(/^conflict: There is a release "wanted" already/);
  });

  it("is updated whole, listed newest first in pages, exported, and deleted", async () => {
    const { releaseId } = await create();
    await create({ name: "week 50" });
    await operate().update({ releaseId, spec: { name: "week 49b", baselineId: ids.worse, candidateIds: [ids.base], margin: 0.02 } });
    const page = await read().list({ limit: 1 });
    expect([page.total, page.items.map(({ spec }) => spec.name)]).toEqual([2, ["week 50"]]);
    const rest = await read().list({ limit: 1, cursor: page.next });
    expect([rest.next, rest.items.map(({ spec, baseline, candidates }) => [spec.name, baseline, candidates])]).toEqual([
      null,
      [["week 49b", "worse", ["base"]]],
    ]);
    const markdown = await read().export({ releaseId, form: "markdown" });
    expect(markdown).toMatchObject({ name: `release-${releaseId}.md`, mediaType: "text/markdown" });
    expect(markdown.body).toContain("week 49b");
    expect((await read().export({ releaseId, form: "csv" })).body.split("\r\n")[0]).toContain("verdict");
    expect(JSON.parse((await read().export({ releaseId, form: "json" })).body)).toMatchObject({ releaseId });
    await operate().delete({ releaseId });
    expect((await read().list()).total).toBe(1);
  });

  it("still opens when a candidate's results were deleted with their run", async () => {
    const run = { project: "p", name: "gone" };
    const records = [{ kind: "measure" as const, subject: { model: "m", step: 5 }, task: "gsm8k", metric: "exact_match", value: 0.5 }];
    const { scorecards } = await importRecords(bench, "e", records, { run });
    const { releaseId } = await create({ candidateIds: [scorecards[0]?.scorecardId ?? 0] });
    const runId = (await bench.store.records.runs.idOf("p", "gone")) ?? 0;
    await bench.as("admin").runs.delete({ runId, confirmName: "gone" });
    const { comparison } = await read().get({ releaseId });
    expect(comparison.columns[1]).toMatchObject({ model: "m", warnings: ["its results were deleted with their run"] });
    expect(comparison.rows.find(({ key }) => key === ROW)?.cells[1]?.verdict).toBe("not-run");
  });
});
