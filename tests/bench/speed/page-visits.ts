import { CLIENT_HEADER } from "@trainwatch/server";
import type { Browser, Page } from "playwright-core";
import type { BenchServer } from "./bench-server.ts";

export interface Visit extends AsyncDisposable {
  readonly page: Page;
}

/** A browser profile that has never been here, signed in, on a blank page. */
export async function newVisitor(browser: Browser, { url, token }: BenchServer): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US", timezoneId: "UTC" });
  const answer = await context.request.post(`${url}/auth/session`, { data: { token }, headers: { [CLIENT_HEADER]: "bench" } });
  if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`);
  return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

/** Milliseconds since the navigation began. */
export interface Arrival {
  /** The element stood in the document. */
  readonly standsMs: number;
  /** The frame with it was given to the screen. */
  readonly paintedMs: number;
  /** The answers to the page's questions had all come. */
  readonly answeredMs: number;
  readonly scriptsMs: number;
}

/** Opens a path and waits for the first element that matches, as seen from inside the page: the bench's own way to ask is slower. */
export async function arriveAt(page: Page, url: string, selector: string): Promise<Arrival> {
  await page.addInitScript((wanted) => {
    const watcher = new MutationObserver(() => {
      if (document.querySelector(wanted) === null) return;
      watcher.disconnect();
      performance.mark("bench-stands");
      requestAnimationFrame(() => setTimeout(() => performance.mark("bench-painted")));
    });
    watcher.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["d"] });
  }, selector);
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("bench-painted").length > 0);
  // No named function may stand in here: the transpiler would wrap it in one of its own, which the page does not have.
  const entries = await page.evaluate(() =>
    performance
      .getEntries()
      .map((entry) => ({ name: entry.name, endMs: entry instanceof PerformanceResourceTiming ? entry.responseEnd : entry.startTime })),
  );
  const last = (part: string): number => Math.max(0, ...entries.flatMap(({ name, endMs }) => (name.includes(part) ? [endMs] : [])));
  return {
    standsMs: last("bench-stands"),
    paintedMs: last("bench-painted"),
    answeredMs: last("series.window"),
    scriptsMs: last("/assets/"),
  };
}

export interface Hover {
  /** From each move of the pointer until the frame that answers it was given to the screen. */
  readonly redrawMs: readonly number[];
  /** Different words in the flag at the cross-hair: shows that something was redrawn. */
  readonly flags: number;
}

/** Moves the pointer over the first lane, place by place. */
export async function hoverOver(page: Page, selector: string, moves: number): Promise<Hover> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} has no place on the page`);
  await page.evaluate(() => {
    addEventListener(
      "pointermove",
      () => {
        const movedMs = performance.now();
        requestAnimationFrame(() => setTimeout(() => performance.measure("bench-redraw", { start: movedMs, end: performance.now() })));
      },
      { capture: true },
    );
  });
  const flags = new Set<string | null>();
  for (let move = 0; move < moves; move++) {
    await page.mouse.move(box.x + ((move + 0.5) / moves) * box.width, box.y + box.height / 2);
    await page.waitForFunction((wanted) => performance.getEntriesByName("bench-redraw").length >= wanted, move + 1);
    flags.add(await page.locator("[data-part=tooltip]").textContent());
  }
  const redrawMs = await page.evaluate(() => performance.getEntriesByName("bench-redraw").map(({ duration }) => duration));
  return { redrawMs, flags: flags.size };
}

/** Bytes that the page's scripts hold, once what nobody needs is gone. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}
