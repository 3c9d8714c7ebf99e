import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failVerb } from "./failing-verb.ts";
import { pagesUnderTest } from "./pages-under-test.ts";
import { smallRelease } from "./seeded-release.ts";
import { incidentWithAdvice, shiftedRun } from "./seeded-runs.ts";
import { openWorld, type World } from "./world.ts";

/** What the browser says when the reader comes back to the tab: whatever is older than a second is asked for again. */
const lookAgain = (page: Page): Promise<unknown> =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");

const PAGES = pagesUnderTest(1, 1);
let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.push(shiftedRun({ endsAtMs: Date.now() }));
  await incidentWithAdvice(world);
  await smallRelease(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe("a server that has seen nothing", () => {
  let empty: World;
  beforeAll(async () => {
    empty = await openWorld();
  });
  afterAll(() => empty[Symbol.asyncDispose]());

  it.each([
    ["/", "No run has sent anything yet", "npx trainwatch import path/to/train.log"],
    ["/runs", "No run has sent anything yet", "npx trainwatch import path/to/train.log"],
    ["/runs?q=nothing-like-this", "No run fits this search", null],
    ["/runs?archived=true", "No run is archived", null],
    ["/incidents", "No open incident", "npx trainwatch import path/to/train.log"],
    ["/incidents?view=resolved", "No incident has been resolved yet", null],
    ["/checkpoints", "No checkpoint is known yet", "npx trainwatch import path/to/train.log"],
    ["/checkpoints?q=nothing-like-this", "No checkpoint fits this search", null],
    ["/releases", "No checkpoints have been compared yet", "npx trainwatch import --run PROJECT/NAME evals/"],
    ["/releases/trends", "No checkpoint of this run has been evaluated", "npx trainwatch import --run PROJECT/NAME evals/"],
    ["/releases/41", "Release 41 is not there", null],
    ["/runs/41", "The run is not there", null],
    ["/checkpoints/41", "The passport is not there", null],
    ["/incidents/41", "Incident #41 is not there", null],
    ["/no-such-page", "There is no such page", null],
    ["/incidents/forty-one", "There is no such page", null],
  ])("says on %s what there is to do", async (path, title, command) => {
    await using opened = await empty.open(path);
    await opened.page.getByText(title, { exact: true }).waitFor();
    if (command !== null) expect(await opened.page.getByText(command, { exact: true }).isVisible()).toBe(true);
    expect(await opened.page.getByText(/healthy/i).count()).toBe(0);
  });
});

describe("a verb that fails", () => {
  it.each(PAGES)("is told on $name with an id and a way on", async ({ path, verb, what }) => {
    await using opened = await world.open("/no-such-page");
    const { page } = opened;
    const failing = await failVerb(page, verb);
    await page.goto(`${world.url}${path}`);
    const alert = page.getByRole("alert").filter({ hasText: `${what} could not be read` });
    await alert.waitFor();
    expect(await alert.getByText("e-7f31c2", { exact: true }).isVisible()).toBe(true);
    await failing.heal();
    await alert.getByRole("button", { name: "Try again" }).click();
    await alert.waitFor({ state: "detached" });
  });

  it.each(PAGES)("leaves the old answer on $name and says how old it is", async ({ path, verb, what }) => {
    await using opened = await world.open(path);
    const { page } = opened;
    await page
      .getByRole("status", { name: /^Loading/ })
      .first()
      .waitFor({ state: "detached" });
    const failing = await failVerb(page, verb);
    const old = page.getByText(new RegExp(`${what} is from .*The server failed`));
    await expect.poll(() => lookAgain(page).then(() => old.count()), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await page.getByRole("alert").filter({ hasText: "could not be read" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBeGreaterThan(0);
    await failing.heal();
    await expect.poll(() => lookAgain(page).then(() => old.count()), { timeout: 20_000 }).toBe(0);
  });
});

describe("somebody who is not signed in", () => {
  it.each(PAGES)("is asked for a token on $name and then stands there", async ({ path }) => {
    await using opened = await world.open(path, { signedIn: false });
    const { page } = opened;
    const field = page.getByLabel("Token", { exact: true });
    await field.fill(world.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("contentinfo", { name: "System status" }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")).not.toContain(world.token);
  });

  it("is told that a token is unknown, and can try again", async () => {
    await using opened = await world.open("/", { signedIn: false });
    const { page } = opened;
    await page.getByLabel("Token", { exact: true }).fill("tw_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "unknown or has been revoked" }).waitFor();
    await page.getByLabel("Token", { exact: true }).fill(world.token);
    await page.keyboard.press("Enter");
    await page.getByRole("contentinfo", { name: "System status" }).waitFor();
  });

  it("is told of a token that may not do what was asked", async () => {
    const { secret } = await world.call<{ secret: string }>("tokens.create", { name: "only reads", scopes: ["read"] });
    await using opened = await world.open("/settings", { signedIn: false });
    const { page } = opened;
    await page.getByLabel("Token", { exact: true }).fill(secret);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The list of tokens may not be seen with this token").waitFor();
  });
});
