import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shiftedRun, STEPS } from "./seeded-runs.ts";
import { openWorld, type World } from "./world.ts";

/** New points are on the page within two seconds; a lost connection is told within ten. */
const NEW_POINTS_MS = 2_000;
const LOSS_TOLD_MS = 10_000;

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.push(shiftedRun({ shift: 0, endsAtMs: Date.now() }));
});
afterAll(() => world[Symbol.asyncDispose]());

describe("a live page", () => {
  it("shows new points within two seconds and without a reload", async () => {
    await using opened = await world.open("/runs");
    const { page } = opened;
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("2,000 / 10,000").waitFor();
    const pushedAtMs = Date.now();
    await world.push(shiftedRun({ shift: 0, endsAtMs: pushedAtMs, firstStep: STEPS + 1, steps: 10, seq: 1 }));
    await page.getByText("2,010 / 10,000").waitFor();
    expect(Date.now() - pushedAtMs).toBeLessThan(NEW_POINTS_MS + 500);
    expect(opened.console.errors()).toEqual([]);
  });

  it("tells of a lost connection within ten seconds and goes on when the server is back", async () => {
    await using lone = await openWorld();
    await lone.push(shiftedRun({ shift: 0, endsAtMs: Date.now() }));
    await using opened = await lone.open("/runs");
    const { page } = opened;
    await page.getByText("Live", { exact: true }).waitFor();
    await lone.server().stop();
    const stoppedAtMs = Date.now();
    await page.getByText(/^Connection lost .* ago, trying again$/).waitFor();
    expect(Date.now() - stoppedAtMs).toBeLessThan(LOSS_TOLD_MS);
    expect(await page.getByRole("contentinfo").getByText("Offline").isVisible()).toBe(true);
    await lone.server().startAgain();
    await page.getByText(/^Connection lost/).waitFor({ state: "detached" });
    await page.getByRole("contentinfo").getByText("Live", { exact: true }).waitFor();
  });

  it("offers to reload when the server is another version than the page", async () => {
    await using opened = await world.open("/runs");
    const { page } = opened;
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.getByText(/The server is now version/).count()).toBe(0);
    await page.route("**/trpc/**", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: text.replace(/"version":"[^"]*"/, '"version":"99.0.0"') });
    });
    await page.getByText("The server is now version 99.0.0; this page is older and may not show all of it.").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.getByText(/The server is now version/).count()).toBe(0);
  });

  it("says stale, with the age, when no active run is sending", async () => {
    await using lone = await openWorld({ now: () => Date.now() });
    await lone.push(shiftedRun({ shift: 0, endsAtMs: Date.now() }));
    await using opened = await lone.open("/");
    const { page } = opened;
    await page.getByRole("table", { name: "Runs" }).waitFor();
    await page.route("**/trpc/**status.get**", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replace(/"runsReporting":\d+/, '"runsReporting":0').replace(/"runsActive":\d+/, '"runsActive":1'),
      });
    });
    await page.getByText(/^Stale last sample .* ago/).waitFor();
  });
});
