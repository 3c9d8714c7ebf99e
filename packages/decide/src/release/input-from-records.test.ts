import type { EvalRecord, EvalRecordInput } from "@trainwatch/core";
import { evalRecordSchema } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { columnsFromRecords, compareRelease } from "./index.ts";
import { releaseInput } from "./release.fixture.ts";

type Given = Partial<Extract<EvalRecordInput, { kind: "measure" }>>;

const measure = (model: string, value: number, more: Given = {}): EvalRecord =>
  evalRecordSchema.parse({ kind: "measure", subject: { model }, task: "t", metric: "acc", value, ...more });

/** 100 samples of which the first `passed` pass. */
const samples = (model: string, passed: number, more: object = {}): EvalRecord[] =>
  Array.from({ length: 100 }, (_, index) =>
    evalRecordSchema.parse({
      kind: "sample",
      subject: { model },
      task: "t",
      key: `s${index}`,
      scores: { acc: index < passed ? 1 : 0 },
      ...more,
    }),
  );

const passedOf = (files: readonly { readonly records: readonly EvalRecord[] }[]): number | null => {
  const scores = columnsFromRecords(files).columns[0]?.measures[0]?.samples?.scores;
  return scores === undefined ? null : scores.reduce((sum, score) => sum + score, 0);
};

describe("columns from records", () => {
  const newer = { records: [measure("m", 0.8, { evaluatedAtMs: 2_000 }), ...samples("m", 80, { evaluatedAtMs: 2_000 })] };
  const older = { records: [measure("m", 0.3, { evaluatedAtMs: 1_000 }), ...samples("m", 30, { evaluatedAtMs: 1_000 })] };

  it("take the samples of the evaluation that holds, in whatever order the files are read", () => {
    for (const files of [[newer, older], [older, newer], [{ records: [...older.records, ...newer.records] }]]) {
      const [column] = columnsFromRecords(files).columns;
      expect(column?.measures.map(({ value }) => value)).toEqual([0.8]);
      expect(passedOf(files)).toBe(80);
    }
  });

  it("pair the newer evaluation's samples with the other model's", () => {
    const { columns } = columnsFromRecords([newer, older, { records: [measure("n", 0.7), ...samples("n", 70)] }]);
    expect(compareRelease(releaseInput(columns)).rows[0]?.cells[1]).toMatchObject({ pairs: 100, lost: 10, won: 0, verdict: "worse" });
  });

  it("take the samples of the result's own file where no time is told, else the last ones", () => {
    const [first, second] = [{ records: [measure("m", 0.3), ...samples("m", 30)] }, { records: samples("m", 80) }];
    expect(passedOf([first, second])).toBe(30);
    expect(passedOf([{ records: samples("m", 30) }, second, { records: [measure("m", 0.8)] }])).toBe(80);
  });

  it("take no samples of an evaluation at another time, or under other settings", () => {
    const result = { records: [measure("m", 0.8, { evaluatedAtMs: 2_000 })] };
    expect(passedOf([result, { records: samples("m", 80, { evaluatedAtMs: 1_000 }) }])).toBeNull();
    const shots = { records: [measure("m", 0.8, { settings: { nShot: 5 } })] };
    expect(passedOf([shots, { records: samples("m", 80, { settings: { nShot: 0 } }) }])).toBeNull();
    expect(passedOf([shots, { records: samples("m", 80, { settings: { nShot: 5, harness: "x" } }) }])).toBe(80);
  });

  it("let the newest samples speak where no result is printed", () => {
    const [late, early] = [
      { records: samples("m", 80, { evaluatedAtMs: 2_000 }) },
      { records: samples("m", 30, { evaluatedAtMs: 1_000 }) },
    ];
    expect(passedOf([late, early])).toBe(80);
    expect(passedOf([{ records: samples("m", 30) }, { records: samples("m", 80) }])).toBe(80);
  });

  it("keep the first of two values of one file, measured alike, and say so", () => {
    const { columns, notes } = columnsFromRecords([{ records: [measure("m", 0.5), measure("m", 0.9), measure("m", 0.5)] }]);
    expect(columns[0]?.measures.map(({ value }) => value)).toEqual([0.5]);
    expect(notes).toEqual(["1 result comes twice in one file, measured alike and with another value (acc of t of m): the first counts"]);
    const others = [measure("m", 0.5), measure("m", 0.9, { settings: { nShot: 5 } })];
    expect(columnsFromRecords([{ records: others }]).notes).toEqual([]);
    const files = columnsFromRecords([{ records: [measure("m", 0.5)] }, { records: [measure("m", 0.9)] }]);
    expect([files.columns[0]?.measures[0]?.value, files.notes]).toEqual([0.9, []]);
  });

  it("keep the first of a sample that one file tells twice, and count it", () => {
    const records = [...samples("m", 80), ...samples("m", 30).slice(0, 40)];
    expect(passedOf([{ records }])).toBe(80);
    expect(columnsFromRecords([{ records }]).notes).toEqual(["40 samples come twice in one file: the first counts"]);
    expect(columnsFromRecords([{ records: samples("m", 80) }, { records: samples("m", 80) }]).notes).toEqual([]);
  });
});
