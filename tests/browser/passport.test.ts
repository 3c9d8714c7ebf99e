import type { CheckpointEntryPage, EvalPushAnswer, IncidentPage } from "@trainwatch/core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { seriousFaults } from "./axe.ts";
import { picture } from "./picture.ts";
import { CHECKPOINT_EVERY, PEAK, pushRlRun, resultsOf, RL_NAME, RL_STEPS } from "./seeded-checkpoints.ts";
import { judgedToTheEnd } from "./seeded-runs.ts";
import { openWorld, type World } from "./world.ts";

const BLIND_NAME = "rl-blind";

let world: World;
let runId = 0;
let blindRunId = 0;
/** The run's checkpoints by step. */
let idOf: ReadonlyMap<number, number> = new Map();
const at = (step: number): string => `/checkpoints/${idOf.get(step) ?? 0}`;

/** Waits until the over-optimisation detector has opened its incident. */
function turnSeen(): Promise<void> {
  return vi.waitFor(
    async () => {
      const { items } = await world.call<IncidentPage>("incidents.list", {});
      if (!items.some(({ title }) => title.includes("held-out score falls"))) throw new Error("no turning point so far");
    },
    { timeout: 120_000, interval: 250 },
  );
}

beforeAll(async () => {
  world = await openWorld();
  const endsAtMs = Date.now() - 60_000;
  runId = await pushRlRun(world, { endsAtMs });
  blindRunId = await pushRlRun(world, { endsAtMs, name: BLIND_NAME, heldOut: false });
  await turnSeen();
  await judgedToTheEnd(world);
  for (const step of [1_400, 2_000]) {
    const { refused } = await world.call<EvalPushAnswer>("ingest.evals", resultsOf(step, endsAtMs));
    expect(refused).toEqual([]);
  }
  const { items } = await world.call<CheckpointEntryPage>("checkpoints.registry", { runId, limit: 100 });
  idOf = new Map(items.map(({ step, checkpointId }) => [step, checkpointId]));
});
afterAll(() => world[Symbol.asyncDispose]());

describe("the registry of checkpoints", () => {
  it("lists those of every run, and leads to a passport by link and by keys", async () => {
    await using opened = await world.open("/checkpoints");
    const { page } = opened;
    const rows = page.getByRole("table", { name: "Checkpoints" }).getByRole("row");
    await rows.nth(1).waitFor();
    // Eleven places of a save in each of two runs; 200 to 800 belong to the first launch, and none lies in what it lost.
    expect(await rows.count()).toBe(1 + 2 * (RL_STEPS / CHECKPOINT_EVERY));
    await page.keyboard.press("j");
    await page.waitForURL((url) => url.searchParams.get("at") !== null);
    await page.keyboard.press("Enter");
    await page.getByText("checkpoint passport").waitFor();
    expect(opened.console.errors()).toEqual([]);
  });

  it("is filtered by its URL: by run, and by words", async () => {
    await using opened = await world.open(`/checkpoints?run=${runId}`);
    const { page } = opened;
    const rows = page.getByRole("table", { name: "Checkpoints" }).getByRole("row");
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(1 + RL_STEPS / CHECKPOINT_EVERY);
    await page.getByLabel("Search checkpoints").fill("nothing-like-this");
    await page.getByText("No checkpoint fits this search").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("nothing-like-this");
    await page.getByRole("link", { name: "Show all" }).click();
    await page.waitForURL((url) => url.search === "");
  });

  it("is filtered by state and by lineage, says so in its URL, and leads back from what nothing fits", async () => {
    await using opened = await world.open(`/checkpoints?run=${runId}`);
    const { page } = opened;
    const rows = page.getByRole("table", { name: "Checkpoints" }).getByRole("row");
    await rows.nth(1).waitFor();
    await page.getByRole("checkbox", { name: "verified" }).uncheck();
    await page.getByRole("checkbox", { name: "not checked" }).uncheck();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.nth(1).innerText()).toContain("incomplete");
    expect(new URL(page.url()).searchParams.get("state")).toBe('["incomplete"]');
    await page.getByRole("radio", { name: "Rolled back" }).click();
    await page.getByText("No checkpoint fits this search").waitFor();
    expect(new URL(page.url()).searchParams.get("lineage")).toBe("rolled-back");
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "Show all" }).click();
    await page.waitForURL((url) => url.search === "");
    await page.getByRole("radio", { name: "In effect" }).click();
    await expect.poll(() => rows.count()).toBe(1 + 2 * (RL_STEPS / CHECKPOINT_EVERY));
    expect(opened.console.errors()).toEqual([]);
  });

  it("is one key away from every page", async () => {
    await using opened = await world.open("/runs");
    await opened.page.getByRole("table", { name: "Runs" }).waitFor();
    await opened.page.keyboard.press("g");
    await opened.page.keyboard.press("c");
    await opened.page.waitForURL((url) => url.pathname === "/checkpoints");
  });

  it("shows how many results each has", async () => {
    await using opened = await world.open(`/checkpoints?q=${RL_NAME}`);
    const row = opened.page.getByRole("row", { name: /2,000/ });
    await row.waitFor();
    expect(await row.getByRole("cell").allInnerTexts()).toContain("7");
  });
});

describe("the passport of a checkpoint", () => {
  it("says of a later checkpoint that it is after the turning point, and shows where that lies", async () => {
    await using opened = await world.open(at(2_000), { colorScheme: "dark" });
    const { page } = opened;
    await page.getByRole("heading", { name: `${RL_NAME}, step 2,000` }).waitFor();
    const health = page.getByRole("region", { name: "Verdicts" }).locator("[data-verdict]").nth(2);
    await health.getByRole("heading", { name: "Training health before it" }).waitFor();
    await health.getByText("After the turning point", { exact: true }).waitFor();
    expect(await health.getAttribute("data-verdict")).toBe("critical");
    const stack = page.getByRole("figure", { name: /around this checkpoint/ });
    const band = stack.locator("[data-turn]");
    await band.waitFor();
    expect(Math.abs(Number(await band.getAttribute("data-turn")) - PEAK)).toBeLessThanOrEqual(300);
    expect(await stack.locator("[data-estimate]").count()).toBeGreaterThanOrEqual(RL_STEPS / 50 - 1);
    expect(await stack.locator("[data-part=here]").innerText()).toBe("2,000");
    await page.getByRole("table", { name: "Scores" }).getByRole("row").nth(1).waitFor();
    await picture(page, "passport");
    expect(opened.console.errors()).toEqual([]);
  });

  it("says of an earlier one that the turn came later, and nothing of a fault before it", async () => {
    await using opened = await world.open(at(1_000));
    await opened.page.locator("[data-turn]").waitFor();
    expect(await opened.page.getByText("After the turning point").count()).toBe(0);
  });

  it("hatches what nobody has looked at, with the reason", async () => {
    await using opened = await world.open(at(2_000));
    const { page } = opened;
    const corruption = page.getByRole("region", { name: "Verdicts" }).locator("[data-verdict]").nth(3);
    await corruption.waitFor();
    expect(await corruption.getAttribute("data-verdict")).toBe("unknown");
    expect((await corruption.locator(".hatched").boundingBox())?.height).toBeGreaterThan(0);
    expect((await corruption.innerText()).split("\n").filter((line) => line.trim() !== "").length).toBeGreaterThanOrEqual(3);
    expect(await page.getByRole("list", { name: "Open doubts" }).locator("[data-mark=unknown]").count()).toBeGreaterThan(0);
  });

  it("shows what its weights have seen: both launches, and the steps that were rolled back", async () => {
    await using opened = await world.open(at(2_000));
    const lineage = opened.page.getByRole("figure", { name: "What these weights have seen" });
    await lineage.waitFor();
    expect(await lineage.locator("[data-attempt]").evaluateAll((parts) => parts.map((part) => part.getAttribute("data-attempt")))).toEqual([
      "a1",
      "a2",
    ]);
    expect(await lineage.locator("[data-rolled-back]").count()).toBe(1);
  });

  it("lists its results with the value that is missing as missing, never as 0", async () => {
    await using opened = await world.open(at(2_000));
    const scores = opened.page.getByRole("table", { name: "Scores" });
    await scores.waitFor();
    const rows = await scores.getByRole("row").allInnerTexts();
    expect(rows).toHaveLength(8);
    const unscored = rows.find((row) => /truthful/i.test(row)) ?? "";
    expect(unscored).toContain("–");
    expect(unscored).not.toMatch(/\b0(\.0)?\b/);
  });

  it("goes to its neighbours by keys, and is shared by a link", async () => {
    await using opened = await world.open(at(1_400));
    const { page } = opened;
    await page.getByRole("link", { name: /Next 1,600/ }).waitFor();
    await page.keyboard.press("n");
    await page.waitForURL((url) => url.pathname === at(1_600));
    await page.getByRole("heading", { name: `${RL_NAME}, step 1,600` }).waitFor();
    await page.keyboard.press("p");
    await page.waitForURL((url) => url.pathname === at(1_400));
    await page.getByRole("button", { name: "Share" }).click();
    expect(await page.getByLabel("Link").inputValue()).toContain(`${at(1_400)}?tz=UTC`);
  });

  it.each([
    ["dark", 1_440],
    ["light", 1_440],
    ["light", 390],
  ] as const)("has nothing that axe finds serious, %s at %i px", async (colorScheme, width) => {
    await using opened = await world.open(at(2_000), { colorScheme, viewport: { width, height: 900 } });
    const { page } = opened;
    await page.getByRole("figure", { name: /around this checkpoint/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    // Nothing makes the page itself scroll sideways.
    expect(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")).toBe(true);
  });
});

describe("the post-training view of a run", () => {
  it("names the turning point, the checkpoint before it and the incident, and leads to both", async () => {
    await using opened = await world.open(`/runs/${runId}?tab=post-training`, { colorScheme: "dark" });
    const { page } = opened;
    const panel = page.getByRole("region", { name: "Turning point" });
    await panel.getByText(/Turned at step/).waitFor();
    const stack = page.getByRole("figure", { name: `Post-training of ${RL_NAME}` });
    await stack.locator("[data-turn]").waitFor();
    expect(await stack.locator("[data-lane]").count()).toBeGreaterThanOrEqual(6);
    await panel.getByRole("link", { name: /incident #/ }).waitFor();
    const legend = await page.locator("[data-part=drawn]").innerText();
    const whiskers = await stack.locator("[data-estimate] line").count();
    // What the log tells decides whether there are whiskers; their absence is said and not left to be taken for certainty.
    if (whiskers === 0) expect(legend).toContain("no whiskers, since their source tells no error");
    else expect(legend).toContain("95 % intervals");
    await page.getByRole("link", { name: "Trends" }).waitFor();
    await picture(page, "post-training");
    await panel.getByRole("link", { name: /passport/ }).click();
    await page.getByRole("heading", { level: 1, name: /, step / }).waitFor();
    const title = await page.getByRole("heading", { level: 1 }).innerText();
    const proposed = Number(title.replace(/^.*step /, "").replaceAll(",", ""));
    expect(proposed).toBeLessThanOrEqual(PEAK + 100);
    expect(proposed).toBeGreaterThanOrEqual(PEAK - 2 * CHECKPOINT_EVERY);
    expect(opened.console.errors()).toEqual([]);
  });

  it("says before anything else that over-optimisation cannot be seen without held-out results", async () => {
    await using opened = await world.open(`/runs/${blindRunId}?tab=post-training`);
    const { page } = opened;
    await page.getByRole("status").filter({ hasText: "over-optimisation cannot be seen" }).waitFor();
    const lane = page.locator("[data-lane=held-out]");
    await lane.locator(".hatched").waitFor();
    await page.getByText("No turning point can be told").waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it("is no tab of a run that is no post-training", async () => {
    const { runId: plain } = await world.push({
      source: "browser-test/pretraining",
      seq: 0,
      run: { project: "lab", name: "llm-plain" },
      series: [{ metric: "loss" }],
      columns: [{ series: 0, step: [1, 2, 3], value: [2.1, 2, 1.9] }],
    });
    await using opened = await world.open(`/runs/${plain}`);
    await opened.page.getByRole("tab", { name: "Charts" }).waitFor();
    await opened.page.getByRole("figure").waitFor();
    expect(await opened.page.getByRole("tab", { name: "Post-training" }).count()).toBe(0);
  });
});
