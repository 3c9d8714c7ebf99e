import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { incidentWithAdvice, ONSET, shiftedRun, STEPS } from "./seeded-runs.ts";
import { openWorld, type World } from "./world.ts";

const DAY_MS = 24 * 3_600_000;

let world: World;
let incidentId = 0;
let startedAtMs = 0;

beforeAll(async () => {
  world = await openWorld();
  startedAtMs = Date.now();
  await world.push(shiftedRun({ endsAtMs: startedAtMs }));
  incidentId = await incidentWithAdvice(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe("the URL is the state", () => {
  it("H1: a shared link shows two days later the steps that were on show, in the sender's zone", async () => {
    await using sender = await world.open(`/incidents/${incidentId}`);
    await sender.page.getByRole("figure").waitFor();
    await sender.page.getByRole("button", { name: "Share" }).click();
    const link = new URL(await sender.page.getByLabel("Link").inputValue());
    expect(link.searchParams.get("tz")).toBe("UTC");
    const from = Number(link.searchParams.get("from"));
    const to = Number(link.searchParams.get("to"));
    expect(from).toBeLessThan(ONSET);
    expect(to).toBe(STEPS);

    // The run goes on for two days; what is live would have moved on.
    await world.push(shiftedRun({ endsAtMs: startedAtMs + 2 * DAY_MS, firstStep: STEPS + 1, steps: 3_000, seq: 1 }));
    await using reader = await world.open(`${link.pathname}${link.search}`, { timezoneId: "Asia/Tokyo" });
    const stack = reader.page.getByRole("figure");
    await stack.waitFor();
    const hair = stack.getByRole("slider", { name: "Cross-hair" });
    expect([await hair.getAttribute("aria-valuemin"), await hair.getAttribute("aria-valuemax")]).toEqual([String(from), String(to)]);
    expect([...new URL(reader.page.url()).searchParams].toSorted()).toEqual([...link.searchParams].toSorted());
    expect(await reader.page.getByRole("contentinfo").getByText("all times UTC").isVisible()).toBe(true);
  });

  it.each([
    "/runs?q=llm&state=%5B%22running%22%2C%22silent%22%5D",
    "/runs?archived=true",
    "/incidents?view=all&severity=%5B%22critical%22%2C%22warning%22%5D",
    "/incidents?view=resolved",
    "/settings?tab=audit",
    "/incidents/1?from=1400&to=1600&tz=Europe%2FOslo",
  ])("%s survives a reload as it is", async (path) => {
    await using opened = await world.open(path);
    const { page } = opened;
    await page.getByRole("contentinfo").waitFor();
    const before = new URL(page.url());
    await page.reload();
    await page.getByRole("contentinfo").waitFor();
    expect(page.url()).toBe(before.href);
    expect([...before.searchParams].toSorted()).toEqual([...new URL(`${world.url}${path}`).searchParams].toSorted());
  });

  it("drops what a cut or old link cannot mean", async () => {
    await using opened = await world.open("/incidents?view=weekly&severity=%5B%22fatal%22%5D&run=-3&color=red");
    const { page } = opened;
    await page.getByRole("heading", { name: "Incidents" }).waitFor();
    expect(await page.getByRole("radio", { name: "Open", exact: true }).getAttribute("aria-checked")).toBe("true");
    expect(await page.getByRole("checkbox", { name: "Critical" }).isChecked()).toBe(true);
  });

  it("keeps the zone over all pages and puts it into the URL when it is chosen", async () => {
    await using opened = await world.open("/incidents");
    const { page } = opened;
    await page.getByRole("button", { name: /change the time zone/ }).click();
    await page.getByRole("radio", { name: "Another" }).click();
    await page.getByLabel("IANA name of the zone").fill("Nowhere/At_All");
    await page.getByRole("button", { name: "Use" }).click();
    await page.getByText("No such zone").waitFor();
    await page.getByLabel("IANA name of the zone").fill("Asia/Tokyo");
    await page.getByRole("button", { name: "Use" }).click();
    await page.waitForURL((url) => url.searchParams.get("tz") === "Asia/Tokyo");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Runs", exact: true }).first().click();
    await page.waitForURL((url) => url.pathname === "/runs" && url.searchParams.get("tz") === "Asia/Tokyo");
    await page.getByRole("contentinfo").getByText("all times GMT+9").waitFor();
  });

  it("goes back through what was looked at", async () => {
    await using opened = await world.open("/incidents");
    const { page } = opened;
    await page.getByRole("radio", { name: "All" }).click();
    await page.waitForURL((url) => url.searchParams.get("view") === "all");
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get("view") === null);
    expect(await page.getByRole("radio", { name: "Open", exact: true }).getAttribute("aria-checked")).toBe("true");
  });
});
