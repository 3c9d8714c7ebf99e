import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFaults } from "./axe.ts";
import { pagesUnderTest } from "./pages-under-test.ts";
import { smallRelease } from "./seeded-release.ts";
import { incidentWithAdvice, judgedToTheEnd } from "./seeded-runs.ts";
import { openWorld, type OpenedPage, type World } from "./world.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CLI = join(ROOT, "apps/cli/bin/trainwatch.mjs");

const POINTS = 1_000_000;
const SPIKE_STEP = 617_283;
const SPIKE = 9;
const RUN = "lab/llm-million";

/** A trainer's log of a million steps at 2.0 that spikes once to exactly 9 and does not come back. */
async function writeLog(path: string): Promise<void> {
  const file = createWriteStream(path);
  let state = 7;
  let chunk = "";
  for (let step = 1; step <= POINTS; step++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const jitter = 0.02 * (state / 2 ** 32 - 0.5);
    const since = step - SPIKE_STEP;
    const loss = since < 0 ? 2 + jitter : since === 0 ? SPIKE : 2.3 + 2 * Math.exp(-since / 20) + jitter;
    chunk += `{"step":${step},"loss":${loss.toFixed(4)}}\n`;
    if (step % 10_000 === 0) {
      if (!file.write(chunk)) await once(file, "drain");
      chunk = "";
    }
  }
  file.end(chunk);
  await once(file, "finish");
}

let world: World;
let folder = "";
let incidentId = 0;

beforeAll(async () => {
  world = await openWorld();
  folder = await mkdtemp(join(tmpdir(), "trainwatch-story-"));
  const log = join(folder, "train.jsonl");
  await writeLog(log);
  const { stdout } = await promisify(execFile)(process.execPath, [
    CLI,
    "import",
    log,
    "--run",
    RUN,
    "--gpus",
    "1024",
    "--checkpoint-every",
    "100000",
    "--url",
    world.url,
    "--token",
    world.token,
  ]);
  expect(stdout).toContain("1,000,000 accepted");
  incidentId = await incidentWithAdvice(world);
  await judgedToTheEnd(world);
  await smallRelease(world);
}, 600_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function openRun(viewport: { readonly width: number; readonly height: number }): Promise<OpenedPage> {
  const opened = await world.open("/runs/1", { viewport });
  await opened.page.getByRole("figure").waitFor();
  return opened;
}

describe("a real log from the import to the decision", () => {
  it("shows the extreme of a million points at its exact step at 800 px", async () => {
    await using opened = await openRun({ width: 800, height: 900 });
    const { page } = opened;
    const slider = page.getByRole("slider", { name: "Cross-hair" });
    await expect.poll(() => slider.getAttribute("aria-valuemax"), { timeout: 30_000 }).toBe(String(POINTS));
    const box = await slider.boundingBox();
    if (box === null) throw new Error("the cross-hair has no place on the page");
    await page.mouse.move(box.x + (SPIKE_STEP / POINTS) * box.width, box.y + 60);
    const tooltip = page.locator("[data-part=tooltip]");
    await tooltip.getByText(`Step ${SPIKE_STEP.toLocaleString("en-US")}`).waitFor();
    await tooltip.getByText(/^9\.000/).waitFor();
    expect(opened.console.errors()).toEqual([]);
  });

  it("opens the incident from the run, accepts the proposal with a reason and finds the decision in the audit trail", async () => {
    await using opened = await openRun({ width: 1_440, height: 900 });
    const { page } = opened;
    await page.getByRole("link", { name: /^Open incident #/ }).click();
    await page.waitForURL((url) => url.pathname === `/incidents/${incidentId}`);
    await page.getByText(`Step ${SPIKE_STEP.toLocaleString("en-US")}`, { exact: true }).waitFor();
    await page
      .getByRole("heading", { name: /^Against/ })
      .last()
      .waitFor();
    await page.getByRole("figure").waitFor();

    await page.getByRole("button", { name: "Accept…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Accept .* for llm-million/ });
    const confirm = dialog.getByRole("button", { name: "Accept" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Reason, for the record").fill("The level did not come back.");
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type the run's name/).fill("llm-million");
    await confirm.click();
    await dialog.waitFor({ state: "detached" });
    await page
      .getByText(/The level did not come back\./)
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "Accept…" }).count()).toBe(0);

    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("tab", { name: "Audit trail" }).click();
    const entry = page.getByRole("row").filter({ hasText: "decisions.decide" });
    await entry.waitFor();
    expect(await entry.textContent()).toContain(`incident:${incidentId}`);
    expect(await entry.textContent()).toContain("The level did not come back.");
    expect(opened.console.errors()).toEqual([]);
  });

  it("takes one decision on a proposal and tells the second person of the first", async () => {
    const { decisions } = await world.call<{ decisions: { adviceId: number }[] }>("incidents.get", { incidentId });
    const again = { adviceId: decisions[0]?.adviceId, verdict: "declined", reason: "second thoughts" };
    await expect(world.call("decisions.decide", again)).rejects.toThrow("409");
  });
});

describe.each([
  ["dark", 1_440],
  ["light", 1_440],
  ["dark", 390],
] as const)("in the %s theme at %i px", (colorScheme, width) => {
  it.each(pagesUnderTest(1, 1))("axe finds nothing serious on $name and the console stays silent", async ({ path }) => {
    await using opened = await world.open(path, { colorScheme, viewport: { width, height: 900 } });
    const { page } = opened;
    await page.getByRole("contentinfo", { name: "System status" }).getByText("Live", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("status", { name: /^Loading/ }).count(), { timeout: 20_000 }).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    expect(opened.console.errors()).toEqual([]);
  });
});

describe("a page of this server", () => {
  it("asks nobody else for anything", async () => {
    await using opened = await world.open("/no-such-page");
    const { page } = opened;
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).host !== new URL(world.url).host && !request.url().startsWith("data:")) foreign.push(request.url());
    });
    for (const { path } of pagesUnderTest(1, 1)) {
      await page.goto(`${world.url}${path}`);
      await page.getByRole("contentinfo").getByText("Live", { exact: true }).waitFor();
    }
    expect(foreign).toEqual([]);
  });
});
