// `npm run bench -- release-compare`: how long a release with 200,000 samples takes from the database to its verdicts, and how long a page of its sample differences takes.
import { createHash } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCaller,
  createComparisons,
  createFleetIngest,
  createFleetViews,
  createMoveHub,
  createSignalCache,
  LOCAL_ACTOR,
  type ApiContext,
} from "@trainwatch/api";
import type { EvalRecordInput } from "@trainwatch/core";
import { seededRandom } from "@trainwatch/stats";
import { openStore, startEmbeddedPostgres, type Store } from "@trainwatch/store";
import { loadNow, quantile, rounded } from "./speed/figures.ts";

/** Of each of the two models: "200,000 samples compare in under 2 s". */
const SAMPLES = Number(process.env["TRAINWATCH_BENCH_SAMPLES"] ?? 200_000);
const A_PART = 2_000;
const GOAL_S = 2;
const ROUNDS = 5;

function* records(model: string, chance: number, seed: number): Generator<EvalRecordInput> {
  const random = seededRandom(seed);
  for (let index = 0; index < SAMPLES; index++) {
    const score = random() < chance ? 1 : 0;
    yield {
      kind: "sample",
      subject: { model },
      task: "mmlu",
      key: createHash("md5").update(String(index)).digest("hex"),
      scores: { acc: score, acc_norm: random() < chance ? 1 : 0 },
      category: `subject ${index % 57}`,
      prompt: `Question ${index}: which of the following is right?`,
      answer: `Answer of ${model}`,
    };
  }
}

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, durable: true, throwAway: true });
  const store = await openStore({ url: postgres.url });
  try {
    return await measure(store);
  } finally {
    await store.close();
    await postgres.stop();
  }
}

async function measure(store: Store): Promise<Record<string, unknown> & { ok: boolean }> {
  const context = contextOf(store);
  const verbs = createCaller(context);
  const importing = performance.now();
  const baselineId = await importModel(verbs, "base", records("base", 0.6, 1));
  const candidateId = await importModel(verbs, "next", records("next", 0.58, 2));
  const importS = (performance.now() - importing) / 1000;
  const { releaseId } = await verbs.releases.create({ name: "bench", baselineId, candidateIds: [candidateId] });
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // As in a process that has just begun: nothing is held.
    const fresh = createCaller({ ...context, comparisons: createComparisons() });
    const startedAt = performance.now();
    const { comparison } = await fresh.releases.get({ releaseId });
    seconds.push((performance.now() - startedAt) / 1000);
    if (comparison.rows[0]?.cells[1]?.pairs !== SAMPLES) throw new Error("not all samples were compared");
  }
  await verbs.releases.get({ releaseId });
  const held = await timed(() => verbs.releases.get({ releaseId }));
  const page = await timed(() => verbs.releases.samples({ releaseId, rowKey: "mmlu|acc|", scorecardId: candidateId, only: "lost" }));
  const worst = Math.max(...seconds);
  return {
    ok: SAMPLES < 200_000 || worst < GOAL_S,
    samplesEach: SAMPLES,
    importSamplesPerS: Math.round((2 * SAMPLES) / importS),
    compareMedianS: rounded(quantile(seconds, 0.5)),
    compareWorstS: rounded(worst),
    goalS: GOAL_S,
    heldS: rounded(held),
    samplePageS: rounded(page),
    load: loadNow(),
  };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return (performance.now() - startedAt) / 1000;
}

function contextOf(store: Store): ApiContext {
  return {
    store,
    now: Date.now,
    actor: LOCAL_ACTOR,
    requestId: "bench",
    moves: createMoveHub(),
    signals: createSignalCache(Date.now),
    comparisons: createComparisons(),
    fleetIngest: createFleetIngest(store, Date.now),
    fleetViews: createFleetViews(store, Date.now),
    server: { version: "0.0.0", demo: false },
  };
}

async function importModel(verbs: ReturnType<typeof createCaller>, model: string, all: Iterable<EvalRecordInput>): Promise<number> {
  const file = { name: `${model}.jsonl`, sha256: createHash("sha256").update(model).digest("hex"), format: "lm-eval" };
  let part = 0;
  let batch: EvalRecordInput[] = [];
  let id = 0;
  const send = async (last: boolean): Promise<void> => {
    const answer = await verbs.ingest.evals({ file, run: null, part: part++, last, records: batch });
    id = answer.scorecards[0]?.scorecardId ?? id;
    batch = [];
  };
  for (const record of all) {
    batch.push(record);
    if (batch.length === A_PART) await send(false);
  }
  await send(true);
  return id;
}

export default { name: "release-compare", run };
