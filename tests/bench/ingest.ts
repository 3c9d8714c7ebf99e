// `npm run bench -- ingest`: pushes over HTTP against a COPY of the same points as rows, into the same durable database; then what the fleet sends.
import type { PushAnswer } from "@trainwatch/core";
import frames from "./frames.ts";
import manySmall from "./many-small.ts";
import remoteWrite from "./remote-write.ts";
import { printTable } from "./detect/table.ts";
import { type BenchServer, openBenchServer } from "./speed/bench-server.ts";
import { loadNow, median, rounded, timedMs } from "./speed/figures.ts";
import { readyPushes, sendAll } from "./speed/pushes.ts";
import { copyRows, makeRowTable, readyRows } from "./speed/row-copy.ts";
import { SERIES } from "./speed/run-data.ts";
import { checkpoint, isDurable, readDurability, sampleBytes, storedCounts, totalBytes, untilQuiet } from "./speed/store-state.ts";

const SAMPLES = 1_000_000;
const STEPS = SAMPLES / SERIES;
/** A sender that was cut off for some minutes sends what it has kept in pushes of about this size. */
const STEPS_A_PUSH = 625;
const SENDERS = 4;
const ROUNDS = 3;
/** Of the samples a second of the COPY. */
const GOAL_RATIO = 0.3;

interface Round {
  readonly pushPerS: number;
  readonly copyPerS: number;
  readonly ratio: number;
  readonly pushBytes: number;
  readonly copyBytes: number;
  readonly accepted: number;
  /** Answers to the same pushes sent again that differ from the first. */
  readonly otherAnswers: number;
  /** Of the same points from another source. */
  readonly acceptedAgain: number;
  readonly repeated: number;
  readonly pointsAdded: number;
  readonly load: number;
}

/** Each can be run alone by its name, too. */
const FLEET_PARTS = [frames, manySmall, remoteWrite];

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const push = await measurePushes();
  const parts: Record<string, unknown> = {};
  let { ok } = push;
  for (const part of FLEET_PARTS) {
    console.error(`bench ${part.name} …`);
    const figures = await part.run();
    parts[part.name] = figures;
    ok &&= figures.ok;
  }
  return { ...push, ...parts, ok };
}

async function measurePushes(): Promise<Record<string, unknown> & { ok: boolean }> {
  await using server = await openBenchServer();
  await makeRowTable(server.pool);
  const durability = await readDurability(server.pool);
  console.error(`durability: ${JSON.stringify(durability)}`);
  const rows = readyRows(STEPS);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(server, rows, round));
  printTable(
    `ingest.push against COPY as rows, ${SAMPLES} samples in ${SERIES} series`,
    rounds.map((each) => ({ ...each })),
  );
  const ratio = median(rounds.map((each) => each.ratio));
  const ok = isDurable(durability) && ratio >= GOAL_RATIO && rounds.every(keepsItsWord);
  return {
    ok,
    samples: SAMPLES,
    series: SERIES,
    pushes: SENDERS * Math.ceil(STEPS / STEPS_A_PUSH),
    senders: SENDERS,
    durability,
    ratio: rounded(ratio),
    goalRatio: GOAL_RATIO,
    pushPerS: rounded(median(rounds.map((each) => each.pushPerS))),
    copyPerS: rounded(median(rounds.map((each) => each.copyPerS))),
    pushBytesASample: rounded(median(rounds.map((each) => each.pushBytes))),
    copyBytesASample: rounded(median(rounds.map((each) => each.copyBytes))),
    rounds,
  };
}

/** One after the other on the quiet server, the first of them in turn; then everything again. */
async function measureRound(server: BenchServer, rows: readonly Buffer[], round: number): Promise<Round> {
  const { pool, url, token } = server;
  const plan = { run: `round-${round}`, steps: STEPS, stepsAPush: STEPS_A_PUSH, senders: SENDERS };
  const pushes = readyPushes({ ...plan, source: `first-${round}` });
  const bytesBefore = await sampleBytes(pool);
  let answers: readonly PushAnswer[] = [];
  const push = async (): Promise<number> => {
    await settle(server);
    return timedMs(async () => {
      answers = await sendAll(url, token, pushes);
    });
  };
  const copy = async (): Promise<number> => {
    await makeRowTable(pool);
    await settle(server);
    return timedMs(() => copyRows(pool, rows));
  };
  const load = loadNow();
  const [pushMs, copyMs] =
    round % 2 === 0 ? [await push(), await copy()] : await copy().then(async (ms): Promise<[number, number]> => [await push(), ms]);
  await untilQuiet(pool);
  const pushBytes = (await sampleBytes(pool)) - bytesBefore;
  const before = await storedCounts(pool);
  const again = await sendAll(url, token, pushes);
  const elsewhere = await sendAll(url, token, readyPushes({ ...plan, source: `second-${round}` }));
  await untilQuiet(pool);
  const after = await storedCounts(pool);
  return {
    pushPerS: rounded(SAMPLES / (pushMs / 1000)),
    copyPerS: rounded(SAMPLES / (copyMs / 1000)),
    ratio: rounded(copyMs / pushMs),
    pushBytes: rounded(pushBytes / SAMPLES),
    copyBytes: rounded((await totalBytes(pool, ["bench.sample"])) / SAMPLES),
    accepted: sum(answers, "accepted"),
    otherAnswers: again.filter((answer, index) => JSON.stringify(answer) !== JSON.stringify(answers[index])).length,
    acceptedAgain: sum(elsewhere, "accepted"),
    repeated: sum(elsewhere, "repeated"),
    pointsAdded: after.points - before.points,
    load,
  };
}

async function settle({ pool }: BenchServer): Promise<void> {
  await untilQuiet(pool);
  await checkpoint(pool);
}

function keepsItsWord({ accepted, otherAnswers, acceptedAgain, repeated, pointsAdded }: Round): boolean {
  return accepted === SAMPLES && otherAnswers === 0 && acceptedAgain === 0 && repeated === SAMPLES && pointsAdded === 0;
}

function sum(answers: readonly PushAnswer[], field: "accepted" | "repeated"): number {
  return answers.reduce((total, answer) => total + answer[field], 0);
}

export default { name: "ingest", run };
