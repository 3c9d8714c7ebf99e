import type { EvalRecordInput, ReleaseSpecInput } from "@trainwatch/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVerbBench, type VerbBench } from "../fixtures/verb-bench.ts";
import { importRecords, refusalOf, seedModels, solved } from "./release-world.fixture.ts";

const ROW = "gsm8k|exact_match|";
const REASON = "the lost samples were mislabelled";

describe("samples of a release", () => {
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

  it("shows the prompt of an example of what breaks", async () => {
    const { releaseId } = await create();
    const { breaks } = (await read().get({ releaseId })).comparison;
    const examples = breaks.flatMap(({ clusters }) => clusters.flatMap(({ lost, example }) => (lost === 0 ? [] : [example])));
    expect(examples).toHaveLength(3);
    expect(examples.map((example) => example?.prompt)).toEqual(examples.map((example) => `question ${example?.key.slice(1)}`));
  });

  it("does not pair what was asked otherwise under the same keys", async () => {
    const other = await importRecords(
      bench,
      "b",
      solved("other", 400, (index) => index < 280).map((record) =>
        record.kind === "sample" ? { ...record, prompt: `another ${record.prompt ?? ""}` } : record,
      ),
    );
    const { releaseId } = await create({ candidateIds: [other.scorecards[0]?.scorecardId ?? 0] });
    const row = (await read().get({ releaseId })).comparison.rows.find(({ key }) => key === ROW);
    expect(row?.cells[1]).toMatchObject({ verdict: "not-comparable", differences: [{ setting: "prompts", forbids: true }] });
  });

  it("lists the largest losses first, with both answers of a sample side by side", async () => {
    const { releaseId } = await create();
    const cell = { releaseId, rowKey: ROW, scorecardId: ids.worse };
    const first = await read().samples({ ...cell, only: "lost", limit: 50 });
    expect(first).toMatchObject({ total: 60, lost: 60, won: 0, unscored: 0, onlyBaseline: 0, onlyCandidate: 0 });
    expect(first.items[0]).toMatchObject({
      key: "q0",
      epoch: 0,
      baseline: 1,
      candidate: 0,
      change: -1,
      prompt: "question 0",
      category: "topic 0",
    });
    const second = await read().samples({ ...cell, only: "lost", limit: 50, cursor: first.next });
    expect([second.items.length, second.next]).toEqual([10, null]);
    const sample = await read().sample({ ...cell, key: "q0", epoch: 0 });
    expect(sample).toMatchObject({
      prompt: "question 0",
      target: "42",
      baseline: { answer: "base answers 0", scores: { exact_match: 1 }, tokens: 10 },
      candidate: { answer: "worse answers 0", scores: { exact_match: 0 } },
    });
    expect(await refusalOf(read().sample({ ...cell, key: "q999" }))).toMatch(/^not-found: Neither side/);
    expect(await refusalOf(read().samples({ ...cell, rowKey: "none|acc|" }))).toMatch(/^not-found: .*has no row/);
    expect(await refusalOf(read().samples({ ...cell, scorecardId: ids.base }))).toMatch(/^bad-request: .*no candidate/);
  });

  it("pairs samples of several epochs, whichever number their source begins with", async () => {
    const epochs = (model: string, first: number): EvalRecordInput[] =>
      ["k1", "k2"].flatMap((key) =>
        [0, 1].map((epoch): EvalRecordInput => ({
          kind: "sample",
          subject: { model },
          task: "tools",
          key,
          epoch: first + epoch,
          scores: { match: key === "k1" && model === "p" ? 1 : 0 },
          prompt: `${key} of ${model}`,
          answer: `${model} ${key} ${epoch}`,
        })),
      );
    const { scorecards } = await importRecords(bench, "b", [...epochs("p", 0), ...epochs("q", 0)]);
    const idOf = (model: string): number => scorecards.find((card) => card.model === model)?.scorecardId ?? 0;
    const { releaseId } = await create({ baselineId: idOf("p"), candidateIds: [idOf("q")] });
    const cell = { releaseId, rowKey: "tools|match|", scorecardId: idOf("q") };
    const page = await read().samples({ ...cell, only: "lost" });
    expect(page.items.map(({ key, epoch, prompt }) => [key, epoch, prompt])).toEqual([
      ["k1", 0, "k1 of p"],
      ["k1", 1, "k1 of p"],
    ]);
    const sample = await read().sample({ ...cell, key: "k1", epoch: 1 });
    expect([sample.baseline?.answer, sample.candidate?.answer]).toEqual(["p k1 1", "q k1 1"]);
    // One evaluation counts its only epoch from 1, the other from 0.
    const single = (model: string, epoch: number) =>
      epochs(model, epoch).filter((record) => record.kind === "sample" && record.epoch === epoch);
    const others = await importRecords(bench, "c", [...single("s", 1), ...single("t", 0)]);
    const [s = 0, t = 0] = ["s", "t"].map((model) => others.scorecards.find((card) => card.model === model)?.scorecardId ?? 0);
    const second = await create({ name: "single", baselineId: s, candidateIds: [t] });
    const all = await read().samples({ releaseId: second.releaseId, rowKey: "tools|match|", scorecardId: t });
    expect([all.total, all.onlyBaseline, all.items[0]?.prompt]).toEqual([2, 0, "k1 of s"]);
  });

  it("takes a number at the end of a sample's key for a part of its name where there is one epoch", async () => {
    const keys = ["x#12", "x", "x#0"];
    const records = (model: string) =>
      keys.map((key): EvalRecordInput => ({
        kind: "sample",
        subject: { model },
        task: "calls",
        key,
        epoch: 1,
        scores: { match: model === "p" ? 1 : 0 },
        prompt: `prompt of ${key}`,
        answer: `${model} ${key}`,
      }));
    const { scorecards } = await importRecords(bench, "b", [...records("p"), ...records("q")]);
    const idOf = (model: string): number => scorecards.find((card) => card.model === model)?.scorecardId ?? 0;
    const { releaseId } = await create({ baselineId: idOf("p"), candidateIds: [idOf("q")] });
    const cell = { releaseId, rowKey: "calls|match|", scorecardId: idOf("q") };
    const { items } = await read().samples({ ...cell, only: "lost" });
    expect(items.map(({ key, epoch, prompt }) => [key, epoch, prompt])).toEqual(keys.map((key) => [key, 0, `prompt of ${key}`]));
    for (const key of keys) expect((await read().sample({ ...cell, key })).candidate?.answer).toBe(`q ${key}`);
    const { breaks } = (await read().get({ releaseId })).comparison;
    expect(breaks[0]?.clusters[0]?.example).toMatchObject({ key: "x#12", epoch: 0, prompt: "prompt of x#12" });
  });

  it("names the example of what breaks by key and epoch, so that it can be opened", async () => {
    const key = "k".repeat(256);
    const records = (model: string) =>
      [1, 2].map((epoch): EvalRecordInput => ({
        kind: "sample",
        subject: { model },
        task: "calls",
        key,
        epoch,
        scores: { match: model === "p" || epoch === 1 ? 1 : 0 },
        prompt: "asked",
        answer: `${model} ${epoch}`,
      }));
    const { scorecards } = await importRecords(bench, "b", [...records("p"), ...records("q")]);
    const idOf = (model: string): number => scorecards.find((card) => card.model === model)?.scorecardId ?? 0;
    const { releaseId } = await create({ baselineId: idOf("p"), candidateIds: [idOf("q")] });
    await operate().overrideComparison({ releaseId, rowKey: "calls|match|", scorecardId: idOf("q"), reason: REASON });
    const { breaks } = (await read().get({ releaseId })).comparison;
    const example = breaks[0]?.clusters[0]?.example;
    expect(example).toEqual({ rowKey: "calls|match|", key, epoch: 2, prompt: "asked" });
    const sample = await read().sample({ releaseId, rowKey: "calls|match|", scorecardId: idOf("q"), key, epoch: example?.epoch ?? 0 });
    expect(sample.candidate?.answer).toBe("q 2");
  });

  it("tells what a candidate said to the examples of what it breaks in one answer, as each sample by itself does", async () => {
    const { releaseId } = await create();
    const question = { releaseId, scorecardId: ids.worse };
    const { comparison } = await read().get({ releaseId });
    const column = comparison.columns.findIndex(({ scorecardId }) => scorecardId === ids.worse);
    const clusters = comparison.breaks.find((each) => each.column === column)?.clusters ?? [];
    const examples = clusters.flatMap(({ example }) => example ?? []);
    const alone = await Promise.all(examples.map(({ rowKey, key, epoch }) => read().sample({ ...question, rowKey, key, epoch })));
    const answers = await read().answers(question);
    expect(answers.length).toBeGreaterThan(1);
    expect(answers).toEqual(
      examples.map(({ rowKey, key, epoch }, index) => ({ rowKey, key, epoch, answer: alone[index]?.candidate?.answer ?? null })),
    );
    expect(answers[0]?.answer).toMatch(/^worse answers \d+$/);
    expect(await read().answers({ ...question, from: 1, limit: 1 })).toEqual(answers.slice(1, 2));
    expect(await read().answers({ ...question, from: 1_000 })).toEqual([]);
    expect(await refusalOf(read().answers({ ...question, scorecardId: ids.base }))).toMatch(/^bad-request: .*no candidate/);
    expect(await refusalOf(read().answers({ ...question, limit: 51 }))).toMatch(/^bad-request/);
  });
});
