import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";

const IMAGES = join(import.meta.dirname, "../../docs/images");

/** Written for the README only when asked for: a test run leaves no trace in the tree. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env["TRAINWATCH_SCREENSHOTS"] !== "1") return;
  await mkdir(IMAGES, { recursive: true });
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
}
