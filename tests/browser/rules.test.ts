import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFaults } from "./axe.ts";
import { picture } from "./picture.ts";
import { incidentWithAdvice, judgedToTheEnd, RUN_NAME, shiftedRun } from "./seeded-runs.ts";
import { openWorld, type World } from "./world.ts";

const DARK = { colorScheme: "dark" } as const;
const SECRET = "a-secret-of-at-least-sixteen-characters";
const PATIENCE_MS = 30_000;

interface Told {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A webhook's other end, on this machine. */
interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly told: readonly Told[];
  /** What it answers from now on. */
  answer(status: number): void;
}

async function openReceiver(): Promise<Receiver> {
  const told: Told[] = [];
  let status = 200;
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      told.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/hook/on-call`,
    told,
    answer: (next) => (status = next),
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

let world: World;
let receiver: Receiver;
let incidentId = 0;

beforeAll(async () => {
  receiver = await openReceiver();
  world = await openWorld();
  await world.push(shiftedRun({ endsAtMs: Date.now() }));
  incidentId = await incidentWithAdvice(world);
  await judgedToTheEnd(world);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

describe("a threshold of one's own", () => {
  it("is tried on stored runs before it is saved: how often, where, and beside which incident", async () => {
    await using opened = await world.open("/settings?tab=rules", DARK);
    const { page } = opened;
    await page.getByRole("button", { name: "New threshold…" }).click();
    await page.getByLabel("Title: what somebody is told").fill("Loss above 2.5");
    const backtest = page.getByRole("complementary", { name: "Back-test" });
    await backtest.getByRole("button", { name: "Back-test" }).click();
    await page.getByText("A number", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: /^Threshold/ }).fill("2.5");
    await backtest.getByRole("button", { name: "Back-test" }).click();
    const where = backtest.getByRole("table", { name: "Where it would have fired" });
    await where.waitFor({ timeout: PATIENCE_MS });
    await backtest.getByText("1 time", { exact: true }).waitFor();
    const row = where.getByRole("row").nth(1);
    expect(await row.textContent()).toContain(RUN_NAME);
    expect(await row.getByRole("link", { name: `#${incidentId}` }).count()).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, "rule-backtest");
    await page.getByRole("button", { name: "Make rule" }).click();
    const rules = page.getByRole("table", { name: "Rules" });
    await rules.getByRole("row").filter({ hasText: "Loss above 2.5" }).waitFor();
    expect(await rules.textContent()).toContain("Loss above 2.5 nats for 3 points");
    expect(opened.console.errors()).toEqual([]);
  });

  it("says that the answer is old once the form was changed, and what it would have missed", async () => {
    await using opened = await world.open("/settings?tab=rules");
    const { page } = opened;
    await page.getByRole("button", { name: "Change Loss above 2.5…" }).click();
    const backtest = page.getByRole("complementary", { name: "Back-test" });
    await backtest.getByRole("button", { name: "Back-test" }).click();
    await backtest.getByText("1 time", { exact: true }).waitFor({ timeout: PATIENCE_MS });
    await page.getByRole("textbox", { name: /^Threshold/ }).fill("99");
    await backtest.getByText("The rule was changed since: what is below is of the one before.").waitFor();
    await backtest.getByRole("button", { name: "Back-test" }).click();
    await backtest.getByText("0 times", { exact: true }).waitFor({ timeout: PATIENCE_MS });
  });
});

describe("a detector's rule", () => {
  it("begins in the catalogue, refuses what the detector could not work with, and shows in force afterwards", async () => {
    await using opened = await world.open("/detectors", DARK);
    const { page } = opened;
    await page.getByRole("table", { name: "Training curves" }).waitFor();
    await picture(page, "detectors");
    await page.getByRole("link", { name: "Change by a rule…" }).click();
    const first = page.getByRole("textbox").first();
    await first.fill("much");
    await page.getByRole("button", { name: "Make rule" }).click();
    await page.getByText("A number", { exact: true }).waitFor();
    await first.fill("");
    await page.getByLabel("Severity").selectOption("critical");
    await page.getByRole("button", { name: "Make rule" }).click();
    await page.getByRole("table", { name: "Rules" }).waitFor();
    await page.goto(`${world.url}/detectors`);
    await page.getByText("told as critical").first().waitFor();
    await page.getByRole("link", { name: "Change its rule…" }).waitFor();
    expect(opened.console.errors()).toEqual([]);
  });
});

describe("a mute calendar", () => {
  it("shows its next nights in its own zone and in the reader's", async () => {
    await using opened = await world.open("/settings?tab=mutes&tz=Asia%2FTokyo", DARK);
    const { page } = opened;
    await page.getByRole("button", { name: "New calendar…" }).click();
    const dialog = page.getByRole("dialog", { name: "New mute calendar" });
    await dialog.getByLabel("Name: what it is for").fill("Nights in Berlin");
    await dialog.getByLabel("Zone (IANA)").fill("Europe/Berlin");
    await dialog
      .getByText(/22:00 (GMT\+1|CET|GMT\+2|CEST) to .* · .*(GMT\+9|JST)/)
      .first()
      .waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, "mute-calendar");
    await dialog.getByRole("button", { name: "Make calendar" }).click();
    const row = page.getByRole("table", { name: "Mute calendars" }).getByRole("row").filter({ hasText: "Nights in Berlin" });
    await row.waitFor();
    expect(await row.textContent()).toContain("every day, 22:00 to 06:00 the next day, Europe/Berlin");
    await row.getByRole("button", { name: "Delete Nights in Berlin…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Nothing is muted").waitFor();
    expect(opened.console.errors()).toEqual([]);
  });
});

describe("a channel", () => {
  it("is made, tested, tells its receiver of an incident with a signature, and shows the delivery", async () => {
    await using opened = await world.open("/settings?tab=channels", DARK);
    const { page } = opened;
    await page.getByText("Nobody is told", { exact: true }).waitFor();
    await page.getByRole("button", { name: "New channel…" }).click();
    const dialog = page.getByRole("dialog", { name: "New channel" });
    await dialog.getByLabel("Name: who is told").fill("on call");
    await dialog.getByRole("radio", { name: "Webhook" }).click();
    await dialog.getByLabel("Address that takes our JSON").fill(receiver.url);
    await dialog.getByLabel(/^Secret that signs/).fill("short");
    await dialog.getByRole("radio", { name: "Pages and tickets" }).click();
    await dialog.getByRole("button", { name: "Make channel" }).click();
    await dialog.getByText(/^At least 16 characters/).waitFor();
    await dialog.getByLabel(/^Secret that signs/).fill(SECRET);
    await dialog.getByRole("button", { name: "Make channel" }).click();
    const row = page.getByRole("table", { name: "Channels" }).getByRole("row").filter({ hasText: "on call" });
    await row.waitFor();
    // Whoever holds the address can write there: it is not shown again.
    expect(await page.locator("main").textContent()).not.toContain("/hook/on-call");
    await row.getByRole("button", { name: "Test on call" }).click();
    await page.getByText(/^Test message delivered to on call: status 200/).waitFor();
    expect(receiver.told).toHaveLength(1);

    // What was open before anybody was to be told pages nobody; what opens now does.
    await world.push(shiftedRun({ name: "llm-late", endsAtMs: Date.now() }));
    const log = page.getByRole("table", { name: "Delivery log" });
    const entry = log.getByRole("row").filter({ hasText: "opened" });
    await entry.getByText("delivered", { exact: true }).waitFor({ timeout: PATIENCE_MS });
    expect(await entry.textContent()).toContain("1 try");
    const told = receiver.told.at(-1);
    expect(JSON.parse(told?.body ?? "{}")).toMatchObject({ version: 1, run: "lab/llm-late", reason: "opened" });
    expect(isSigned(told)).toBe(true);
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, "notifications");
    expect(opened.console.errors()).toEqual([]);
  });

  it("says that a test was refused, by whom and how", async () => {
    await using opened = await world.open("/settings?tab=channels");
    const { page } = opened;
    receiver.answer(410);
    await page.getByRole("button", { name: "Test on call" }).click();
    await page.getByText(/^Test message not delivered to on call: status 410/).waitFor();
    receiver.answer(200);
  });
});

/** As docs/api.md tells receivers to check: `t=<seconds>,v1=<hex>` over `<t>.<body>`. */
function isSigned(told: Told | undefined): boolean {
  const header = told?.headers["x-trainwatch-signature"];
  const [, seconds = "", hex = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(typeof header === "string" ? header : "") ?? [];
  return (
    hex ===
    createHmac("sha256", SECRET)
      .update(`${seconds}.${told?.body ?? ""}`)
      .digest("hex")
  );
}
