import type { Browser } from "playwright-core";
import type { BenchServer } from "../speed/bench-server.ts";
import { median, rounded } from "../speed/figures.ts";
import { arriveAt, newVisitor } from "../speed/page-visits.ts";

/** A page, and what must stand on it before it says what is wrong. */
export interface BurstPage {
  readonly name: string;
  readonly path: string;
  /** Matches nothing before its main content is drawn. */
  readonly selector: string;
}

export interface PageFigures {
  readonly medianMs: number;
  readonly worstMs: number;
  /** Bytes of all answers of verbs, as they came over the wire and unpacked. */
  readonly answerKb: number;
  /** Elements in the document once it stands. */
  readonly elements: number;
}

/** Tables with a row, and a chart with something drawn. */
function standing(...parts: readonly string[]): string {
  return `main${parts.map((part) => `:has(${part})`).join("")}`;
}

export function pagesOf(incidentId: number, gpuId: string): readonly BurstPage[] {
  return [
    {
      name: "incident",
      path: `/incidents/${incidentId}`,
      selector: standing(
        'table[aria-label="Suspects"] tbody tr',
        'table[aria-label="Findings of this incident"] tbody tr',
        "[data-part=fan], [data-part=stack] svg",
      ),
    },
    { name: "inbox", path: "/incidents", selector: standing('table[aria-label="Incidents"] tbody tr') },
    { name: "overview", path: "/", selector: standing('table[aria-label="Open incidents"] tbody tr') },
    { name: "fleet", path: "/fleet", selector: standing("[data-part=fleet-cells]", "[data-part=fleet-map]") },
    {
      name: "gpu",
      path: `/fleet/gpu/${encodeURIComponent(gpuId)}`,
      selector: standing('table[aria-label="Events of this GPU"] tbody tr', "[data-part=fan]"),
    },
  ];
}

/** Opens the page again and again, each time in a browser profile that has never been here. */
export async function visitPage(
  browser: Browser,
  server: BenchServer,
  { path, selector }: BurstPage,
  visits: number,
): Promise<PageFigures> {
  const times: number[] = [];
  let answerBytes = 0;
  let elements = 0;
  for (let visit = 0; visit < visits; visit++) {
    await using visitor = await newVisitor(browser, server);
    times.push((await arriveAt(visitor.page, `${server.url}${path}`, selector)).paintedMs);
    const seen = await visitor.page.evaluate(() => ({
      elements: document.querySelectorAll("*").length,
      bytes: performance
        .getEntriesByType("resource")
        .reduce(
          (sum, entry) => sum + (entry instanceof PerformanceResourceTiming && entry.name.includes("/trpc/") ? entry.decodedBodySize : 0),
          0,
        ),
    }));
    answerBytes = Math.max(answerBytes, seen.bytes);
    elements = Math.max(elements, seen.elements);
  }
  return { medianMs: rounded(median(times)), worstMs: rounded(Math.max(...times)), answerKb: rounded(answerBytes / 1_000), elements };
}
