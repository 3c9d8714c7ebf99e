import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { launchBrowser } from "@trainwatch/testkit/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { picture } from "./picture.ts";
import { watchConsole } from "./console-watch.ts";

const ROOT = join(import.meta.dirname, "../..");
/** A spike comes within about 20 s of wall time; slow machines get more. */
const PATIENCE_MS = 120_000;

let demo: ChildProcess;
let browser: Browser;
let page: Page;
let url = "";

/** What `npm run demo` runs once the checkout is set up. */
async function startDemo(): Promise<string> {
  demo = spawn(process.execPath, [join(ROOT, "apps/cli/bin/trainwatch.mjs"), "demo", "--port", "0", "--no-open", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  demo.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  while (!out.trimEnd().endsWith("}")) {
    if (demo.stdout === null || demo.exitCode !== null) throw new Error(`the demo ended before it was up: ${out}`);
    await once(demo.stdout, "data");
  }
  const { url: address }: { url: string } = JSON.parse(out);
  return address;
}

beforeAll(async () => {
  [url, browser] = await Promise.all([startDemo(), launchBrowser()]);
  page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "dark", locale: "en-US" });
});

afterAll(async () => {
  await browser.close();
  demo.kill("SIGTERM");
  if (demo.exitCode === null) await once(demo, "exit");
});

it("npm run demo opens signed in, shows a live run that moves, and an incident with a proposal within two minutes", async () => {
  const console = watchConsole(page);
  await page.goto(url);
  const live = page.getByRole("row").filter({ hasText: "large-70b" });
  await live.last().waitFor({ timeout: PATIENCE_MS });
  const before = await live.last().innerText();
  await expect.poll(() => live.last().innerText(), { timeout: PATIENCE_MS }).not.toBe(before);

  const incident = page.getByRole("link", { name: /^Loss .*(spike|recovered|risen)/i }).first();
  await incident.waitFor({ timeout: PATIENCE_MS });
  await page.getByText("waits for you").first().waitFor({ timeout: PATIENCE_MS });
  await picture(page, "overview");
  expect(console.errors()).toEqual([]);
});

it("the live run's page draws loss and gradient norm, says how old the newest sample is, and leads to the incident of its spike", async () => {
  await page.goto(`${url}/runs`);
  await page
    .getByRole("link", { name: /large-70b/ })
    .first()
    .click();
  await page.waitForURL(/\/runs\/\d+/);
  await page.getByRole("figure").waitFor();
  await page.getByText("Gradient norm").first().waitFor();
  await page.getByText("Last sample").first().waitFor();
  const toIncident = page.getByRole("link", { name: /Open incident #/ });
  await toIncident.waitFor({ timeout: PATIENCE_MS });
  await picture(page, "run");
  await toIncident.click();
  await page.waitForURL(/\/incidents\/\d+/);
  await page
    .getByRole("heading", { name: /^Against/ })
    .last()
    .waitFor();
  await page.getByRole("figure").waitFor();
  await picture(page, "incident");
});
