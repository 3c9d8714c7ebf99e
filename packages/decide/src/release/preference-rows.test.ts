import { evalRecordSchema, type EvalRecord } from "@trainwatch/core";
import { seededRandom } from "@trainwatch/stats";
import { describe, expect, it } from "vitest";
import { columnsFromRecords, compareRelease } from "./index.ts";
import { releaseInput } from "./release.fixture.ts";

interface Judged {
  readonly key: number;
  readonly left: string;
  readonly right: string;
  /** Share for the right one. */
  readonly preference: number | null;
  readonly judge?: string;
  readonly lengths?: readonly [number, number];
}

/** `name@step` is a model at a step. */
function subjectOf(text: string) {
  const [model = "", step] = text.split("@");
  return { model, step: step === undefined ? null : Number(step) };
}

const pair = ({ key, left, right, preference, judge = "j", lengths = [100, 100] }: Judged): EvalRecord =>
  evalRecordSchema.parse({
    kind: "pair",
    task: "arena",
    key: `q${key}`,
    left: subjectOf(left),
    right: subjectOf(right),
    preference,
    judge,
    leftLength: lengths[0],
    rightLength: lengths[1],
  });

function compared(records: readonly EvalRecord[], names: readonly string[]) {
  const { columns } = columnsFromRecords([{ records }]);
  const chosen = names.flatMap((name) => {
    const { model, step } = subjectOf(name);
    return columns.filter((column) => column.model === model && column.step === step);
  });
  expect(chosen.map(({ model }) => model)).toEqual(names.map((name) => subjectOf(name).model));
  return compareRelease(releaseInput(chosen));
}

const valuesOf = (comparison: ReturnType<typeof compared>, metric: string) =>
  comparison.rows.find((row) => row.metric === metric)?.cells.map(({ value, n, verdict }) => ({ value, n, verdict }));

const ten = Array.from({ length: 10 }, (_, key) => key);

describe("rows of pairwise judgements", () => {
  it("count a win for who has won it, on whichever side its answer stood", () => {
    // "ours" wins 8 of 10 against gpt, from the right in half of them and from the left in the others.
    const records = ten.map((key) => {
      const won = key < 8 ? 1 : 0;
      return key % 2 === 0
        ? pair({ key, left: "gpt", right: "ours", preference: won })
        : pair({ key, left: "ours", right: "gpt", preference: 1 - won });
    });
    expect(valuesOf(compared(records, ["gpt", "ours"]), "win_rate")).toMatchObject([
      { value: 0.5, n: 10 },
      { value: 0.8, n: 10 },
    ]);
  });

  it("take a prompt that was judged in both orders for one sample, its share the mean of the two", () => {
    const records = ten.flatMap((key) => [
      pair({ key, left: "gpt", right: "ours", preference: 1 }),
      // In the other order the judge prefers what stands first in half of them.
      pair({ key, left: "ours", right: "gpt", preference: key < 5 ? 1 : 0 }),
    ]);
    expect(valuesOf(compared(records, ["gpt", "ours"]), "win_rate")).toMatchObject([{ value: 0.5 }, { value: 0.75, n: 10 }]);
  });

  it("tell checkpoints of one name apart by their step", () => {
    const random = seededRandom(4);
    const lengths = (): readonly [number, number] => [100 + Math.floor(50 * random()), 100 + Math.floor(50 * random())];
    const records = Array.from({ length: 60 }, (_, key) => key).flatMap((key) => [
      pair({ key, left: "gpt", right: "policy@1000", preference: key % 10 < 3 ? 1 : 0, lengths: lengths() }),
      pair({ key, left: "gpt", right: "policy@2000", preference: key % 10 < 8 ? 1 : 0, lengths: lengths() }),
    ]);
    const comparison = compared(records, ["policy@1000", "policy@2000"]);
    expect(valuesOf(comparison, "win_rate")).toMatchObject([
      { value: 0.3, n: 60 },
      { value: 0.8, n: 60, verdict: "better" },
    ]);
    const [first, second] = valuesOf(comparison, "length_controlled_win_rate") ?? [];
    expect(first?.value).toBeCloseTo(0.3, 1);
    expect(second?.value).toBeCloseTo(0.8, 1);
    expect([first?.n, second?.n]).toEqual([60, 60]);
  });

  it("never mix two judges' judgements, and compare by one that judged most columns", () => {
    const records = ten.flatMap((key) => [
      pair({ key, left: "gpt", right: "old", preference: key < 5 ? 1 : 0, judge: "human" }),
      pair({ key, left: "gpt", right: "new", preference: key < 6 ? 1 : 0, judge: "human" }),
      pair({ key, left: "gpt", right: "new", preference: 1, judge: "model" }),
    ]);
    const comparison = compared(records, ["old", "new"]);
    const row = comparison.rows.find(({ metric }) => metric === "win_rate");
    expect(row?.cells.map(({ value, n }) => [value, n])).toEqual([
      [0.5, 10],
      [0.6, 10],
    ]);
    expect(row?.settings).toContain("judged by human");
    expect(row?.cells[1]?.differences).toEqual([]);
    // Twenty judgements by one judge, none of the other's.
    const random = seededRandom(1);
    const lengthy = records.map((record) =>
      record.kind === "pair" ? { ...record, leftLength: 100 + Math.round(100 * random()) } : record,
    );
    expect(compared(lengthy, ["old", "new"]).notes.join("\n")).toMatch(/with answer length, 20 judgements of 3 models/);
  });

  it("leave out a model that is judged against itself", () => {
    const records = ten.map((key) => pair({ key, left: "ours", right: "ours", preference: 1 }));
    expect(columnsFromRecords([{ records }]).columns.flatMap(({ pairs }) => pairs)).toEqual([]);
  });

  it("do not count what nobody has judged", () => {
    const records = ten.map((key) => pair({ key, left: "gpt", right: "ours", preference: key < 4 ? null : key < 7 ? 1 : 0 }));
    expect(valuesOf(compared(records, ["gpt", "ours"]), "win_rate")?.[1]).toMatchObject({ value: 0.5, n: 6 });
  });

  it("have the candidates' judgements against the baseline itself in its own column as one half", () => {
    const records = ten.flatMap((key) => [
      pair({ key, left: "base", right: "a", preference: 1 }),
      pair({ key, left: "base", right: "b", preference: 0 }),
    ]);
    expect(valuesOf(compared(records, ["base", "a", "b"]), "win_rate")?.map(({ value }) => value)).toEqual([0.5, 1, 0]);
  });
});
