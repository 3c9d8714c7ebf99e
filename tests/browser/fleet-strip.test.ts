import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFaults } from "./axe.ts";
import { failVerb } from "./failing-verb.ts";
import { picture } from "./picture.ts";
import { seedFleet } from "./seeded-fleet.ts";
import { fleetRun } from "./seeded-fleet-run.ts";
import { openWorld, type World } from "./world.ts";

const NODES = 256;
const RUN_NODES = 192;
/** Nodes that have stopped sending, at the end of those without a run. */
const SILENT = 16;
/** Long enough ago that a silent node is not merely late. */
const SCRAPE_MS = 240_000;
const PATIENCE_MS = 60_000;

let world: World;

const strip = (page: Page) => page.getByRole("region", { name: "Fleet" }).getByRole("img");

async function labelOf(page: Page): Promise<string> {
  await strip(page).waitFor({ timeout: PATIENCE_MS });
  return (await strip(page).getAttribute("aria-label")) ?? "";
}

/** What the browser says when the reader comes back to the tab: whatever is older than a second is asked for again. */
const lookAgain = (page: Page): Promise<unknown> =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");

/** Pixels of the strip in the colour of a token of the theme. Only a hatch has the page's own colour: elsewhere the canvas is left clear. */
function pixelsOf(page: Page, token: string): Promise<number> {
  return strip(page).evaluate((canvas, name) => {
    if (!(canvas instanceof HTMLCanvasElement)) return -1;
    const probe = document.createElement("span");
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    const [red, green, blue] = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).map(Number);
    probe.remove();
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: new Uint8ClampedArray() };
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count++;
    return count;
  }, token);
}

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("the fleet at the foot of the overview", () => {
  it("is not there where no node has ever sent anything", async () => {
    await using opened = await world.open("/");
    await opened.page.getByText("No run has sent anything yet").waitFor({ timeout: PATIENCE_MS });
    expect(await opened.page.getByRole("region", { name: "Fleet" }).count()).toBe(0);
  });

  it("shows a cell a node by run: what is silent and what is cordoned apart from what works", async () => {
    const nowMs = Math.floor(Date.now() / 10_000) * 10_000;
    const fleet = seedFleet({ url: world.url, token: world.token, nodes: NODES, startMs: nowMs - 3_600_000 });
    await fleet.send(nowMs - SCRAPE_MS);
    await fleet.send(nowMs, { silent: (node) => node >= NODES - SILENT });
    await world.push(fleetRun(fleet, nowMs, RUN_NODES));
    await using opened = await world.open("/");
    const { page } = opened;
    expect(await labelOf(page)).toBe(
      "Fleet of 256 nodes: 192 in a run, 48 spare, 16 no data. By run: lab/llm-fleet 192, no run 64. No incident accuses a node.",
    );
    await page.getByText("llm-fleet · 192 nodes").waitFor();
    const [used, hollow, hatched, none] = [
      await pixelsOf(page, "press"),
      await pixelsOf(page, "line-2"),
      await pixelsOf(page, "bg"),
      await pixelsOf(page, "t2"),
    ];
    expect([used > 1_000, hollow > 0, hatched > 0, none]).toEqual([true, true, true, 0]);

    await world.call("fleet.cordon", { nodeId: fleet.nodes[3]?.machineId, reason: "NIC to be changed" });
    await page.reload();
    await expect.poll(() => labelOf(page), { timeout: PATIENCE_MS }).toContain("191 in a run, 48 spare, 1 cordoned, 16 no data");
    expect(await pixelsOf(page, "t2")).toBeGreaterThan(20);
    expect(await pixelsOf(page, "press")).toBeLessThan(used);
    await strip(page).hover({ position: { x: 4, y: 4 } });
    await expect.poll(() => strip(page).getAttribute("title")).toMatch(/^a01-n01, lab\/llm-fleet$/);
    await picture(page, "overview-fleet");

    await page.getByRole("link", { name: "Open fleet" }).click();
    await page.waitForURL((url) => url.pathname === "/fleet");
    expect(opened.console.errors()).toEqual([]);
  });
});

describe("the fleet at the foot of the overview, where it cannot be asked", () => {
  it("keeps the cells and says that incidents are not known, until they are", async () => {
    await using opened = await world.open("/no-such-page");
    const { page } = opened;
    const failing = await failVerb(page, "fleet.incidents");
    await page.goto(`${world.url}/`);
    await page.getByText("The list of accused nodes could not be read").waitFor({ timeout: PATIENCE_MS });
    expect(await labelOf(page)).toMatch(/^Fleet of 256 nodes.* Incidents are not known\.$/);
    expect(await page.getByText("incidents not known", { exact: true }).isVisible()).toBe(true);
    await failing.heal();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => labelOf(page), { timeout: PATIENCE_MS }).toMatch(/No incident accuses a node\.$/);
    expect(await page.getByText("incidents not known", { exact: true }).count()).toBe(0);
  });

  it("says that the layout could not be read, and of one that is old since when it is", async () => {
    await using opened = await world.open("/no-such-page");
    const { page } = opened;
    const failing = await failVerb(page, "fleet.layout");
    await page.goto(`${world.url}/`);
    await page.getByText("The fleet's layout could not be read").waitFor({ timeout: PATIENCE_MS });
    await failing.heal();
    await page.getByRole("button", { name: "Try again" }).click();
    await labelOf(page);
    const again = await failVerb(page, "fleet.layout");
    await expect
      .poll(
        async () => {
          await lookAgain(page);
          return page.getByText(/The fleet's layout is from .* ago/).count();
        },
        { timeout: PATIENCE_MS },
      )
      .toBe(1);
    expect(await labelOf(page)).toMatch(/^Fleet of 256 nodes/);
    await again.heal();
  });
});

describe.each([
  ["dark", 1_440],
  ["light", 1_440],
  ["dark", 390],
] as const)("the overview with a fleet in the %s theme at %i px", (colorScheme, width) => {
  it("fits its width, axe finds nothing serious and the console stays silent", async () => {
    await using opened = await world.open("/", { colorScheme, viewport: { width, height: 900 } });
    const { page } = opened;
    expect(await labelOf(page)).toMatch(/^Fleet of 256 nodes/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await seriousFaults(page)).toEqual([]);
    expect(opened.console.errors()).toEqual([]);
    await picture(page, `overview-fleet-${colorScheme}-${width}`);
  });
});
