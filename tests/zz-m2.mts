import { launchBrowser } from "@trainwatch/testkit/browser";
const base = "http://localhost:4456";
const [outDir, themes, widths, ...paths] = process.argv.slice(2);
const browser = await launchBrowser();
try {
  for (const theme of (themes ?? "dark").split(",")) for (const width of (widths ?? "1440").split(",").map(Number)) {
    const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme: theme as "dark" | "light" });
    const page = await context.newPage();
    for (const path of paths) {
      try {
        await page.goto(base + path, { waitUntil: "load", timeout: 30000 });
        await page.waitForTimeout(2500);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        const name = path.replaceAll(/[^a-z0-9]+/gi, "_") || "root";
        await page.screenshot({ path: `${outDir}/${name}-${theme}-${width}.png`, fullPage: true });
        console.log(path, theme, width, "overflow", over);
      } catch (e) { console.log(path, theme, width, String(e).slice(0, 200)); }
    }
    await context.close();
  }
} finally { await browser.close(); }
