import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { picture } from "./picture.ts";
import { GPUS_PER_NODE, seedFleet, type SeededFleet, type SeededNode } from "./seeded-fleet.ts";
import { fleetRun, slowdownOf } from "./seeded-fleet-run.ts";
import { openWorld, type World } from "./world.ts";

const NODES = 2_048;
const GPUS = NODES * GPUS_PER_NODE;
/** The one GPU that is hot: f06-n14 GPU 6. */
const HOT = { node: 1_373, gpu: 6 } as const;
/** Nodes that the run works on, from the first. */
const RUN_NODES = 1_536;
/** Nodes that have stopped sending. */
const SILENT = { from: 1_092, to: 1_099 } as const;
const SCRAPES = 4;
const SCRAPE_MS = 120_000;
/** A frame at 60 a second. */
const FRAME_MS = 16;
const HOVERS = 400;
const FLOOD = 10_000;
const PATIENCE_MS = 60_000;

let world: World;
let fleet: SeededFleet;
let nowMs = 0;

const hotNode = (): SeededNode => fleet.nodes[HOT.node] ?? { host: "", rack: "", machineId: "", gpus: [] };
const hotGpu = (): string => hotNode().gpus[HOT.gpu] ?? "";
const at = (): string => `at=${nowMs}&from=${nowMs - 600_000}&to=${nowMs}`;

beforeAll(async () => {
  nowMs = Math.floor(Date.now() / 10_000) * 10_000;
  world = await openWorld();
  fleet = seedFleet({
    url: world.url,
    token: world.token,
    nodes: NODES,
    startMs: nowMs - 3_600_000,
    faults: [
      { kind: "hot-gpu", ...HOT, atMs: nowMs - 1_800_000, celsius: 35 },
      { kind: "sentinel", node: 900, gpu: 2, atMs: nowMs - 1_800_000, field: "DCGM_FI_DEV_MEMORY_TEMP", text: "4294967295" },
    ],
  });
  for (let back = SCRAPES - 1; back >= 0; back--) {
    const silent = (node: number): boolean => back < 4 && node >= SILENT.from && node < SILENT.to;
    await fleet.send(nowMs - back * SCRAPE_MS, back === SCRAPES - 1 ? {} : { silent });
  }
  await world.push(fleetRun(fleet, nowMs, RUN_NODES));
  await fleet.tell(slowdownOf(hotNode(), hotGpu(), nowMs));
});
afterAll(() => world[Symbol.asyncDispose]());

async function mapOf(page: Page) {
  const map = page.getByRole("application", { name: /^Fleet map/ });
  await map.waitFor({ timeout: PATIENCE_MS });
  return map;
}

interface Spot {
  /** Middle of the brightest cell, in pixels of the map. */
  readonly x: number;
  readonly y: number;
  /** Pixels of the colour at the scale's end. */
  readonly pixels: number;
}

/** Looks for the end of viridis in the pixels that the page has painted, whatever the page believes it has painted there. */
function brightest(page: Page): Promise<Spot> {
  return page.evaluate(() => {
    const canvas = document.querySelector("[data-part=fleet-cells]");
    if (!(canvas instanceof HTMLCanvasElement)) return { x: 0, y: 0, pixels: 0 };
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: new Uint8ClampedArray() };
    let pixels = 0;
    let x = 0;
    let y = 0;
    for (let index = 0; index < data.length; index += 4) {
      const [red = 0, green = 0, blue = 0] = [data[index], data[index + 1], data[index + 2]];
      if (Math.abs(red - 253) > 4 || Math.abs(green - 231) > 4 || Math.abs(blue - 37) > 4) continue;
      pixels++;
      x += (index / 4) % canvas.width;
      y += Math.floor(index / 4 / canvas.width);
    }
    const scale = canvas.width / canvas.clientWidth;
    return { x: (x / pixels + 0.5) / scale, y: (y / pixels + 0.5) / scale, pixels };
  });
}

const selected = (page: Page) => page.getByRole("complementary", { name: "Selected GPU" });

describe("one hot GPU among 16,384", () => {
  it("is lit in the map, found by its pixels, and told under the pointer", async () => {
    await using opened = await world.open(`/fleet?${at()}`);
    const { page } = opened;
    const map = await mapOf(page);
    await page.getByText(`2,048 nodes, ${GPUS.toLocaleString("en-US")} GPUs`).waitFor();
    const spot = await brightest(page);
    expect(spot.pixels).toBeGreaterThan(8);
    await map.hover({ position: { x: spot.x, y: spot.y } });
    const card = page.locator("[data-part=fleet-card]");
    await card.getByText(`${hotNode().host} GPU ${HOT.gpu}`).waitFor();
    await card.getByText(/above its slowdown threshold, ×3/).waitFor();
    await map.click({ position: { x: spot.x, y: spot.y } });
    await page.waitForURL((url) => url.searchParams.get("gpu") === hotGpu());
    await selected(page).getByText(hotGpu(), { exact: true }).waitFor();
    await selected(page)
      .getByRole("row", { name: /Memory temperature/ })
      .waitFor();
    expect(opened.console.errors()).toEqual([]);
  });

  it("is found by host and index, by UUID and by rank", async () => {
    await using opened = await world.open(`/fleet?${at()}`);
    const { page } = opened;
    await mapOf(page);
    const rank = HOT.node * GPUS_PER_NODE + HOT.gpu;
    for (const query of [`${hotNode().host} ${HOT.gpu}`, hotGpu().slice(0, 17), `rank ${rank}`]) {
      await page.keyboard.press("Escape");
      await page.waitForURL((url) => url.searchParams.get("gpu") === null);
      await page.keyboard.press("/");
      await page.keyboard.type(query);
      await page.getByRole("option", { name: new RegExp(hotGpu()) }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("gpu") === hotGpu());
    }
    await page.keyboard.press("/");
    await page.keyboard.type("no-such-host");
    await page.getByText("No GPU by that UUID, host or rank").waitFor();
  });

  it("is found without a mouse: n goes to it, arrows move on, Enter opens it, Escape lets go", async () => {
    await using opened = await world.open(`/fleet?${at()}`);
    const { page } = opened;
    const map = await mapOf(page);
    await page.keyboard.press("n");
    await page.waitForURL((url) => url.searchParams.get("gpu") === hotGpu());
    await map.focus();
    await page.keyboard.press("ArrowLeft");
    await page
      .locator("[data-part=fleet-card]")
      .getByText(`${hotNode().host} GPU ${HOT.gpu - 1}`)
      .waitFor();
    await page.getByText(new RegExp(`${hotNode().host} GPU ${HOT.gpu - 1}, Memory temperature`)).waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("gpu") === hotNode().gpus[HOT.gpu - 1]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => url.searchParams.get("gpu") === null);
    await page.keyboard.press("n");
    await page.waitForURL((url) => url.searchParams.get("gpu") === hotGpu());
    await map.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `/fleet/gpu/${hotGpu()}`);
    await page.getByRole("heading", { name: `${hotNode().host} GPU ${HOT.gpu}` }).waitFor();
  });

  it("stands first in the table, whose rows far from view are not mounted", async () => {
    await using opened = await world.open(`/fleet?${at()}&table=true`);
    const table = opened.page.getByRole("table", { name: "GPUs" });
    await table.waitFor({ timeout: PATIENCE_MS });
    expect(await table.getAttribute("aria-rowcount")).toBe(String(GPUS + 1));
    expect(await table.getByRole("row").nth(1).innerText()).toContain(`${hotNode().host} GPU ${HOT.gpu}`);
    expect(await table.getByRole("row").count()).toBeLessThan(100);
  });

  it("is told of under the pointer within a frame", async () => {
    await using opened = await world.open(`/fleet?${at()}`);
    const { page } = opened;
    await mapOf(page);
    const took = await page.evaluate(async (hovers) => {
      const map = document.querySelector("[data-part=fleet-map]");
      if (map === null) return { durations: [], told: 0 };
      const box = map.getBoundingClientRect();
      let told = 0;
      for (let index = 0; index < hovers; index++) {
        // A golden-ratio walk: every move lands far from the one before.
        const clientX = box.left + box.width * ((index * 0.618_034) % 1);
        const clientY = box.top + box.height * ((index * 0.381_966 + 0.1) % 1);
        performance.mark("hover-begins");
        map.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX, clientY, pointerId: 1, pointerType: "mouse" }));
        await Promise.resolve();
        // Style and layout count too; painting a frame and a card does not depend on the number of cells.
        map.getBoundingClientRect();
        told += Number(document.querySelector("[data-part=fleet-card]")?.getBoundingClientRect() !== undefined);
        performance.mark("hover-ends");
        performance.measure("hover", "hover-begins", "hover-ends");
        if (index % 10 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return { durations: performance.getEntriesByName("hover").map(({ duration }) => duration), told };
    }, HOVERS);
    const sorted = took.durations.toSorted((a, b) => a - b);
    const share = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
    console.log(`hover over ${GPUS} cells: median ${share(0.5).toFixed(2)} ms, p95 ${share(0.95).toFixed(2)} ms of ${sorted.length} moves`);
    expect(sorted).toHaveLength(HOVERS);
    // The others landed between nodes, where there is nothing to tell.
    expect(took.told).toBeGreaterThan(HOVERS / 2);
    expect(share(0.95)).toBeLessThan(FRAME_MS);
  });
});

describe("the time of the map", () => {
  it("is moved by the slider, written into the URL and left for the present again", async () => {
    await using opened = await world.open(`/fleet?${at()}`);
    const { page } = opened;
    await mapOf(page);
    const slider = page.getByRole("slider", { name: "Time shown" });
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL((url) => url.searchParams.get("at") === String(nowMs - 10_000));
    await page.getByText(/^Shown as at /).waitFor();
    await page.getByRole("button", { name: "Back to live" }).click();
    await page.waitForURL((url) => url.searchParams.get("at") === null);
    await page.getByText("Shown live").waitFor();
  });

  it("plays the window frame by frame and stays where it is stopped", async () => {
    await using opened = await world.open(`/fleet?${at()}`);
    const { page } = opened;
    await mapOf(page);
    await page.getByRole("button", { name: "Play the window" }).click();
    const slider = page.getByRole("slider", { name: "Time shown" });
    const shown = async (): Promise<number> => Number(await slider.inputValue());
    // It begins at the start of the window, which may be over before it is looked at.
    await expect.poll(shown, { timeout: PATIENCE_MS }).toBeLessThan(nowMs);
    const before = await shown();
    await expect.poll(shown, { timeout: PATIENCE_MS }).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Stop playing" }).click();
    await page.waitForURL((url) => Number(url.searchParams.get("at")) < nowMs);
    expect(opened.console.errors()).toEqual([]);
  });
});

describe("the page at 1440 × 900", () => {
  it("shows the whole page without a scroll, for the picture of the README", async () => {
    await using opened = await world.open(`/fleet?${at()}&run=1&gpu=${hotGpu()}`, { colorScheme: "dark" });
    const { page } = opened;
    await mapOf(page);
    await expect.poll(() => page.getByRole("status", { name: /^Loading/ }).count(), { timeout: PATIENCE_MS }).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollHeight - window.innerHeight")).toBe(0);
    await picture(page, "fleet");
  });
});

describe("a flood", () => {
  it("asks once who sits where when it is opened: of a large fleet no answer is larger", async () => {
    for (const path of ["/fleet", `/fleet?${at()}`]) {
      await using opened = await world.open("/settings");
      const { page } = opened;
      const asked: string[] = [];
      page.on("request", (request) => void asked.push(...(/fleet\.layout/.exec(request.url()) ?? [])));
      await page.goto(`${world.url}${path}`);
      await mapOf(page);
      expect(asked).toEqual(["fleet.layout"]);
    }
  });

  it("F1: ten thousand alerts at once are one burst a node, and the page is there within two seconds", { timeout: 300_000 }, async () => {
    const perNode = Math.ceil(FLOOD / 512);
    const stormed = fleet.nodes.slice(0, 512);
    for (const [index, { host, machineId, gpus }] of stormed.entries()) {
      const events = Array.from({ length: perNode }, (_each, event) => ({
        timeMs: nowMs - 60_000 + event * 500,
        lastTimeMs: null,
        kind: "xid" as const,
        code: 79,
        subCode: null,
        severity: "critical" as const,
        entity: { kind: "gpu" as const, id: gpus[0] ?? "" },
        text: "Xid 79, GPU has fallen off the bus",
        count: 1,
      }));
      await fleet.tell({ source: `flood/${index}`, seq: 0, node: { machineId, host, bootId: null }, events });
    }
    await using opened = await world.open(`/fleet?${at()}`);
    const { page } = opened;
    await mapOf(page);
    await vi.waitFor(() => page.getByText(/^critical \d+/).waitFor(), { timeout: PATIENCE_MS });
    const startedAtMs = Date.now();
    await page.reload();
    await mapOf(page);
    await page.getByText(/^critical \d+/).waitFor({ timeout: PATIENCE_MS });
    const tookMs = Date.now() - startedAtMs;
    console.log(`the fleet page after ${stormed.length * perNode} alerts: ${tookMs} ms`);
    await page.getByText(/Marks are of the newest 200 of 51[23] bursts/).waitFor();
    expect(tookMs).toBeLessThan(2_000);
  });
});
