// `npm run bench -- page`: the Run page of a million steps × 64 series in a real browser that has never been there.
import { launchBrowser } from "@trainwatch/testkit/browser";
import { printTable } from "./detect/table.ts";
import { openBenchServer } from "./speed/bench-server.ts";
import { builtPages } from "../browser/built-pages.ts";
import { loadNow, median, quantile, rounded } from "./speed/figures.ts";
import { LONG_STEPS, keptFolder, seedLongRun } from "./speed/long-run.ts";
import { type Arrival, arriveAt, heapBytes, hoverOver, newVisitor } from "./speed/page-visits.ts";
import { SERIES } from "./speed/run-data.ts";

const VISITS = 7;
const MOVES = 100;
const GOAL_FIRST_LINE_MS = 1_500;
const GOAL_REDRAW_MS = 50;
/** The line of the first lane. */
const FIRST_LINE = '[data-lane="loss"] path.recharts-curve[d]';
const PLOT = '[data-lane="loss"] .recharts-wrapper';
/** A page of the same app without data to speak of: what the browser and the scripts cost by themselves. */
const FLOOR = { path: "/settings", selector: "[role=tab]" };

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  await using pages = await builtPages();
  await using server = await openBenchServer({ ...keptFolder(), webRoot: pages.webRoot });
  const runId = await seedLongRun(server);
  const browser = await launchBrowser();
  try {
    const load = loadNow();
    const floor: Arrival[] = [];
    const visits: Arrival[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      await using idle = await newVisitor(browser, server);
      floor.push(await arriveAt(idle.page, `${server.url}${FLOOR.path}`, FLOOR.selector));
      await using visitor = await newVisitor(browser, server);
      visits.push(await arriveAt(visitor.page, `${server.url}/runs/${runId}`, FIRST_LINE));
    }
    await using reader = await newVisitor(browser, server);
    await arriveAt(reader.page, `${server.url}/runs/${runId}`, FIRST_LINE);
    const hover = await hoverOver(reader.page, PLOT, MOVES);
    const heapMb = (await heapBytes(reader.page)) / 1e6;
    printTable(
      "Cold visits of the Run page, ms since the navigation began",
      visits.map((each, index) => row(each, floor[index])),
    );
    const firstLineMs = median(visits.map(({ standsMs }) => standsMs));
    const redrawMs = median(hover.redrawMs);
    return {
      // A pointer that shows the same words everywhere has redrawn nothing.
      ok: firstLineMs < GOAL_FIRST_LINE_MS && redrawMs < GOAL_REDRAW_MS && hover.flags > MOVES / 2,
      steps: LONG_STEPS,
      series: SERIES,
      visits: VISITS,
      firstLineMs: rounded(firstLineMs),
      goalFirstLineMs: GOAL_FIRST_LINE_MS,
      firstLinePaintedMs: rounded(median(visits.map(({ paintedMs }) => paintedMs))),
      firstLineWorstMs: rounded(
        quantile(
          visits.map(({ standsMs }) => standsMs),
          1,
        ),
      ),
      floorMs: rounded(median(floor.map(({ standsMs }) => standsMs))),
      redrawMs: rounded(redrawMs),
      redrawP95Ms: rounded(quantile(hover.redrawMs, 0.95)),
      goalRedrawMs: GOAL_REDRAW_MS,
      flagsSeen: hover.flags,
      moves: MOVES,
      heapMb: rounded(heapMb),
      load,
    };
  } finally {
    await browser.close();
  }
}

function row(visit: Arrival, floor: Arrival | undefined): Readonly<Record<string, number>> {
  return {
    "empty page": rounded(floor?.standsMs ?? Number.NaN),
    "scripts loaded": rounded(visit.scriptsMs),
    "window answered": rounded(visit.answeredMs),
    "first line": rounded(visit.standsMs),
    painted: rounded(visit.paintedMs),
  };
}

export default { name: "page", run };
