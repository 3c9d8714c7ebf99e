// `npm run bench -- release-scroll`: a release of 2,000 tasks and 12 checkpoints in a real browser: how smoothly its rows and columns scroll, beside the frames of a page at rest.
import { createHash } from "node:crypto";
import type { AppRouter } from "@trainwatch/api";
import { MOST_EVAL_RECORDS, type EvalRecordInput } from "@trainwatch/core";
import { normalDraw, seededRandom } from "@trainwatch/stats";
import { launchBrowser } from "@trainwatch/testkit/browser";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import type { Page } from "playwright-core";
import { type BenchServer, openBenchServer } from "./speed/bench-server.ts";
import { builtPages } from "../browser/built-pages.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";
import { arriveAt, newVisitor } from "./speed/page-visits.ts";

const TASKS = 2_000;
const CHECKPOINTS = 12;
const SLOW_MS = 50;
const MOST_SLOW = 0.01;
const WHEEL_TURNS = 300;
const WHEEL_PX = 240;
/** One turn each two frames, as a hand at the wheel. */
const TURN_MS = 32;

const ROW = "[data-row]";

function* results(model: string, seed: number): Generator<EvalRecordInput, void, undefined> {
  const random = seededRandom(seed);
  for (let task = 0; task < TASKS; task++) {
    const value = Math.min(0.99, Math.max(0.01, 0.6 + 0.03 * normalDraw(random)));
    yield {
      kind: "measure",
      subject: { model },
      task: `task_${String(task).padStart(4, "0")}`,
      metric: "acc",
      value,
      stderr: Math.sqrt((value * (1 - value)) / 1_000),
      n: 1_000,
      settings: { nShot: 5 },
    };
  }
}

async function bring(client: TRPCClient<AppRouter>, model: string, seed: number): Promise<number> {
  const records = [...results(model, seed)];
  const file = { name: `${model}.json`, sha256: createHash("sha256").update(model).digest("hex"), format: "bench" };
  let scorecardId = 0;
  for (let part = 0; part * MOST_EVAL_RECORDS < records.length; part++) {
    const piece = records.slice(part * MOST_EVAL_RECORDS, (part + 1) * MOST_EVAL_RECORDS);
    const answer = await client.ingest.evals.mutate({
      file,
      run: null,
      part,
      last: (part + 1) * MOST_EVAL_RECORDS >= records.length,
      records: piece,
    });
    scorecardId = answer.scorecards[0]?.scorecardId ?? scorecardId;
  }
  return scorecardId;
}

async function seedRelease({ url, token }: BenchServer): Promise<number> {
  const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: { authorization: `Bearer ${token}` } })] });
  const ids: number[] = [];
  for (let at = 0; at < CHECKPOINTS; at++) ids.push(await bring(client, `checkpoint-${at}`, at + 1));
  const [baselineId = 0, ...candidateIds] = ids;
  return (await client.releases.create.mutate({ name: "wide", baselineId, candidateIds })).releaseId;
}

/** Times between frames, ms, while `act` goes on. */
async function framesWhile(page: Page, act: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Reflect.set(window, "benchFrames", times);
    // No named function may stand in here: the transpiler would wrap it.
    Reflect.set(window, "benchTick", (now: number) => {
      times.push(now);
      requestAnimationFrame(Reflect.get(window, "benchTick"));
    });
    requestAnimationFrame(Reflect.get(window, "benchTick"));
  });
  await act();
  const times = await page.evaluate((): number[] => {
    Reflect.set(window, "benchTick", () => undefined);
    return Reflect.get(window, "benchFrames");
  });
  // The frame that is on its way still belongs to this loop: a next one that began before it would be joined by it.
  await page.waitForTimeout(100);
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}

function summary(frames: readonly number[]) {
  return {
    frames: frames.length,
    slowShare: Number((frames.filter((each) => each > SLOW_MS).length / Math.max(1, frames.length)).toFixed(4)),
    p50Ms: rounded(quantile(frames, 0.5)),
    p99Ms: rounded(quantile(frames, 0.99)),
    worstMs: rounded(quantile(frames, 1)),
  };
}

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  await using pages = await builtPages();
  await using server = await openBenchServer({ webRoot: pages.webRoot });
  const releaseId = await seedRelease(server);
  const browser = await launchBrowser();
  try {
    await using visitor = await newVisitor(browser, server);
    const { page } = visitor;
    const arrival = await arriveAt(page, `${server.url}/releases/${releaseId}`, ROW);
    const first = page.locator(ROW).first();
    const before = await first.getAttribute("data-row");
    await first.hover();
    const rest = await framesWhile(page, () => page.waitForTimeout(2_000));
    const wheel = async (dx: number, dy: number): Promise<void> => {
      for (let turn = 0; turn < WHEEL_TURNS; turn++) {
        const back = turn >= WHEEL_TURNS / 2 ? -1 : 1;
        await page.mouse.wheel(back * dx, back * dy);
        await page.waitForTimeout(TURN_MS);
      }
    };
    const rows = await framesWhile(page, () => wheel(0, WHEEL_PX));
    const columns = await framesWhile(page, () => wheel(WHEEL_PX / 4, 0));
    await page.mouse.wheel(0, WHEEL_PX * 100);
    await page.waitForTimeout(500);
    const moved = (await page.locator(ROW).first().getAttribute("data-row")) !== before;
    const byRows = summary(rows);
    return {
      // A page that has not moved has drawn nothing.
      ok: moved && byRows.slowShare <= MOST_SLOW,
      tasks: TASKS,
      checkpoints: CHECKPOINTS,
      firstRowMs: rounded(arrival.standsMs),
      rest: summary(rest),
      rows: byRows,
      columns: summary(columns),
      moved,
      goalSlowShare: MOST_SLOW,
      load: loadNow(),
    };
  } finally {
    await browser.close();
  }
}

export default { name: "release-scroll", run };
