import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRelease } from "./compare-release.ts";
import { releaseMarkdown } from "./release-markdown.ts";
import { releaseDetail } from "./release-detail.fixture.ts";
import { columnInput, measureOf, passTable, releaseInput, samplesOf } from "./release.fixture.ts";

const named = (name: string) => {
  const detail = releaseDetail();
  return { ...detail, spec: { ...detail.spec, name } };
};

/** Cells of a line of a table, by bars that are not escaped. */
const cellsOf = (line: string): readonly string[] => line.split(/(?<!\\)\|/).slice(1, -1);

/** Every table of a document: its lines as cells. */
function tablesOf(markdown: string): readonly (readonly (readonly string[])[])[] {
  return markdown
    .split(/\n(?!\|)/)
    .map((part) => part.split("\n").filter((line) => line.startsWith("|")))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(cellsOf));
}

describe("a release as Markdown", () => {
  it("says what is compared, how, with which verdicts, gates, overrides, losses and signatures", () => {
    const text = releaseMarkdown(releaseDetail());
    for (const part of [
      "# week 49",
      "- **P** model 1, step 1,000, baseline",
      "- **A** model 2, step 2,000",
      "- **B** model 3; 1 open incident before it",
      "2 tests, Holm at 95 %; a loss up to 1 % of the scale does not matter.",
      "not comparable: n-shot 5 vs 0",
      "NaN, missing",
      "fail, overridden: −8.0 pp, at least",
      "- Gate “GSM8K, exact match: loses at most 1.0 pp, shown at 95 %” of A, by ada at 1970-01-01T00:00:02.000Z: the lost samples were mislabelled",
      "- Comparison of A on “MMLU”, by ada at 1970-01-01T00:00:01.500Z: the prompts are the same",
      "### A: 120 lost, 40 won of 1,000 common samples",
      "- Owner: Grace Hopper at 1970-01-01T00:00:03.000Z",
      "- Safety: not signed",
    ])
      expect(text).toContain(part);
  });

  it("keeps its tables whole, whatever the names", () => {
    const nasty = fc.string({ unit: fc.constantFrom(..."|\\`*_{}[]<>#~&\n\r\t ab!()-+."), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(nasty, nasty, nasty, (model, task, unit) => {
        const measures = (value: number) => [measureOf(`t${task}`, "zorp", value, { stderr: 0.1, unit, settings: { nShot: 5 } })];
        const columns = [columnInput(1, measures(1), { model }), columnInput(2, measures(2), { model, warnings: [model] })];
        const text = releaseMarkdown(releaseDetail({ comparison: compareRelease(releaseInput(columns)), gateViews: [] }));
        const tables = tablesOf(text);
        expect(tables.length).toBeGreaterThan(0);
        for (const lines of tables) for (const cells of lines) expect(cells).toHaveLength(lines[0]?.length ?? 0);
        expect(
          text
            .split("\n## ")[0]
            ?.split("\n")
            .filter((line) => line.startsWith("- **")),
        ).toHaveLength(2);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["<img src=x onerror=alert(1)>", "\\<img src=x onerror=alert(1)\\>"],
    ["[text](https://host)", "\\[text\\](https://host)"],
    ["a|b", "a\\|b"],
    ["a&lt;b", "a\\&lt;b"],
    ["one\ntwo", "one two"],
    ["# no head", "\\# no head"],
    ["`code` *bold* _it_ ~~gone~~ \\", "\\`code\\` \\*bold\\* \\_it\\_ \\~\\~gone\\~\\~ \\\\"],
  ])("writes %j so that it reads as it is", (name, written) => {
    expect(releaseMarkdown(named(name)).split("\n")[0]).toBe(`# ${written}`);
  });

  it("says of how many it shows the worst", () => {
    const { first, second } = passTable(0, 60, 0, 0);
    const categories = first.map((_, place) => `c${place % 15}`);
    const columns = [first, second].map((scores, place) =>
      columnInput(place + 1, [measureOf("t", "acc", null, { samples: samplesOf(scores, { categories }) })]),
    );
    const text = releaseMarkdown(releaseDetail({ comparison: compareRelease(releaseInput(columns)), gateViews: [] }));
    expect(text).toContain("The 10 worst of 15 categories are shown.");
  });

  it("says why a column is not told apart from less than all samples", () => {
    const { first, second } = passTable(50, 5, 5, 40);
    const columns = [first, second.with(0, Number.NaN)].map((scores, place) =>
      columnInput(place + 1, [measureOf("t", "acc", null, { samples: samplesOf(scores) })]),
    );
    const text = releaseMarkdown(releaseDetail({ comparison: compareRelease(releaseInput(columns)), gateViews: [] }));
    expect(text).toContain("1 sample unscored; Compared on 99 common samples");
  });
});
