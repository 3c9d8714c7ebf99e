import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ReleaseDetail, ReleaseRow } from "@trainwatch/core";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importLogs } from "../../apps/cli/src/commands/import.ts";
import { runCli } from "../../apps/cli/src/frame/run-cli.ts";
import { createTestIo } from "../../apps/cli/src/frame/test-io.fixture.ts";
import { CORPUS_FOLDER, hasCorpus } from "../corpora/corpus-folder.ts";
import { seriousFaults } from "./axe.ts";
import { rawResults, rawVerdicts, zBetween } from "./raw-results.ts";
import { openWorld, type World } from "./world.ts";

/** Checkpoints of one run, Pythia 160m: the best one about the middle, and two after it. */
const STEPS = [63_000, 103_000, 133_000] as const;
const FILES = STEPS.map((step) => join(CORPUS_FOLDER, `checkpoint_eval/pythia-160m_zeroshot/160m_step${step}.json`));
const RUN = "lab/pythia-160m";
const LAMBADA = "lambada_openai|acc|";
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;
/** Git-ignored: real results are not ours to publish. */
const OUTPUT = join(import.meta.dirname, "output");

const grid = (page: Page): Locator => page.getByRole("grid");
const cellOf = (page: Page, row: string, column: number): Locator => grid(page).locator(`[data-row="${row}"] [data-column="${column}"]`);

async function picture(page: Page, name: string): Promise<void> {
  if (process.env["TRAINWATCH_SCREENSHOTS"] !== "1") return;
  await mkdir(OUTPUT, { recursive: true });
  await page.screenshot({ path: join(OUTPUT, `${name}.png`) });
}

describe.skipIf(!hasCorpus)("a real comparison of three checkpoints of one run (skipped where the corpus folder is absent)", () => {
  let world: World;
  let releaseId = 0;
  let detail: ReleaseDetail;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const raw = () => FILES.map(rawResults);
  const keyOf = ({ task, metric }: ReleaseRow): string => `${task}|${metric}`;

  it("brings their results files in by the import command", async () => {
    const io = createTestIo();
    const code = await runCli(["import", ...FILES, "--run", RUN, "--url", world.url, "--token", world.token, "--json"], [importLogs], io);
    expect([code, io.written.err]).toEqual([0, ""]);
    const { evals } = JSON.parse(io.written.out);
    // Without MMLU's means, which the product makes.
    expect(evals.map((sent: Record<string, unknown>) => sent["accepted"])).toEqual(raw().map((results) => results.size - 2));
  });

  it("compares them as a person chooses them", async () => {
    await using opened = await world.open("/releases", { colorScheme: "dark" });
    const { page } = opened;
    await page.getByRole("button", { name: "Compare checkpoints…" }).first().click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill("pythia-160m, which step");
    await form.getByLabel("Who signs, by role").fill("Owner");
    await form.getByRole("button", { name: `${RUN}, step 63,000 as baseline` }).click();
    for (const step of ["103,000", "133,000"]) await form.getByRole("button", { name: `${RUN}, step ${step} as candidate` }).click();
    await form.getByRole("button", { name: "Compare", exact: true }).click();
    await page.waitForURL((url) => /^\/releases\/\d+$/.test(url.pathname));
    releaseId = Number(new URL(page.url()).pathname.split("/").at(-1));
    await grid(page).waitFor();
    expect(opened.console.errors()).toEqual([]);
    detail = await world.call<ReleaseDetail>("releases.get", { releaseId });
  });

  it("has every result of the files, with the p of each and Holm's correction over all of them as they follow from the text", () => {
    const results = raw();
    const [baseline, ...candidates] = results;
    if (baseline === undefined) throw new Error("no files");
    const verdicts = rawVerdicts(baseline, candidates);
    expect(detail.comparison.rows.map(keyOf).toSorted()).toEqual([...verdicts.keys()].toSorted());
    expect(detail.comparison.family.tests).toBe(verdicts.size * candidates.length);
    for (const row of detail.comparison.rows)
      for (const [column, cell] of row.cells.entries()) {
        const key = keyOf(row);
        expect([key, column, cell.value]).toEqual([key, column, expect.closeTo(results[column]?.get(key)?.value ?? Number.NaN, 12)]);
        const expected = verdicts.get(key)?.[column - 1];
        if (expected === undefined) continue;
        expect([key, column, cell.p, cell.adjustedP, cell.verdict]).toEqual([
          key,
          column,
          expect.closeTo(expected.p, 6),
          expect.closeTo(expected.adjusted, 6),
          expected.verdict,
        ]);
      }
  });

  it("ties what the errors do not tell apart, and parts what they do", () => {
    const results = raw();
    let [tied, parted] = [0, 0];
    for (const { task, metric, better, order, tieGroups } of detail.comparison.rows) {
      const key = `${task}|${metric}`;
      if (better === "none") {
        expect([key, order]).toEqual([key, []]);
        continue;
      }
      for (const [first, second] of PAIRS) {
        const [one, other] = [results[first]?.get(key), results[second]?.get(key)];
        if (one === undefined || other === undefined) throw new Error(`${key} is in no file`);
        const isTied = tieGroups.some((group) => group.includes(first) && group.includes(second));
        const z = zBetween(one, other);
        // All three pairs at once: stricter than a test alone (1.96), and no stricter than Bonferroni (2.39).
        if (z < 1.95) expect([key, first, second, isTied]).toEqual([key, first, second, true]);
        if (z > 2.4) expect([key, first, second, isTied]).toEqual([key, first, second, false]);
        tied += Number(z < 1.95);
        parted += Number(z > 2.4);
      }
    }
    expect(tied).toBeGreaterThan(400);
    expect(parted).toBeGreaterThan(5);
  });

  it("shows the regressions, their brackets and what is worse in words", async () => {
    await using opened = await world.open(`/releases/${releaseId}`, { colorScheme: "dark" });
    const { page } = opened;
    await grid(page).waitFor();
    // Means alone are told: nothing is paired.
    await page.getByText(`verdict. Unpaired tests, Holm over ${detail.comparison.family.tests}.`).waitFor();
    await picture(page, "real-comparison");
    const [baseline, ...candidates] = raw();
    if (baseline === undefined) throw new Error("no files");
    const worse = [...rawVerdicts(baseline, candidates)].filter(([, of]) => of.some(({ verdict }) => verdict === "worse"));
    expect(worse.length).toBeGreaterThan(1);
    await page.getByRole("radio", { name: `Regressions ${worse.length}` }).click();
    await expect.poll(() => grid(page).locator("[data-row]").count()).toBe(worse.length);
    const shown = await grid(page)
      .locator("[data-row]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row")));
    expect(shown.map((key) => key?.split("|").slice(0, 2).join("|")).toSorted()).toEqual(worse.map(([key]) => key).toSorted());
    expect(await cellOf(page, LAMBADA, 2).getAttribute("data-verdict")).toBe("worse");
    const order = detail.comparison.rows.find(({ key }) => key === LAMBADA);
    expect(order?.order).toEqual([0, 1, 2]);
    await grid(page)
      .locator(`[data-row="${LAMBADA}"]`)
      .getByText(/^Best first: P, A, B/)
      .waitFor();
    await cellOf(page, LAMBADA, 2).click();
    await page
      .getByRole("complementary", { name: "The selected cell" })
      .getByText(/after the correction over the whole comparison/)
      .waitFor();
    await page.getByText("No sample in common", { exact: true }).waitFor();
    await picture(page, "real-comparison-regressions");
    expect(await seriousFaults(page)).toEqual([]);
    expect(opened.console.errors()).toEqual([]);
  });

  it("holds a gate against each candidate by the bound that the two errors give", async () => {
    await using opened = await world.open(`/releases/${releaseId}`, { colorScheme: "dark" });
    const { page } = opened;
    await page.getByRole("button", { name: "Fix gates…" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Row of gate 1").selectOption(LAMBADA);
    await form.getByLabel("Most lost, pp, gate 1").fill("6");
    await form.getByRole("button", { name: "Add a gate" }).click();
    await form.getByLabel("Kind of gate 2").selectOption("worse-rows");
    await form.getByLabel("Most rows worse, gate 2").fill("0");
    await form.getByRole("button", { name: "Fix 2 gates" }).click();
    await form.waitFor({ state: "detached" });
    await page.getByRole("table", { name: "Gates" }).getByRole("img", { name: "fail" }).first().waitFor();
    await page.getByRole("table", { name: "Gates" }).scrollIntoViewIfNeeded();
    await picture(page, "real-comparison-gates");
    const { gateViews } = await world.call<ReleaseDetail>("releases.get", { releaseId });
    const [baseline, ...candidates] = raw();
    const before = baseline?.get("lambada_openai|acc") ?? { value: Number.NaN, error: Number.NaN };
    // One-sided at 95 %: 1.645 standard errors below the difference.
    const holds = candidates.map((results) => {
      const after = results.get("lambada_openai|acc") ?? before;
      return after.value - before.value - 1.644_854 * Math.hypot(before.error, after.error) >= -0.06;
    });
    expect(holds).toEqual([true, false]);
    expect(gateViews[0]?.cells.map(({ state }) => state === "pass")).toEqual(holds);
    const verdicts = rawVerdicts(baseline ?? new Map(), candidates);
    const worse = candidates.map((_, column) => [...verdicts.values()].filter((of) => of[column]?.verdict === "worse").length);
    expect(gateViews[1]?.cells.map(({ state, text }) => [state, text])).toEqual(
      worse.map((count) => [count === 0 ? "pass" : "fail", String(count)]),
    );
    expect(opened.console.errors()).toEqual([]);
  });
});
