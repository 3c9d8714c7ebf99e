import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRelease } from "./compare-release.ts";
import { releaseCsv } from "./release-csv.ts";
import { columnInput, measureOf, releaseInput } from "./release.fixture.ts";

/** Fields of each record by RFC 4180, written apart from the writer. */
function parse(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]];
  let field = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (isQuoted) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') field += text[at++] ?? "";
      else isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === ",") {
      records.at(-1)?.push(field);
      field = "";
    } else if (sign === "\r" && text[at + 1] === "\n") {
      records.at(-1)?.push(field);
      records.push([]);
      field = "";
      at++;
    } else field += sign;
  }
  return records.slice(0, -1);
}

function csvOf(model: string, task = "gsm8k", value = 0.5) {
  const column = (id: number) => columnInput(id, [measureOf(task, "acc", value, { stderr: 0.01 })], { model, step: 1_000 });
  const [head, ...lines] = parse(releaseCsv(compareRelease(releaseInput([column(1), column(2)]))));
  return lines.map((fields) => Object.fromEntries((head ?? []).map((name, place) => [name, fields[place]])));
}

describe("a comparison as CSV", () => {
  it("has a line a cell, numbers as they are, missing empty and never 0", () => {
    const columns = [columnInput(1, [measureOf("t", "acc", 0.25, { n: 400 })]), columnInput(2, [])];
    const text = releaseCsv(compareRelease(releaseInput(columns)));
    const [head, baseline, candidate] = parse(text);
    expect(head?.slice(0, 10)).toEqual(["row", "title", "dimension", "column", "model", "step", "value", "low", "high", "n"]);
    expect(baseline?.slice(0, 7)).toEqual(["t|acc|", "t", "capability", "P", "model 1", "", "0.25"]);
    expect(Number(baseline?.[7])).toBeCloseTo(0.21, 2);
    expect(candidate?.slice(6, 14)).toEqual(["", "", "", "", "0", "", "", ""]);
    expect(candidate?.[20]).toBe("not-run");
  });

  it("keeps every text whole, whatever signs it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (model) => {
        const [own] = csvOf(model);
        expect([model, `'${model}`]).toContain(own?.["model"]);
        expect(own?.["verdict"]).toBe("tie");
      }),
    );
  });

  it.each(["=HYPERLINK(1)", "+1", "-1+cmd", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠A", " =1"])(
    "gives %j to a spreadsheet as text",
    (text) => {
      expect(csvOf(text)[0]?.["model"]).toBe(`'${text}`);
      expect(csvOf("m", text.trim() === "" ? "t" : text)[0]?.["row"]?.startsWith("'")).toBe(true);
    },
  );

  it("does not take a number that is not finite for a text", () => {
    const values = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN].map((value) => csvOf("m", "t", value)[0]?.["value"]);
    expect(values).toEqual(["-Infinity", "Infinity", "NaN"]);
  });
});
