import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { incidentWithAdvice, RUN_NAME, shiftedRun } from "./seeded-runs.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let incidentId = 0;

beforeAll(async () => {
  world = await openWorld();
  await world.push(shiftedRun({ endsAtMs: Date.now() }));
  incidentId = await incidentWithAdvice(world);
});
afterAll(() => world[Symbol.asyncDispose]());

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const focused = (page: Page): Promise<unknown> => page.evaluate("document.activeElement?.textContent ?? ''");

describe("a reader without a mouse", () => {
  it("goes to each page by two keys", async () => {
    await using opened = await world.open("/");
    const { page } = opened;
    for (const [keys, path] of [
      ["gr", "/runs"],
      ["gi", "/incidents"],
      ["gf", "/fleet"],
      ["gd", "/detectors"],
      ["gs", "/settings"],
      ["go", "/"],
    ] as const) {
      await press(page, ...keys);
      await page.waitForURL((url) => url.pathname === path);
    }
    expect(opened.console.errors()).toEqual([]);
  });

  it("selects, acknowledges, opens and decides on an incident", async () => {
    await using opened = await world.open("/incidents");
    const { page } = opened;
    await page.getByRole("table", { name: "Incidents" }).waitFor();
    await press(page, "j");
    await page.waitForURL((url) => url.searchParams.get("incident") === String(incidentId));
    await press(page, "e");
    await page
      .getByRole("cell", { name: /^admin/i })
      .or(page.getByText(/^ack/))
      .first()
      .waitFor();
    await press(page, "Enter");
    await page.waitForURL((url) => url.pathname === `/incidents/${incidentId}`);
    const accept = page.getByRole("button", { name: "Accept…" });
    await accept.focus();
    await press(page, "Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    // The first field has the focus; what is typed there must not be taken for keys.
    await page.keyboard.type("going back, see j k e");
    await press(page, "Tab");
    await page.keyboard.type("wrong-name");
    expect(await dialog.getByRole("button", { name: "Accept" }).isDisabled()).toBe(true);
    await press(page, "Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Accept…");
  });

  it("finds a run by its name in the palette and comes to it by Enter", async () => {
    await using opened = await world.open("/settings");
    const { page } = opened;
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await press(page, "Control+k");
    await page.keyboard.type(RUN_NAME);
    await page.getByRole("option", { name: new RegExp(`lab/${RUN_NAME}`) }).waitFor();
    await page.getByRole("option", { name: new RegExp(`lab/${RUN_NAME}`) }).hover();
    await press(page, "Enter");
    await page.waitForURL((url) => url.pathname.startsWith("/runs/"));
  });

  it("opens a page, and never acts, by a verb of the palette", async () => {
    await using opened = await world.open("/");
    const { page } = opened;
    await press(page, "Control+k");
    await page.keyboard.type("decide");
    await page.getByRole("option", { name: /^Decide on/ }).waitFor();
    await press(page, "Enter");
    await page.waitForURL((url) => url.pathname === `/incidents/${incidentId}`);
    await page.getByRole("button", { name: "Accept…" }).waitFor();
    const { items } = await world.call<{ items: { verb: string }[] }>("audit.list", {});
    expect(items.some(({ verb }) => verb === "decisions.decide")).toBe(false);
  });

  it("sees every key of the page by ?, and closes the list by Escape", async () => {
    await using opened = await world.open("/incidents");
    const { page } = opened;
    await page.getByRole("heading", { name: "Incidents" }).waitFor();
    await press(page, "?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    for (const what of ["Overview", "Next incident", "Acknowledge the selected incident", "Search or command"])
      await keys.getByText(what, { exact: true }).waitFor();
    await press(page, "Escape");
    await keys.waitFor({ state: "detached" });
  });

  it("fires no key while typing in a field", async () => {
    await using opened = await world.open("/runs");
    const { page } = opened;
    await page.getByRole("searchbox", { name: "Search runs" }).fill("");
    await page.getByRole("searchbox", { name: "Search runs" }).focus();
    await page.keyboard.type("gi?");
    await page.waitForURL((url) => url.searchParams.get("q") === "gi?");
    expect(new URL(page.url()).pathname).toBe("/runs");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("skips the navigation with the first tab stop", async () => {
    await using opened = await world.open("/");
    const { page } = opened;
    await page.getByRole("banner").waitFor();
    await press(page, "Tab", "Enter");
    expect(await page.evaluate("document.activeElement?.tagName")).toBe("MAIN");
  });
});
