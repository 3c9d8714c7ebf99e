import { describe, expect, it } from "vitest";
import { rowKey } from "@trainwatch/core";
import { compareRelease } from "./compare-release.ts";
import { columnInput, measureOf, passTable, passes, releaseInput, samplesOf } from "./release.fixture.ts";

const keyOf = (task: string, metric: string, filter: string | null = null): string => rowKey({ task, metric, filter });

describe("release comparison, user cases", () => {
  const old = measureOf("mmlu", "acc", 0.5855, { stderr: 0.1186 });
  const fresh = measureOf("mmlu", "acc", 0.581, { stderr: 0.004 });

  it("V2: two standard errors by different methods are flagged and not compared on intervals", () => {
    const { rows } = compareRelease(releaseInput([columnInput(1, [old]), columnInput(2, [fresh])]));
    const cell = rows[0]?.cells[1];
    expect(cell?.verdict).toBe("not-comparable");
    expect(cell?.notes).toContain("Other stderr method");
    expect(cell?.differences).toEqual([
      { setting: "stderr", title: "standard error", baseline: "±0.119", candidate: "±0.00400", forbids: true },
    ]);
    expect(cell?.p).toBeNull();
  });

  it("V2: the same two are paired where samples are there", () => {
    const { first, second } = passTable(550, 35, 31, 384);
    const { rows } = compareRelease(
      releaseInput([
        columnInput(1, [{ ...old, value: 0.585, samples: samplesOf(first) }]),
        columnInput(2, [{ ...fresh, samples: samplesOf(second) }]),
      ]),
    );
    const cell = rows[0]?.cells[1];
    expect(cell).toMatchObject({ verdict: "tie", test: "mcnemar-exact", pairs: 1000, lost: 35, won: 31 });
    expect(cell?.notes).toContain("Other stderr method");
    expect(cell?.differences).toMatchObject([{ setting: "stderr", forbids: false }]);
  });

  it("V3: a mean of subtasks by samples (.54) and one of each task alike (.70) are both there, each labelled", () => {
    const of = (scorecardId: number) =>
      columnInput(scorecardId, [
        measureOf("suite_a", "acc", 0.9, { n: 100 }),
        measureOf("suite_b", "acc", 0.5, { n: 900 }),
        measureOf("suite", "acc", 0.7, { group: { subtasks: ["suite_a", "suite_b"], mean: null } }),
      ]);
    const { rows } = compareRelease(releaseInput([of(1), of(2)]));
    const suite = rows.filter(({ task }) => task === "suite").map(({ group, title, cells }) => ({ group, title, value: cells[0]?.value }));
    expect(suite).toEqual([
      { group: "mean of 2 tasks, each task alike", title: "suite", value: 0.7 },
      { group: "mean of 2 tasks, by samples", title: "suite, by samples", value: expect.closeTo(0.54, 12) },
    ]);
  });

  it("V3: a mean by samples is not compared with one of each task alike", () => {
    const of = (scorecardId: number, mean: "micro" | "macro") =>
      columnInput(scorecardId, [measureOf("suite", "acc", 0.7, { stderr: 0.01, group: { subtasks: ["suite_a", "suite_b"], mean } })]);
    const { rows } = compareRelease(releaseInput([of(1, "micro"), of(2, "macro")]));
    expect(rows[0]?.cells[1]?.verdict).toBe("not-comparable");
    expect(rows[0]?.cells[1]?.differences).toMatchObject([
      { title: "mean over subtasks", baseline: "by samples", candidate: "each task alike" },
    ]);
  });

  it.each([
    ["n-shot", { nShot: 5 }, { nShot: 0 }, "n-shot", "5", "0"],
    ["the chat template", { chatTemplate: "sha a1" }, { chatTemplate: "sha b2" }, "chat template", "sha a1", "sha b2"],
    ["the sample limit", { limit: "none" }, { limit: 100 }, "sample limit", "none", "100"],
  ] as const)("V5: %s differs: not comparable, in words, until a person allows it", (_, own, other, title, baseline, candidate) => {
    const columns = [
      columnInput(1, [measureOf("mmlu", "acc", 0.6, { stderr: 0.004, settings: own })]),
      columnInput(2, [measureOf("mmlu", "acc", 0.4, { stderr: 0.004, settings: other })]),
    ];
    const before = compareRelease(releaseInput(columns)).rows[0]?.cells[1];
    expect(before).toMatchObject({ verdict: "not-comparable", overridden: false, p: null, adjustedP: null });
    expect(before?.differences).toMatchObject([{ title, baseline, candidate, forbids: true }]);

    const allowed = [{ rowKey: keyOf("mmlu", "acc"), scorecardId: 2 }];
    const after = compareRelease(releaseInput(columns, { allowed })).rows[0]?.cells[1];
    expect(after).toMatchObject({ verdict: "worse", overridden: true });
    expect(after?.differences).toEqual(before?.differences);
  });

  it("V5: a setting that only one of the two tells is a doubt, and the comparison stands", () => {
    const { rows } = compareRelease(
      releaseInput([
        columnInput(1, [
          measureOf("mmlu", "acc", 0.6, { stderr: 0.004, settings: { nShot: 5, harness: "lm-eval", harnessVersion: "0.4.2" } }),
        ]),
        columnInput(2, [measureOf("mmlu", "acc", 0.4, { stderr: 0.004, settings: { harness: "lm-eval", harnessVersion: "0.4.3" } })]),
      ]),
    );
    expect(rows[0]?.cells[1]).toMatchObject({
      verdict: "worse",
      differences: [
        { setting: "nShot", baseline: "5", candidate: null, forbids: false },
        { setting: "harnessVersion", forbids: false },
      ],
    });
  });

  it("V6: an N/A error is unknown and no significance is claimed", () => {
    const { rows, family } = compareRelease(
      releaseInput([columnInput(1, [measureOf("in_house", "micro_f1", 0.3)]), columnInput(2, [measureOf("in_house", "micro_f1", 0.9)])]),
    );
    expect(rows[0]?.cells[1]).toMatchObject({
      verdict: "not-comparable",
      delta: 0.6000000000000001,
      deltaLow: null,
      p: null,
      test: "none",
      notes: ["No error is known, so nothing is claimed"],
    });
    expect(rows[0]?.cells[1]?.low).toBeNull();
    expect(family.tests).toBe(0);
  });

  it("V7: .62 against .60 on 500 common samples, 40 lost and 30 won, is a tie by the exact test", () => {
    const { first, second } = passTable(270, 40, 30, 160);
    const unscored = second.with(0, Number.NaN);
    const plain = compareRelease(
      releaseInput([
        columnInput(1, [measureOf("task", "acc", null, { samples: samplesOf(first) })]),
        columnInput(2, [measureOf("task", "acc", null, { samples: samplesOf(second) })]),
      ]),
    ).rows[0]?.cells[1];
    expect(plain).toMatchObject({ value: 0.6, verdict: "tie", test: "mcnemar-exact", pairs: 500, lost: 40, won: 30, unscored: 0 });
    // Two-sided exact binomial of 30 or fewer of 70, computed from the binomial coefficients.
    expect(plain?.p).toBeCloseTo(0.282, 3);
    expect(plain?.equivalent).toBe(false);
    expect(plain?.moreSamples).toBeGreaterThan(0);

    const partly = compareRelease(
      releaseInput([
        columnInput(1, [measureOf("task", "acc", null, { samples: samplesOf(first) })]),
        columnInput(2, [measureOf("task", "acc", null, { samples: samplesOf(unscored) })]),
      ]),
    ).rows[0]?.cells[1];
    expect(partly).toMatchObject({ pairs: 499, unscored: 1 });
    expect(partly?.notes).toContain("1 sample unscored");
    expect(partly?.notes).toContain("Compared on 499 common samples; 1 sample of one side only");
  });

  it("V9: 20 checkpoints that differ by chance only stand in one tie group, with no verdict, and the winner's curse is said", () => {
    const columns = Array.from({ length: 20 }, (_, place) =>
      columnInput(place + 1, [measureOf("task", "acc", null, { samples: samplesOf(passes(500, 0.6, 1000 + place)) })]),
    );
    const { rows, notes, family } = compareRelease(releaseInput(columns));
    expect(rows[0]?.order).toHaveLength(20);
    expect(rows[0]?.tieGroups).toEqual([rows[0]?.order]);
    expect(rows[0]?.cells.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 20 }, () => "tie"));
    expect(family.tests).toBe(19);
    expect(notes.join("\n")).toMatch(/best of 20 columns looks better than it is \(winner's curse\)/);
  });

  it("V9: a checkpoint 10 points worse than the rest stands alone", () => {
    const columns = Array.from({ length: 6 }, (_, place) =>
      columnInput(place + 1, [measureOf("task", "acc", null, { samples: samplesOf(passes(2000, place === 3 ? 0.5 : 0.6, 40 + place)) })]),
    );
    const { rows } = compareRelease(releaseInput(columns));
    expect(rows[0]?.cells[3]?.verdict).toBe("worse");
    expect(rows[0]?.tieGroups.at(-1)).toEqual([3]);
    expect(rows[0]?.tieGroups[0]).toHaveLength(5);
  });

  it("V11: an overall whose categories were not all run is not available, never lower", () => {
    const group = { subtasks: ["bfcl_live", "bfcl_multi_turn"], mean: null } as const;
    const { rows, columns } = compareRelease(
      releaseInput([
        columnInput(1, [
          measureOf("bfcl_live", "acc", 0.8, { n: 1000 }),
          measureOf("bfcl_multi_turn", "acc", 0.6, { n: 800 }),
          measureOf("bfcl", "acc", 0.7, { group }),
        ]),
        columnInput(2, [
          measureOf("bfcl_live", "acc", 0.82, { n: 1000 }),
          measureOf("bfcl_multi_turn", "acc", null),
          measureOf("bfcl", "acc", 0.41, { group }),
        ]),
        columnInput(3, [measureOf("bfcl_live", "acc", 0.82, { n: 1000 }), measureOf("bfcl", "acc", 0.41, { group })]),
      ]),
    );
    const cells = rows.filter(({ task }) => task === "bfcl").flatMap((row) => row.cells.slice(1));
    expect(cells.length).toBeGreaterThan(0);
    for (const cell of cells) expect(cell).toMatchObject({ verdict: "missing", value: null, delta: null });
    expect(rows.find(({ key }) => key === keyOf("bfcl", "acc"))?.cells[1]?.notes).toEqual(["Not available: bfcl_multi_turn was not run"]);
    expect(rows.find(({ task }) => task === "bfcl_multi_turn")?.cells.map(({ verdict }) => verdict)).toEqual(["tie", "missing", "not-run"]);
    expect(columns[2]?.counts["not-run"]).toBe(1);
  });
});
