import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { incidentWithAdvice, shiftedRun } from "./seeded-runs.ts";
import { openWorld, type World } from "./world.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.push(shiftedRun({ endsAtMs: Date.now() }));
  await incidentWithAdvice(world);
});
afterAll(() => world[Symbol.asyncDispose]());

interface Room {
  /** Height of the lanes, events and axis. */
  readonly stack: number;
  /** Between the line under the stack and the end of its column. */
  readonly empty: number;
  /** How much of the page does not fit the window. */
  readonly beyond: number;
}

/** As it stands once the lanes have their height. */
function roomOf(page: Page): Promise<Room> {
  return page.evaluate(() => {
    const box = (query: string) => document.querySelector(query)?.getBoundingClientRect() ?? new DOMRect();
    const foot = box("[data-part=drawn]");
    const column = document.querySelector("[data-part=drawn]")?.closest("main")?.getBoundingClientRect() ?? new DOMRect();
    return {
      stack: box("[data-part=stack]").height,
      empty: column.bottom - foot.bottom,
      beyond: document.documentElement.scrollHeight - window.innerHeight,
    };
  });
}

describe("the charts of a run", () => {
  it("fill a tall window without a scroll, grow no further than three times, and give the room back", { timeout: 120_000 }, async () => {
    await using opened = await world.open("/runs/1", { viewport: { width: 1_440, height: 700 } });
    const { page } = opened;
    await page.getByRole("figure").waitFor();
    const own = await roomOf(page);
    await page.setViewportSize({ width: 1_440, height: 1_000 });
    await expect.poll(async () => (await roomOf(page)).stack).toBeGreaterThan(own.stack + 100);
    const filled = await roomOf(page);
    expect(filled.beyond).toBe(0);
    expect(filled.empty).toBeLessThan(60);
    await page.setViewportSize({ width: 1_440, height: 2_400 });
    await expect.poll(async () => (await roomOf(page)).stack).toBeGreaterThan(2 * own.stack);
    expect((await roomOf(page)).stack).toBeLessThanOrEqual(3 * own.stack);
    await page.setViewportSize({ width: 1_440, height: 700 });
    await expect.poll(async () => (await roomOf(page)).stack).toBe(own.stack);
    expect(opened.console.errors()).toEqual([]);
  });

  it("say what a smoothed line is made of", async () => {
    await using opened = await world.open("/runs/1?smooth=20", { viewport: { width: 1_440, height: 900 } });
    const drawn = opened.page.locator("[data-part=drawn]");
    await drawn.getByText(/^Line: means of bins smoothed over 20 steps\. Under it the means, band: min to max\. Drawn /).waitFor();
  });
});
