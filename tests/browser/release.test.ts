import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FrozenDifference, FrozenRelease, GateInput, ReleaseDetail, ReleaseSummary } from "@trainwatch/core";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFaults } from "./axe.ts";
import { picture } from "./picture.ts";
import { seedEvaluations, seedReevaluation, type SeededEvaluations } from "./seeded-release.ts";
import { openWorld, type World } from "./world.ts";

const DARK = { colorScheme: "dark" } as const;
const LONG = "Long documents, 128k|acc|";
/** A comparison of some thousand samples is made anew, on a machine that does other things too. */
const LIVE_MS = 20_000;

let world: World;
let seeded: SeededEvaluations;
const candidate = (step: number): number => seeded.candidates.get(step) ?? 0;

beforeAll(async () => {
  world = await openWorld();
  seeded = await seedEvaluations(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const grid = (page: Page): Locator => page.getByRole("grid");
const rowsShown = (page: Page): Promise<number> => grid(page).locator("[data-row]").count();
const dialog = (page: Page): Locator => page.getByRole("dialog");

describe("a release from the choice to the signature", () => {
  let releaseId = 0;
  let frozen: FrozenRelease;

  it("chooses a baseline and two candidates among the scorecards", async () => {
    await using opened = await world.open("/releases", DARK);
    const { page } = opened;
    await page.getByText("No checkpoints have been compared yet", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Compare checkpoints…" }).first().click();
    const form = dialog(page);
    await form.getByLabel("Name", { exact: true }).fill("chat-70b 2.4 rc");
    await form.getByLabel("Who signs, by role").fill("Safety, Owner");
    expect(await form.getByRole("button", { name: "Compare", exact: true }).isDisabled()).toBe(true);
    await form.getByRole("button", { name: "chat-70b 2.3 as baseline" }).click();
    await form.getByLabel("Find scorecards by run, model or step").fill("rl-70b-chat");
    await form.getByRole("button", { name: "chat-70b 2.3 as candidate" }).waitFor({ state: "detached" });
    await form.getByRole("button", { name: "lab/rl-70b-chat, step 1,800 as candidate" }).click();
    await form.getByRole("button", { name: "lab/rl-70b-chat, step 2,200 as candidate" }).click();
    expect(await seriousFaults(page)).toEqual([]);
    await form.getByRole("button", { name: "Compare", exact: true }).click();
    await page.waitForURL((url) => /^\/releases\/\d+$/.test(url.pathname));
    releaseId = Number(new URL(page.url()).pathname.split("/").at(-1));
    await grid(page).waitFor();
    expect(await grid(page).getByRole("columnheader").count()).toBe(5);
    await page.getByRole("heading", { name: /^Proposed: A, step 1,800/ }).waitFor();
    expect(opened.console.errors()).toEqual([]);
  });

  it("filters to regressions, and the address says so", async () => {
    await using opened = await world.open(`/releases/${releaseId}`, DARK);
    const { page } = opened;
    await grid(page).waitFor();
    const all = await rowsShown(page);
    await page.getByRole("radio", { name: /^Regressions \d/ }).click();
    await page.waitForURL((url) => url.searchParams.get("show") === "regressions");
    await expect.poll(() => rowsShown(page)).toBeLessThan(all);
    const shown = await grid(page).locator("[data-row]").all();
    expect(shown.length).toBeGreaterThan(0);
    for (const row of shown) expect(await row.locator("[data-verdict=worse]").count()).toBeGreaterThan(0);
    const label = await page.getByRole("radio", { name: /^Regressions/ }).textContent();
    expect(label).toBe(`Regressions ${shown.length}`);
  });

  it("opens a lost sample with both answers side by side", async () => {
    await using opened = await world.open(`/releases/${releaseId}?show=regressions`, DARK);
    const { page } = opened;
    await grid(page).locator(`[data-row="${LONG}"] [data-column="2"]`).click();
    const cell = page.getByRole("complementary", { name: "The selected cell" });
    await cell.getByText(/lost, \d+ won of 400 common samples/).waitFor();
    await cell.getByText(/after the correction over the whole comparison/).waitFor();
    await cell.getByRole("radio", { name: /^Lost \d/ }).click();
    const samples = cell.getByRole("table", { name: "Samples" });
    await samples.getByRole("link").first().click();
    const read = dialog(page);
    await read
      .getByRole("region", { name: "Asked" })
      .getByText(/Which supplier had the lowest unit price/)
      .waitFor();
    await read
      .getByRole("region", { name: "Baseline", exact: true })
      .last()
      .getByText(/The answer is/)
      .waitFor();
    expect(await read.locator("mark").count()).toBeGreaterThan(0);
    expect(await seriousFaults(page)).toEqual([]);
    expect(new URL(page.url()).searchParams.get("sample")).toMatch(/^Long documents, 128k-\d+$/);
    const first = await read.getByRole("heading").first().textContent();
    await read.getByRole("button", { name: "Next sample" }).click();
    await expect.poll(() => read.getByRole("heading").first().textContent()).not.toBe(first);
    await page.keyboard.press("Escape");
    await read.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await cell.waitFor({ state: "detached" });
    expect(opened.console.errors()).toEqual([]);
  });

  it("fixes a gate, sees it fail, and cannot sign against it", async () => {
    await using opened = await world.open(`/releases/${releaseId}?ship=${candidate(2_200)}`, DARK);
    const { page } = opened;
    await page.getByRole("button", { name: "Fix gates…" }).click();
    const form = dialog(page);
    await form.getByLabel("Row of gate 1").selectOption(LONG);
    await form.getByLabel("Most lost, pp, gate 1").fill("2");
    await form.getByRole("button", { name: "Add a gate" }).click();
    await form.getByLabel("Kind of gate 2").selectOption("worse-rows");
    await form.getByLabel("Most rows worse, gate 2").fill("20");
    await form.getByRole("button", { name: "Fix 2 gates" }).click();
    await form.waitFor({ state: "detached" });
    const gates = page.getByRole("table", { name: "Gates" });
    await gates.getByRole("img", { name: "fail" }).waitFor();
    await page.getByText(/criteria fixed after [\d,]+ results were there/).waitFor();
    await page.getByText(/^Cannot be signed: B does not pass “.*Long documents, 128k.*”/).waitFor();
    expect(await page.getByRole("button", { name: "Sign as Safety…" }).isDisabled()).toBe(true);
    const refused = world.call("releases.sign", { releaseId, scorecardId: candidate(2_200), role: "Safety", signedAs: "A. Petrov" });
    await expect(refused).rejects.toThrow(/Long documents, 128k/);
  });

  it("overrides it with a reason, signs, and keeps a frozen copy under its hash", async () => {
    await using opened = await world.open(`/releases/${releaseId}?ship=${candidate(2_200)}`, DARK);
    const { page } = opened;
    await page.getByRole("button", { name: /Long documents, 128k.*fail; override…$/ }).click();
    const why = dialog(page);
    await why.getByLabel("Because").fill("too short");
    await why.getByText(/1 more character/).waitFor();
    expect(await why.getByRole("button", { name: "Override" }).isDisabled()).toBe(true);
    await why.getByLabel("Because").fill("Long documents are served by another model.");
    await why.getByRole("button", { name: "Override" }).click();
    await why.waitFor({ state: "detached" });
    await page.getByText("“Long documents are served by another model.”").waitFor();
    await page.getByRole("table", { name: "Gates" }).getByText("override", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Sign as Safety…" }).click();
    const form = dialog(page);
    await form.getByLabel("Your name").fill("A. Petrov");
    await form.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByRole("list", { name: "Signatures" }).getByText("A. Petrov").waitFor();
    await page.getByText(/^sha256 [0-9a-f]{8}…$/).waitFor();
    await page.getByRole("heading", { name: /^Ship B, step 2,200/ }).waitFor();
    expect(await page.getByRole("button", { name: "Change gates…" }).isDisabled()).toBe(true);
    frozen = await world.call<FrozenRelease>("releases.frozen", { releaseId });
    expect(createHash("sha256").update(frozen.body).digest("hex")).toBe(frozen.hash);
    expect(frozen.body).toContain("Long documents are served by another model.");
    expect(opened.console.errors()).toEqual([]);
  });

  it("stays as it was signed when new results come, and names what has changed", async () => {
    await seedReevaluation(world, { share: 0.7, days: 5 });
    await using opened = await world.open(`/releases/${releaseId}`, DARK);
    const { page } = opened;
    await page.getByText("1 row has changed since it was signed. The signed copy stands as it was.").waitFor();
    expect(await world.call<FrozenRelease>("releases.frozen", { releaseId })).toEqual(frozen);
    const changes = await world.call<readonly FrozenDifference[]>("releases.frozenDiff", { releaseId });
    expect(changes.map(({ key, letter }) => `${key} ${letter}`)).toEqual([`${LONG} B`]);

    await page.getByRole("button", { name: "1 row has changed since…" }).click();
    const table = dialog(page).getByRole("table", { name: "Changed since it was signed" });
    const row = table.getByRole("row").nth(1);
    await row.getByText(/Long documents, 128k/).waitFor();
    expect(await row.textContent()).toMatch(/B.*worse.*%/);
    await dialog(page).getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "Frozen copy…" }).click();
    await dialog(page).getByText(`sha256 ${frozen.hash}`).waitFor();
    await dialog(page).getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "Sign as Owner…" }).click();
    await dialog(page).getByLabel("Your name").fill("Y. Tanaka");
    await dialog(page).getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByText("2 of 2 signed").waitFor();
    expect(await world.call<FrozenRelease>("releases.frozen", { releaseId })).toEqual(frozen);
    const { signatures } = await world.call<ReleaseDetail>("releases.get", { releaseId });
    expect(new Set(signatures.map(({ hash }) => hash))).toEqual(new Set([frozen.hash]));
  });

  it("is listed with who has signed, and can no longer be deleted", async () => {
    await using opened = await world.open("/releases", DARK);
    const { page } = opened;
    const row = page.getByRole("table", { name: "Releases" }).getByRole("row").nth(1);
    await row.getByText("2 of 2").waitFor();
    expect(await row.getByRole("button", { name: /^Delete/ }).isDisabled()).toBe(true);
    expect(await seriousFaults(page)).toEqual([]);
  });
});

describe("a release of three candidates", () => {
  let releaseId = 0;

  beforeAll(async () => {
    const made = await world.call<ReleaseSummary>("releases.create", {
      name: "chat-70b 2.4",
      baselineId: seeded.baseline,
      candidateIds: [candidate(1_400), candidate(1_800), candidate(2_200)],
      signers: ["Safety", "Serving", "Owner"],
    });
    releaseId = made.releaseId;
    const gates: readonly GateInput[] = [
      { kind: "limit", row: "xstest_unsafe|compliance_rate|", bound: "at-most", value: 0.015 },
      { kind: "limit", row: "Schema-valid calls|acc|", bound: "at-least", value: 0.97 },
      { kind: "worse-rows", dimension: "capability", most: 0 },
      { kind: "limit", row: "Serving|latency_p95|", bound: "at-most", value: 2.5 },
      { kind: "verified" },
      { kind: "before-turning-point" },
    ];
    await world.call("releases.fixGates", { releaseId, gates });
    const { gateViews } = await world.call<ReleaseDetail>("releases.get", { releaseId });
    const reason = "New decode kernel ships first; measured 2.2 s with it.";
    for (const { gateId, cells } of gateViews) {
      if (cells.some(({ column, state }) => column === 2 && state !== "pass"))
        await world.call("releases.overrideGate", { releaseId, gateId, scorecardId: candidate(1_800), reason });
    }
    for (const [role, signedAs] of [
      ["Safety", "A. Petrov"],
      ["Serving", "S. Haddad"],
    ])
      await world.call("releases.sign", { releaseId, scorecardId: candidate(1_800), role, signedAs });
  });

  it.each([
    ["dark", 1_440],
    ["light", 1_440],
    ["dark", 390],
  ] as const)("is read without a fault in the %s theme at %i px", async (colorScheme, width) => {
    await using opened = await world.open(`/releases/${releaseId}`, { colorScheme, viewport: { width, height: 900 } });
    const { page } = opened;
    await grid(page).waitFor();
    await page.getByRole("img", { name: /against/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    expect(inner).toBe(outer);
    if (colorScheme === "dark" && width === 1_440) await picture(page, "release");
    expect(opened.console.errors()).toEqual([]);
  });

  it("shows without scrolling who has signed, who has yet to, and what was frozen, however many criteria there are", async () => {
    await using opened = await world.open(`/releases/${releaseId}`, { ...DARK, viewport: { width: 1_440, height: 900 } });
    const { page } = opened;
    const gates = page.getByRole("table", { name: "Gates" });
    await gates.waitFor();
    // A criterion's words take two lines at most, and none of them is cut.
    for (const row of await gates.getByRole("row").all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(42);
    const cut = await gates.evaluate((table) =>
      [...table.querySelectorAll("td, td *")]
        .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
        .map((part) => part.textContent),
    );
    expect(cut).toEqual([]);
    // The last candidate is the one that fails: its column must not be pushed out of sight by words.
    for (const head of await gates.getByRole("columnheader").all()) {
      const box = await head.boundingBox();
      expect((box?.x ?? Number.POSITIVE_INFINITY) + (box?.width ?? 0)).toBeLessThanOrEqual(1_440);
    }
    const foot = (await page.getByRole("contentinfo", { name: "System status" }).boundingBox())?.y ?? 0;
    const bottomOf = async (what: Locator): Promise<number> => {
      const box = await what.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
    };
    expect(await bottomOf(page.getByRole("list", { name: "Signatures" }).getByText("Owner"))).toBeLessThanOrEqual(foot);
    expect(await bottomOf(page.getByRole("button", { name: "Sign as Owner…" }))).toBeLessThanOrEqual(foot);
    expect(await bottomOf(page.getByText(/^sha256 [0-9a-f]{8}…$/))).toBeLessThanOrEqual(foot);
  });

  it("says of what breaks what was asked and what was said instead, and asks once for all that it shows", async () => {
    await using opened = await world.open("/settings", DARK);
    const asked: string[] = [];
    opened.page.on("request", (request) => void asked.push(...(request.url().match(/releases\.(?:answers|sample)\b/g) ?? [])));
    await opened.page.goto(`${world.url}/releases/${releaseId}`);
    const table = opened.page.getByRole("table", { name: "What B breaks" });
    await table
      .getByText(/^“Which supplier had the lowest unit price .*” Supplier \d+, by the row above\.$/)
      .first()
      .waitFor();
    expect(asked).toEqual(["releases.answers"]);
  });

  it("V2: names what differs where two cannot be compared, and judges them only once a person has allowed it", async () => {
    const made = await world.call<ReleaseSummary>("releases.create", {
      name: "measured otherwise",
      baselineId: seeded.baseline,
      candidateIds: [candidate(1_400)],
    });
    await using opened = await world.open(`/releases/${made.releaseId}?show=not-comparable`, DARK);
    const { page } = opened;
    const cell = grid(page).locator('[data-row="Five-turn agent tasks|acc|"] [data-column="1"]');
    await cell.getByText("Not comparable: n-shot").waitFor();
    expect(await cell.locator("circle").count()).toBe(0);
    await cell.click();
    const settings = page.getByRole("table", { name: "Settings that differ" });
    expect(await settings.textContent()).toMatch(/n-shot5/);
    await page.getByRole("button", { name: "Allow comparison…" }).click();
    await dialog(page).getByLabel("Because").fill("The task is the same, zero-shot is how it is served.");
    await dialog(page).getByRole("button", { name: "Allow comparison" }).click();
    await page.getByText(/comparison allowed in spite of what differs/).waitFor();
    await page.getByText("“The task is the same, zero-shot is how it is served.”").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("No row fits this filter").waitFor();
    await page.getByRole("button", { name: "Show all rows" }).click();
    await cell.getByRole("img", { name: "comparison allowed" }).waitFor();
  });

  it("is walked over by keys", async () => {
    await using opened = await world.open(`/releases/${releaseId}`, DARK);
    const { page } = opened;
    await grid(page).waitFor();
    const selected = (): string | null => new URL(page.url()).searchParams.get("row");
    await page.keyboard.press("j");
    await expect.poll(selected).not.toBeNull();
    const first = selected();
    await page.keyboard.press("j");
    await expect.poll(selected).not.toBe(first);
    await page.keyboard.press("k");
    await expect.poll(selected).toBe(first);
    const before = new URL(page.url()).searchParams.get("column");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => new URL(page.url()).searchParams.get("column")).not.toBe(before);
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "The selected cell" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: "Decision" }).waitFor();
    await grid(page).focus();
    await page.keyboard.press("End");
    await expect.poll(selected).toBe("Solved task|cost|");
    const pointed = await grid(page).getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${pointed}"]`).getAttribute("title")).toMatch(/cost/i);
  });

  it("goes away as a file and onto paper with every row", async () => {
    await using opened = await world.open(`/releases/${releaseId}`);
    const { page } = opened;
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Markdown" }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.md$/);
    const text = await readFile(await download.path(), "utf8");
    expect(text).toContain("A. Petrov");
    expect(text).toContain("New decode kernel ships first");
    await page.setViewportSize({ width: 1_440, height: 400 });
    const rows = await rowsShown(page);
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const printed = await rowsShown(page);
    expect(printed).toBeGreaterThanOrEqual(rows);
    const [inner, outer] = await grid(page).evaluate((element) => [element.scrollHeight, element.clientHeight]);
    expect(inner).toBe(outer);
  });

  it("shows the trend of every measure over the run's checkpoints, with where it was best", async () => {
    await using opened = await world.open("/releases", DARK);
    const { page } = opened;
    await page.getByRole("link", { name: "Trends" }).click();
    await page.getByRole("link", { name: "lab/rl-70b-chat" }).click();
    await page.waitForURL((url) => url.searchParams.get("run") !== null);
    await page.getByRole("img", { name: /^Math problems over 3 checkpoints/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(opened.console.errors()).toEqual([]);
  });

  it("moves with results that come while it is open, and so do the trends of the run", async () => {
    await using opened = await world.open(`/releases/${releaseId}`, DARK);
    await using beside = await world.open("/releases/trends", DARK);
    const cell = grid(opened.page).locator(`[data-row="${LONG}"] [data-column="3"]`);
    await cell.waitFor();
    const before = await cell.getAttribute("title");
    await beside.page.getByRole("link", { name: "lab/rl-70b-chat" }).click();
    const trend = beside.page.getByRole("img", { name: /^Long documents, 128k over / });
    await trend.waitFor();
    const drawn = await trend.getAttribute("aria-label");
    for (const { page } of [opened, beside]) await page.getByText("Live", { exact: true }).waitFor();
    await seedReevaluation(world, { share: 0.5, days: 6 });
    await expect.poll(() => cell.getAttribute("title"), { timeout: LIVE_MS }).not.toBe(before);
    await expect.poll(() => trend.getAttribute("aria-label"), { timeout: LIVE_MS }).not.toBe(drawn);
    expect([...opened.console.errors(), ...beside.console.errors()]).toEqual([]);
  });
});
