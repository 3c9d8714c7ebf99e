import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { type BrowserFiles, packagedBrowser } from "./browser-files.ts";

const DEBIAN_CHROMIUM = "/usr/bin/chromium";

/** `--single-process` dies with the first context and `--disable-web-security` hides faults: neither is here. */
const ARGUMENTS = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--force-color-profile=srgb",
];

const WAY_OUT =
  "Set CHROME_PATH to a Chromium or Chrome, install one at /usr/bin/chromium (Debian: apt-get install chromium), or run `npm install` again so that @sparticuz/chromium is there (Linux x64).";

function fromPath(executablePath: string): BrowserFiles {
  return { executablePath, env: {} };
}

/** CHROME_PATH wins; then the Chromium inside the npm package; then Debian's. */
async function findBrowser(): Promise<BrowserFiles> {
  const chosen = process.env["CHROME_PATH"];
  if (chosen !== undefined && chosen !== "") {
    if (!existsSync(chosen)) throw new Error(`CHROME_PATH names ${chosen}, which does not exist. ${WAY_OUT}`);
    return fromPath(chosen);
  }
  const packaged = await packagedBrowser();
  if (packaged !== undefined) return packaged;
  if (existsSync(DEBIAN_CHROMIUM)) return fromPath(DEBIAN_CHROMIUM);
  throw new Error(`No browser for the browser tests. ${WAY_OUT}`);
}

/** Starts a headless Chromium; a missing or broken one fails with the way out, never silently. */
export async function launchBrowser(): Promise<Browser> {
  const files = await findBrowser();
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...files.env }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  try {
    return await chromium.launch({ executablePath: files.executablePath, args: ARGUMENTS, env, timeout: 60_000 });
  } catch (error) {
    throw new Error(`The browser at ${files.executablePath} did not start. ${WAY_OUT}`, { cause: error });
  }
}
