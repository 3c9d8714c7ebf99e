import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EvalSink } from "../format.ts";
import { cellNumber } from "./cell.ts";
import { type CsvDocument, csvDocumentParser } from "./csv-document.ts";

function read(text: string): { readonly table: CsvDocument | null; readonly lines: readonly number[] } {
  let table: CsvDocument | null = null;
  const lines: number[] = [];
  const sink: EvalSink = { record() {}, issue: ({ line }) => lines.push(line) };
  const parser = csvDocumentParser(sink, (found) => {
    table = found;
  });
  parser.push(Buffer.from(text));
  parser.end();
  return { table, lines };
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

describe("tables with answers in their cells", () => {
  it("give back what was written, with line breaks, quotes and delimiters in cells", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "\n", '"', ",", ";", " ", "é", "\r\n") });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 12 }), (rows) => {
        const kept = rows.filter((row) => row.some((each) => each.trim() !== ""));
        const { table } = read(["x,y", ...rows.map((row) => row.map(quoted).join(","))].join("\n"));
        expect(table?.rows.map(({ cells }) => cells) ?? []).toEqual(kept);
      }),
    );
  });

  it("lose one row, by its line, where a quote is not closed", () => {
    const { table, lines } = read('x,y\n1,"a\nb"\n2,"open\n3,c\n');
    expect(table?.rows).toEqual([
      { line: 2, cells: ["1", "a\nb"] },
      { line: 5, cells: ["3", "c"] },
    ]);
    expect(lines).toEqual([4]);
  });
});

describe("numbers of tables", () => {
  it.each([
    ["90.18%", 90.18, "%"],
    [" 0.5 ", 0.5, null],
    ["1,480", 1480, null],
    ["N/A", null, null],
    ["", null, null],
  ])("%s is %s %s", (text, value, unit) => {
    expect(cellNumber(text)).toEqual({ value, unit });
  });

  it("are none where they are words", () => {
    expect(cellNumber("fast")).toBeUndefined();
    expect(cellNumber("12 of 20")).toBeUndefined();
    expect(cellNumber("0,531")).toBeUndefined();
  });
});

describe("tables as spreadsheets write them", () => {
  it("with semicolons have decimal commas, in per cent too", () => {
    expect(read("model;acc;share\na;0,531;51,2%\nb;1,234;5\n").table?.rows.map(({ cells }) => cells)).toEqual([
      ["a", "0.531", "51.2%"],
      ["b", "1.234", "5"],
    ]);
  });

  it("with carriage returns alone are read by line", () => {
    expect(read("x,y\r1,a\r2,b\r").table?.rows).toEqual([
      { line: 2, cells: ["1", "a"] },
      { line: 3, cells: ["2", "b"] },
    ]);
  });

  it("in another encoding than UTF-8 say on which line that shows first: two names may have become one", () => {
    const lines: [number, string][] = [];
    const parser = csvDocumentParser({ record() {}, issue: ({ line, code }) => lines.push([line, code]) }, () => {});
    parser.push(Buffer.from("model,acc\nplain,0.5\nModèl,0.6\nModél,0.7\n", "latin1"));
    parser.end();
    expect(lines).toEqual([[3, "not-utf-8"]]);
  });

  it("that name a column twice say so", () => {
    expect(read("x,y,x\n1,2,3\n").lines).toEqual([1]);
  });
});
