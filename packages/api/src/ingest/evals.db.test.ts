import { AppError, NO_RUN, type EvalPushInput, type EvalRecordInput } from "@trainwatch/core";
import { TRPCError } from "@trpc/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVerbBench, seedRun, type VerbBench } from "../fixtures/verb-bench.ts";

const SHA = "a".repeat(64);
const RUN = { project: "test", name: "run" };

function measure(given: Partial<Extract<EvalRecordInput, { kind: "measure" }>> = {}): EvalRecordInput {
  return { kind: "measure", subject: { model: "m", step: 900 }, task: "gsm8k", metric: "exact_match", value: 0.5, ...given };
}

function sample(
  key: string,
  score: number | "NaN" | null,
  given: Partial<Extract<EvalRecordInput, { kind: "sample" }>> = {},
): EvalRecordInput {
  return {
    kind: "sample",
    subject: { model: "m", step: 900 },
    task: "gsm8k",
    key,
    scores: { exact_match: score },
    prompt: `question ${key}`,
    answer: `answer ${key}`,
    target: "42",
    ...given,
  };
}

function push(records: readonly EvalRecordInput[], given: Partial<EvalPushInput> = {}): EvalPushInput {
  return { file: { name: "results.json", sha256: SHA, format: "lm-eval" }, run: RUN, part: 0, last: true, records: [...records], ...given };
}

const file = (letter: string, name = `${letter}.json`): EvalPushInput["file"] => ({ name, sha256: letter.repeat(64), format: "lm-eval" });

async function messageOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCError) || !(error.cause instanceof AppError)) throw new Error(`no refusal: ${String(error)}`);
  return `${error.cause.code}: ${error.cause.message}`;
}

describe("ingest.evals", () => {
  let bench: VerbBench;
  const send = (input: EvalPushInput) => bench.as("ingest").ingest.evals(input);
  const card = async (query = "") => {
    const [first] = (await bench.as("read").scorecards.list({ query })).items;
    if (first === undefined) throw new Error(`no scorecard ${query}`);
    return bench.as("read").scorecards.get({ scorecardId: first.scorecardId });
  };
  beforeEach(async () => {
    bench = await createVerbBench();
    await seedRun(bench.store);
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("stores measures of a run's step, and answers which checkpoint they are of", async () => {
    const answer = await send(push([measure(), measure({ metric: "exact_match", filter: "strict-match", value: 0.4 })]));
    expect(answer).toMatchObject({ accepted: 2, repeated: 0, refused: [], scorecards: [{ model: "m", step: 900 }] });
    const [scorecard] = answer.scorecards;
    const checkpoints = await bench.as("read").checkpoints.list({ runId: (await card()).run?.runId ?? 0 });
    expect(scorecard?.checkpointId).not.toBeNull();
    expect(checkpoints.items.map(({ step }) => step)).toContain(900);
    expect(await card()).toMatchObject({
      results: 2,
      samples: 0,
      rows: [
        { key: "gsm8k|exact_match|", value: 0.5 },
        { key: "gsm8k|exact_match|strict-match", value: 0.4 },
      ],
    });
  });

  it("tells open pages that results have come, of a run's checkpoints and of a model by name", async () => {
    await send(push([measure()]));
    const { run } = await card();
    expect(bench.announced.at(-1)).toMatchObject({ runId: run?.runId, evaluationsChanged: true, incidentsChanged: false });
    await send(push([measure({ subject: { model: "by name" } })], { run: null, file: file("b") }));
    expect(bench.announced.at(-1)).toMatchObject({ runId: NO_RUN, evaluationsChanged: true });
  });

  it("takes the same part twice, stores it once and says so", async () => {
    const part = push([measure(), sample("1", 1), sample("2", null)]);
    const first = await send(part);
    expect(first).toMatchObject({ accepted: 3, repeated: 0 });
    for (const again of [await send(part), await send(part)]) expect(again).toEqual({ ...first, accepted: 0, repeated: 3 });
    expect(await card()).toMatchObject({ results: 1, samples: 2 });
  });

  it("refuses the same part with another content, and keeps what is stored", async () => {
    await send(push([measure()]));
    expect(await messageOf(send(push([measure({ value: 0.9 })])))).toMatch(
      /^conflict: Part 0 of results.json was stored before with another content/,
    );
    expect((await card()).rows).toMatchObject([{ value: 0.5 }]);
  });

  it("takes the same file for another run", async () => {
    await send(push([measure()]));
    await send(push([measure()], { run: { project: "test", name: "twin" } }));
    expect((await bench.as("read").scorecards.list()).items.map(({ run }) => run?.name)).toEqual(["twin", "run"]);
  });

  it("never puts what two runs call alike into one scorecard, with a step or without", async () => {
    const records = (value: number) => [
      measure({ subject: { model: "final" }, value }),
      measure({ subject: { model: "checkpoint-900", step: 900 }, value }),
    ];
    await send(push(records(0.4)));
    await send(push(records(0.6), { run: { project: "test", name: "twin" }, file: file("b") }));
    await send(push(records(0.8), { run: null, file: file("c") }));
    const { items } = await bench.as("read").scorecards.list();
    const cards = await Promise.all(items.map(({ scorecardId }) => bench.as("read").scorecards.get({ scorecardId })));
    const told = cards.map(({ run, model, rows }) => `${run?.name ?? "no run"} ${model} ${rows.map(({ value }) => String(value)).join()}`);
    expect(told.toSorted()).toEqual([
      "no run checkpoint-900 0.8",
      "no run final 0.8",
      "run checkpoint-900 0.4",
      "run final 0.4",
      "twin checkpoint-900 0.6",
      "twin final 0.6",
    ]);
    // Another file about the same run's "final" is about that one.
    await send(push([measure({ subject: { model: "final" }, metric: "f1", value: 0.3 })], { file: file("d") }));
    expect((await bench.as("read").scorecards.list()).total).toBe(6);
  });

  it("counts samples once the last missing part has come, in whatever order", async () => {
    await send(push([measure(), sample("1", 1)], { part: 0, last: false }));
    await send(push([sample("3", 0)], { part: 2, last: true }));
    expect(await card()).toMatchObject({ results: 1, samples: 0 });
    await send(push([sample("2", 1)], { part: 1, last: false }));
    expect(await card()).toMatchObject({ results: 1, samples: 3 });
  });

  it("refuses a part beyond the last one, and a last one before parts that are stored", async () => {
    await send(push([measure()], { part: 1, last: true }));
    expect(await messageOf(send(push([], { part: 2, last: false })))).toMatch(/^conflict: Part 2 of results.json does not fit/);
    await send(push([measure()], { file: file("b"), part: 3, last: false }));
    expect(await messageOf(send(push([], { file: file("b"), part: 1, last: true })))).toMatch(/^conflict: Part 1 of b.json does not fit/);
  });

  it("stores a file sent twice at once a single time", async () => {
    const parts = [push([measure(), sample("1", 1)], { part: 0, last: false }), push([sample("2", 0)], { part: 1, last: true })];
    await Promise.all([...parts, ...parts, ...parts.toReversed()].map(send));
    expect(await card()).toMatchObject({ results: 1, samples: 2 });
  });

  it("stores two files about the same checkpoints at once, in any order of their records", async () => {
    const steps = Array.from({ length: 40 }, (_, index) => 100 * (index + 1));
    const records = (value: number) => steps.map((step) => measure({ subject: { model: "m", step }, value }));
    await Promise.all([send(push(records(0.1), { file: file("b") })), send(push(records(0.2).toReversed(), { file: file("c") }))]);
    const { items } = await bench.as("read").scorecards.list({ limit: 200 });
    expect(items).toHaveLength(40);
    const { rows } = await bench.store.pool.query("SELECT count(*)::int AS count FROM eval_result");
    expect(rows).toEqual([{ count: 80 }]);
  });

  it("lets the newest evaluation hold, by its own time before that of the import, and keeps the older ones", async () => {
    await send(push([measure({ value: 0.7, evaluatedAtMs: 2_000 })], { file: file("b") }));
    await send(push([measure({ value: 0.6, evaluatedAtMs: 1_000 })], { file: file("c") }));
    expect((await card()).rows).toMatchObject([{ value: 0.7, file: "b.json", evaluatedAtMs: 2_000 }]);
    bench.clock.advance(1_000);
    await send(push([measure({ value: 0.8 })], { file: file("d") }));
    expect((await card()).rows).toMatchObject([{ value: 0.8, file: "d.json" }]);
    const { rows } = await bench.store.pool.query("SELECT value FROM eval_result ORDER BY value");
    expect(rows.map(({ value }) => value)).toEqual([0.6, 0.7, 0.8]);
  });

  it("lets no evaluation hold for ever by a time that has not come", async () => {
    await send(push([measure({ value: 0.99, evaluatedAtMs: 9e14 })], { file: file("b") }));
    expect((await card()).rows).toMatchObject([{ value: 0.99, evaluatedAtMs: 9e14 }]);
    bench.clock.advance(1_000);
    await send(push([measure({ value: 0.42, evaluatedAtMs: bench.clock.now() })], { file: file("c") }));
    expect((await card()).rows).toMatchObject([{ value: 0.42, file: "c.json" }]);
    bench.clock.advance(1_000);
    await send(push([measure({ value: 0.5 })], { file: file("d") }));
    expect((await card()).rows).toMatchObject([{ value: 0.5, file: "d.json" }]);
  });

  it("counts the same number from another file as a repeat, unless another came between", async () => {
    await send(push([measure({ value: 0.7 })], { file: file("b") }));
    expect(await send(push([measure({ value: 0.7 })], { file: file("c") }))).toMatchObject({ accepted: 0, repeated: 1 });
    bench.clock.advance(1_000);
    await send(push([measure({ value: 0.6 })], { file: file("d") }));
    bench.clock.advance(1_000);
    expect(await send(push([measure({ value: 0.7 })], { file: file("e") }))).toMatchObject({ accepted: 1, repeated: 0 });
    expect((await card()).rows).toMatchObject([{ value: 0.7, file: "e.json" }]);
  });

  it("refuses the second of two values of one file for one row, measured alike, and takes one with other settings", async () => {
    const answer = await send(push([measure({ value: 0.7 }), measure({ value: 0.6 }), measure({ value: 0.5, settings: { nShot: 5 } })]));
    expect(answer).toMatchObject({
      accepted: 2,
      refused: [{ index: 1, code: "conflict", message: expect.stringContaining("another value of exact_match of gsm8k") }],
    });
  });

  it("keeps what is not finite and what is missing apart", async () => {
    await send(
      push([
        measure({ metric: "a", value: "NaN" }),
        measure({ metric: "b", value: "-Infinity", stderr: "Infinity" }),
        measure({ metric: "c", value: null }),
        sample("1", "NaN"),
        sample("2", null),
      ]),
    );
    expect((await card()).rows.map(({ value }) => value)).toEqual(["NaN", "-Infinity", null]);
    const { samples } = await bench.store.evaluations.columns([(await card()).scorecardId]);
    const texts = await bench.store.evaluations.texts(samples[0]?.setId ?? 0, ["1", "2", "3"]);
    expect([...texts].map(([key, text]) => [key, text.scores["exact_match"], text.prompt])).toEqual([
      ["1", "NaN", "question 1"],
      ["2", null, "question 2"],
    ]);
  });

  it("finds the checkpoint that comes after its evaluation, and goes along when the lineage moves on", async () => {
    await send(push([measure({ subject: { model: "m", step: 1_200 } })]));
    expect(await card()).toMatchObject({ step: 1_200, checkpointId: null });
    const checkpoints = [{ step: 1_200, path: "/ckpt/1200" }];
    await bench.as("ingest").ingest.push({ source: "s", seq: 0, run: RUN, attempt: "a1", checkpoints });
    const first = (await card()).checkpointId;
    expect(first).not.toBeNull();
    const { store } = bench;
    await store.pool.query(
      "INSERT INTO attempt (run_id, ordinal, name, parent, branch_step, origin, first_step, last_step) SELECT id, 2, 'a2', 'a1', 1000, 'marker', 1001, 1500 FROM run",
    );
    await bench.as("ingest").ingest.push({ source: "s", seq: 1, run: RUN, attempt: "a2", checkpoints });
    const second = (await card()).checkpointId;
    expect(second).not.toBe(first);
    expect((await store.records.checkpoints.get(second ?? 0))?.checkpoint.attempt).toBe("a2");
  });

  it("makes the checkpoints that a file lists, of a run that it makes known; without a run each is refused with a reason", async () => {
    const listed = [1_000, 2_000].map((step): EvalRecordInput => ({
      kind: "checkpoint",
      subject: { model: `step${step}`, step, path: `r/step${step}` },
    }));
    const refused = await send(push(listed, { run: null, file: file("b") }));
    expect(refused).toMatchObject({ accepted: 0, refused: [{ index: 0, message: expect.stringContaining("--run") }, { index: 1 }] });
    const run = { project: "lists", name: "fresh" };
    const stepless: EvalRecordInput = { kind: "checkpoint", subject: { model: "main" } };
    const part = push([...listed, stepless], { run });
    expect(await send(part)).toMatchObject({ accepted: 2, refused: [{ index: 2, message: "Checkpoint main has no step." }] });
    await send(part);
    const runId = (await bench.store.records.runs.idOf("lists", "fresh")) ?? 0;
    const { items } = await bench.as("read").checkpoints.list({ runId });
    expect(items.map(({ step, path, state }) => [step, path, state])).toEqual([
      [1_000, "r/step1000", "unchecked"],
      [2_000, "r/step2000", "unchecked"],
    ]);
    expect((await bench.as("read").runs.get({ runId })).state).toBe("finished");
  });

  it("refuses a record that does not fit alone, naming what is wrong, and stores the rest", async () => {
    const bad: object[] = [
      { kind: "measure", subject: { model: "m" }, task: "gsm8k", metric: "acc", value: "high" },
      { kind: "sample", subject: { model: "m" }, task: "t", key: "1", scores: { "a\0b": 1 } },
      { kind: "nothing" },
    ];
    const answer = await send({ ...push([measure()]), records: [measure(), ...bad] as EvalRecordInput[] });
    expect(answer.accepted).toBe(1);
    expect(answer.refused.map(({ index, code, message }) => [index, code, message])).toEqual([
      [1, "bad-value", expect.stringMatching(/^The record does not fit: value: /)],
      [2, "bad-value", expect.stringMatching(/^The record does not fit: scores\.a\uFFFDb: /)],
      [3, "bad-value", expect.stringMatching(/^The record does not fit: kind: /)],
    ]);
    expect((await card()).results).toBe(1);
  });

  it("refuses errors below zero, intervals that end before they begin, and parts that no file has", async () => {
    const answer = await send(
      push([measure({ stderr: -0.01 }), measure({ metric: "acc", interval: [0.6, 0.5] }), measure({ metric: "f1", stderr: 0 })]),
    );
    expect(answer).toMatchObject({ accepted: 1, refused: [{ index: 0 }, { index: 1 }] });
    expect(answer.refused.map(({ message }) => message)).toEqual([
      "The record does not fit: stderr: no standard error is below 0.",
      "The record does not fit: interval: the interval ends before it begins.",
    ]);
    for (const part of [1_000_000, 3_000_000_000, Number.MAX_SAFE_INTEGER])
      await expect(send(push([measure()], { part }))).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("refuses a sample that comes twice in its file, across parts too, and keeps epochs apart", async () => {
    const first = await send(push([sample("1", 1), sample("1", 0), sample("1", 0, { epoch: 1 })], { last: false }));
    expect(first).toMatchObject({ accepted: 2, refused: [{ index: 1, code: "conflict" }] });
    expect(await send(push([sample("2", 1), sample("1", 1)], { part: 1 }))).toMatchObject({
      accepted: 1,
      refused: [{ index: 1, code: "conflict" }],
    });
    const { samples } = await bench.store.evaluations.columns([(await card()).scorecardId]);
    expect(samples[0]?.keys).toEqual(["1#0", "1#1", "2#0"]);
  });

  it("keeps judgements between two models by either side", async () => {
    const pair = (key: string, preference: number | null): EvalRecordInput => ({
      kind: "pair",
      task: "alpaca",
      key,
      left: { model: "gpt" },
      right: { model: "ours" },
      preference,
      leftLength: 100,
      rightLength: 150,
      judge: "j",
    });
    const self: EvalRecordInput = {
      kind: "pair",
      task: "alpaca",
      key: "9",
      left: { model: "ours" },
      right: { model: "ours" },
      preference: 0.5,
    };
    const answer = await send(push([pair("1", 1), pair("2", null), self], { run: null }));
    expect(answer).toMatchObject({ accepted: 2, refused: [{ index: 2, code: "bad-value" }] });
    const { scorecardId } = await card("ours");
    const { pairs } = await bench.store.evaluations.columns([scorecardId]);
    expect(pairs).toMatchObject([
      { task: "alpaca", judge: "j", left: { model: "gpt" }, right: { scorecardId, model: "ours" }, keys: ["1", "2"] },
    ]);
    expect([...(pairs[0]?.preferences ?? [])]).toEqual([1, Number.NaN]);
    expect([...(pairs[0]?.rightLengths ?? [])]).toEqual([150, 150]);
  });

  it("goes with its run when that is deleted, and can be imported again", async () => {
    await send(push([measure(), sample("1", 1)]));
    const runId = (await card()).run?.runId ?? 0;
    await bench.as("admin").runs.delete({ runId, confirmName: "run" });
    expect((await bench.as("read").scorecards.list()).total).toBe(0);
    expect(await send(push([measure(), sample("1", 1)]))).toMatchObject({ accepted: 2 });
  });
});
