import { launchBrowser } from "@trainwatch/testkit/browser";
const b = await launchBrowser(); const c = await b.newContext({viewport:{width:1440,height:900}}); const p = await c.newPage();
await p.goto("http://localhost:4456/incidents?view=all"); await p.waitForTimeout(3000);
console.log(await p.evaluate(() => [...document.querySelectorAll("a[href*='/incidents/']")].map((a) => `${a.getAttribute("href")} ${a.textContent}`).join("\n")));
await b.close();
