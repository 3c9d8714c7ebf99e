import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Gate, GateCell } from "@trainwatch/core";
import { rowKey } from "@trainwatch/core";
import { compareForGates } from "./compare-release.ts";
import type { MeasureInput, ReleaseInput } from "./contract.ts";
import { fixedInUnits } from "./gate-unit.ts";
import { judgeGates } from "./gates.ts";
import type { GateFacts } from "./gates.ts";
import { columnInput, measureOf, passTable, releaseInput, samplesOf } from "./release.fixture.ts";

const NOBODY: GateFacts = { run: null, step: null, checkpointState: null, turningPointStep: null };
const keyOf = (task: string, metric = "acc"): string => rowKey({ task, metric, filter: null });

interface Scene {
  readonly own: readonly MeasureInput[];
  readonly other: readonly MeasureInput[];
  readonly facts?: Partial<GateFacts>;
  readonly more?: Partial<ReleaseInput>;
}

/** How one candidate comes out on one gate. */
function outcome(gate: Gate, { own, other, facts = {}, more = {} }: Scene): GateCell | undefined {
  const { comparison, bounds } = compareForGates(releaseInput([columnInput(1, own), columnInput(2, other)], more), [gate]);
  return judgeGates({ comparison, bounds }, [{ gateId: 1, gate }], [NOBODY, { ...NOBODY, ...facts }])[0]?.cells[0];
}

const noLoss = (margin: number, more: Partial<Extract<Gate, { kind: "no-loss" }>> = {}): Gate => ({
  kind: "no-loss",
  row: keyOf("t"),
  margin,
  confidence: 0.95,
  ...more,
});
const limit = (bound: "at-least" | "at-most", value: number, confidence: number | null = null, row = keyOf("t")): Gate => ({
  kind: "limit",
  row,
  bound,
  value,
  confidence,
});
const worseRows = (most: number): Gate => ({ kind: "worse-rows", dimension: null, most });

const stated = (value: number | null, more: Partial<MeasureInput> = {}): MeasureInput =>
  measureOf("t", "acc", value, { stderr: 0.005, ...more });
const paired = (both: number, lost: number, won: number, neither: number): Pick<Scene, "own" | "other"> => {
  const { first, second } = passTable(both, lost, won, neither);
  return {
    own: [measureOf("t", "acc", null, { samples: samplesOf(first) })],
    other: [measureOf("t", "acc", null, { samples: samplesOf(second) })],
  };
};

describe("a gate on a loss", () => {
  it("passes where the bound of the loss stays within the margin, and fails where it does not", () => {
    expect(outcome(noLoss(0.02), { own: [stated(0.6)], other: [stated(0.6)] })).toMatchObject({ state: "pass" });
    expect(outcome(noLoss(0.01), { own: [stated(0.6)], other: [stated(0.6)] })).toMatchObject({ state: "fail" });
  });

  it("is judged by the bound at its own confidence, on either side of the comparison's", () => {
    // 0.995 and 0.8 one-sided: 2.5758 and 0.8416 standard errors of the difference, √2 · 0.005.
    const error = Math.SQRT2 * 0.005;
    for (const [confidence, z] of [
      [0.995, 2.5758293],
      [0.8, 0.8416212],
    ] as const) {
      for (const [sign, state] of [
        [1, "pass"],
        [-1, "fail"],
      ] as const) {
        const gate = noLoss(z * error + sign * 1e-6, { confidence });
        expect([confidence, sign, outcome(gate, { own: [stated(0.6)], other: [stated(0.6)] })?.state]).toEqual([confidence, sign, state]);
      }
    }
  });

  it("does not stretch an interval at 95 % to a bound at 99 % where the interval is no normal one", () => {
    // None lost of 100: the score bound at 99 % is z² / (n + z²) = 5.13 %, the one at 95 % stretched by z only 4.39 %.
    const scene = paired(60, 0, 0, 40);
    expect(outcome(noLoss(0.048, { confidence: 0.99 }), scene)).toMatchObject({ state: "fail" });
    expect(outcome(noLoss(0.0514, { confidence: 0.99 }), scene)).toMatchObject({ state: "pass" });
  });

  it("takes a rise for a loss where lower is better", () => {
    const of = (value: number): MeasureInput => measureOf("t", "refusal_rate", value, { stderr: 0.002, higherIsBetter: false });
    const gate = noLoss(0.01, { row: keyOf("t", "refusal_rate") });
    expect(outcome(gate, { own: [of(0.1)], other: [of(0.05)] })).toMatchObject({ state: "pass" });
    expect(outcome(gate, { own: [of(0.05)], other: [of(0.1)] })).toMatchObject({ state: "fail" });
  });

  it.each([
    ["the row is none of the comparison", { own: [measureOf("u", "acc", 0.6)], other: [measureOf("u", "acc", 0.7)] }, "no result"],
    ["the candidate was not run", { own: [stated(0.6)], other: [] }, "not run"],
    ["the candidate's value is missing", { own: [stated(0.6)], other: [stated(null)] }, "no usable value"],
    ["the candidate's value is not finite", { own: [stated(0.6)], other: [stated(Number.NaN)] }, "no usable value"],
    ["the baseline was not run", { own: [], other: [stated(0.9)] }, "the baseline has no result"],
    ["the baseline's value is missing", { own: [stated(null)], other: [stated(0.9)] }, "the baseline has no result"],
    [
      "no error is known",
      { own: [measureOf("t", "f1", 0.1)], other: [measureOf("t", "f1", 0.9)], row: "f1" },
      "not comparable: standard error",
    ],
    [
      "neither is equal without an error",
      { own: [measureOf("t", "f1", 0.9)], other: [measureOf("t", "f1", 0.9)], row: "f1" },
      "0.0 pp, no error is known",
    ],
    [
      "the settings forbid it",
      { own: [stated(0.6, { settings: { nShot: 5 } })], other: [stated(0.9, { settings: { nShot: 0 } })] },
      "not comparable: n-shot",
    ],
    [
      "nobody knows which way is better",
      { own: [measureOf("t", "zorp", 1, { stderr: 0.1 })], other: [measureOf("t", "zorp", 9, { stderr: 0.1 })], row: "zorp" },
      "which way is better is not known",
    ],
  ] as const)("never passes where %s", (_, scene, text) => {
    const row = keyOf("t", "row" in scene ? scene.row : "acc");
    expect(outcome(noLoss(1, { row }), scene)).toMatchObject({ state: "unknown", text });
  });

  it("is judged once a person has allowed the comparison", () => {
    const scene = { own: [stated(0.6, { settings: { nShot: 5 } })], other: [stated(0.9, { settings: { nShot: 0 } })] };
    const more = { allowed: [{ rowKey: keyOf("t"), scorecardId: 2 }] };
    expect(outcome(noLoss(0.01), { ...scene, more })).toMatchObject({ state: "pass" });
    expect(outcome(noLoss(0.01), { ...scene, more: { allowed: [{ rowKey: keyOf("t"), scorecardId: 3 }] } })).toMatchObject({
      state: "unknown",
    });
  });
});

describe("a gate on a value", () => {
  it("asks for the value as measured, or for its bound", () => {
    const scene = { own: [], other: [stated(0.6)] };
    expect(outcome(limit("at-least", 0.6), scene)).toMatchObject({ state: "pass", text: "60.0 %" });
    expect(outcome(limit("at-least", 0.6, 0.95), scene)).toMatchObject({ state: "fail" });
    expect(outcome(limit("at-least", 0.59, 0.95), scene)).toMatchObject({ state: "pass", text: "60.0 %, at least 59.2 %" });
    expect(outcome(limit("at-most", 0.6, 0.95), scene)).toMatchObject({ state: "fail" });
    expect(outcome(limit("at-most", 0.61, 0.95), scene)).toMatchObject({ state: "pass" });
  });

  it("bounds a share of none by the score interval at the confidence asked", () => {
    // 0 of 500 at 99 %: z² / (n + z²) = 1.07 %.
    const scene = { own: [], other: [measureOf("t", "acc", null, { samples: samplesOf(new Float64Array(500)) })] };
    expect(outcome(limit("at-most", 0.0107, 0.99), scene)).toMatchObject({ state: "fail" });
    expect(outcome(limit("at-most", 0.0108, 0.99), scene)).toMatchObject({ state: "pass" });
  });

  it.each([
    ["the candidate was not run", { own: [stated(0.6)], other: [] }],
    ["its value is missing", { own: [stated(0.6)], other: [stated(null)] }],
    ["its value is not finite", { own: [stated(0.6)], other: [stated(Number.POSITIVE_INFINITY)] }],
    [
      "it was measured otherwise than the baseline",
      { own: [stated(0.6, { settings: { limit: "none" } })], other: [stated(0.9, { settings: { limit: 10 } })] },
    ],
    ["it is in another unit than the row", { own: [stated(0.6, { unit: "share" })], other: [stated(62, { unit: "%" })] }],
  ])("never passes where %s", (_, scene) => {
    expect(outcome(limit("at-least", 0.1), scene)?.state).toBe("unknown");
    expect(outcome(limit("at-most", 1e6), scene)?.state).toBe("unknown");
  });

  it("never passes by a bound that nobody knows", () => {
    const scene = { own: [], other: [measureOf("t", "f1", 0.9)] };
    expect(outcome(limit("at-least", 0.1, 0.95, keyOf("t", "f1")), scene)?.state).toBe("unknown");
    expect(outcome(limit("at-least", 0.1, null, keyOf("t", "f1")), scene)?.state).toBe("pass");
  });

  it("never passes by a bound of a standard error that is of another method", () => {
    const scene = { own: [stated(0.58, { stderr: 0.1186 })], other: [stated(0.58, { stderr: 0.004 })] };
    expect(outcome(limit("at-least", 0.57, 0.95), scene)?.state).toBe("unknown");
    expect(outcome(limit("at-least", 0.57), scene)?.state).toBe("pass");
  });
});

describe("a gate in another unit than its row's", () => {
  const row = keyOf("t");
  const inPercent = (value: number): MeasureInput => measureOf("t", "acc", value, { unit: "%", stderr: 0.5 });
  const inShares = (value: number): MeasureInput => measureOf("t", "acc", value, { stderr: 0.005 });

  it.each([
    ["shares, results in per cent", { value: 0.975, unit: "share" }, inPercent(97.1), "fail", "97.1 %"],
    ["shares, results in per cent", { value: 0.07, unit: "share" }, inPercent(7), "pass", "7.0 %"],
    ["per cent, results in shares", { value: 97.5, unit: "%" }, inShares(0.98), "pass", "98.0 %"],
    ["per cent, results in shares", { value: 97.5, unit: "percent" }, inShares(0.97), "fail", "97.0 %"],
    ["per cent, results too", { value: 97.5, unit: "%" }, inPercent(97.6), "pass", "97.6 %"],
    ["what the row is in: nothing is told", { value: 0.5 }, inPercent(97.6), "pass", "97.6 %"],
  ] as const)("is held against the result whatever the result came in: fixed in %s", (_, given, other, state, text) => {
    const gate: Gate = { kind: "limit", row, bound: "at-least", confidence: null, ...given };
    expect(outcome(gate, { own: [], other: [other] })).toMatchObject({ state, text });
  });

  it("has its margin turned too, and is told in the row's unit", () => {
    const scene = { own: [inPercent(60)], other: [inPercent(58)] };
    expect(outcome(noLoss(0.05, { unit: "share" }), scene)?.state).toBe("pass");
    expect(outcome(noLoss(0.01, { unit: "share" }), scene)?.state).toBe("fail");
    const shares = { own: [inShares(0.6)], other: [inShares(0.58)] };
    expect(outcome(noLoss(5, { unit: "%" }), shares)?.state).toBe("pass");
    expect(outcome(noLoss(1, { unit: "%" }), shares)?.state).toBe("fail");
    const gate = noLoss(0.05, { unit: "share" });
    const compared = compareForGates(releaseInput([columnInput(1, scene.own), columnInput(2, scene.other)]), [gate]);
    expect(judgeGates(compared, [{ gateId: 1, gate }], [NOBODY, NOBODY])[0]).toMatchObject({
      gate: { margin: 5, unit: "%" },
      title: "t: loses at most 5.0 pp, shown at 95 %",
    });
  });

  it("cannot be judged where one cannot be turned into the other", () => {
    const gate: Gate = { kind: "limit", row, bound: "at-most", value: 2, confidence: null, unit: "s" };
    expect(outcome(gate, { own: [], other: [inPercent(1)] })).toMatchObject({ state: "unknown", text: "fixed in s, results in %" });
    const share: Gate = { kind: "limit", row, bound: "at-most", value: 2, confidence: null, unit: "share" };
    const other = [measureOf("t", "acc", 1, { unit: "ms" })];
    expect(outcome(share, { own: [], other })).toMatchObject({ state: "unknown", text: "fixed in shares, results in ms" });
  });

  it("gets the unit that its row stands in when it is fixed, else that of the catalogue", () => {
    const { comparison } = compareForGates(releaseInput([columnInput(1, [inPercent(60)]), columnInput(2, [inPercent(60)])]), []);
    const fixed = fixedInUnits(
      [
        limit("at-least", 97.5),
        limit("at-least", 0.9, null, keyOf("u")),
        limit("at-most", 2, null, keyOf("u", "latency_p95")),
        worseRows(0),
      ],
      comparison.rows,
    );
    expect(fixed.map((gate) => ("unit" in gate ? gate.unit : null))).toEqual(["%", "share", "s", null]);
    expect(fixedInUnits([noLoss(0.05, { unit: "share" })], comparison.rows)).toMatchObject([{ unit: "share", margin: 0.05 }]);
  });
});

describe("a gate on how many rows got worse", () => {
  const rows = (values: readonly (number | null)[]): readonly MeasureInput[] =>
    values.flatMap((value, place) => (value === null ? [] : [measureOf(`t${place}`, "acc", value, { stderr: 0.001 })]));

  it.each([
    ["none got worse", [0.5, 0.5, 0.5], 0, "pass", "0"],
    ["one got worse and none may", [0.5, 0.5, 0.4], 0, "fail", "1"],
    ["one got worse and one may", [0.5, 0.5, 0.4], 1, "pass", "1"],
    ["one was not run", [0.5, 0.5, null], 0, "unknown", "0, 1 not judged"],
    ["one was not run and one may get worse", [0.5, 0.5, null], 1, "pass", "0, 1 not judged"],
    ["one is not finite", [0.5, Number.NaN, 0.5], 0, "unknown", "0, 1 not judged"],
  ] as const)("%s", (_, values, most, state, text) => {
    expect(outcome(worseRows(most), { own: rows([0.5, 0.5, 0.5]), other: rows(values) })).toMatchObject({ state, text });
  });

  it("takes a row whose baseline has no usable value for one that is not judged", () => {
    expect(outcome(worseRows(0), { own: rows([0.5, Number.NaN]), other: rows([0.5, 0.1]) })).toMatchObject({
      state: "unknown",
      text: "0, 1 not judged",
    });
  });

  it("is not judged where there are no rows of its dimension", () => {
    const gate: Gate = { kind: "worse-rows", dimension: "safety", most: 0 };
    expect(outcome(gate, { own: rows([0.5]), other: rows([0.5]) })).toMatchObject({ state: "unknown" });
  });
});

describe("a gate on the training", () => {
  const verified: Gate = { kind: "verified" };
  const early: Gate = { kind: "before-turning-point" };
  const scene = { own: [stated(0.6)], other: [stated(0.6)] };

  it.each([
    [verified, { checkpointState: "verified" }, "pass"],
    [verified, { checkpointState: "incomplete" }, "fail"],
    [verified, { checkpointState: "unchecked" }, "unknown"],
    [verified, {}, "unknown"],
    [early, { run: 1, step: 900, turningPointStep: 1000 }, "pass"],
    [early, { run: 1, step: 1000, turningPointStep: 1000 }, "pass"],
    [early, { run: 1, step: 1001, turningPointStep: 1000 }, "fail"],
    [early, { run: 1, step: 1001, turningPointStep: null }, "pass"],
    [early, { run: null, step: 1001, turningPointStep: null }, "unknown"],
    [early, { run: 1, step: null, turningPointStep: null }, "unknown"],
  ] as const)("%j with %j: %s", (gate, facts, state) => {
    expect(outcome(gate, { ...scene, facts })?.state).toBe(state);
  });

  it("is unknown of a column of which nothing is known", () => {
    const { comparison, bounds } = compareForGates(releaseInput([columnInput(1, scene.own), columnInput(2, scene.other)]), [
      verified,
      early,
    ]);
    const gates = [verified, early].map((gate, gateId) => ({ gateId, gate }));
    const states = judgeGates({ comparison, bounds }, gates, []).flatMap(({ cells }) => cells.map(({ state }) => state));
    expect(states).toEqual(["unknown", "unknown"]);
  });
});

describe("gates of every kind", () => {
  const measure = fc.oneof(
    fc.constant(null),
    fc.record({
      value: fc.constantFrom(0.5, 0.55, 0.9, Number.NaN, Number.POSITIVE_INFINITY),
      told: fc.constantFrom({}, { stderr: 0.01 }, { n: 400 }),
      settings: fc.constantFrom({}, { nShot: 0 }, { nShot: 5 }),
      unit: fc.constantFrom(null, "%", "share"),
    }),
  );
  const gates: readonly Gate[] = [
    noLoss(0.5),
    noLoss(0.5, { confidence: 0.99 }),
    limit("at-least", 0),
    limit("at-most", 1e9),
    limit("at-least", 0, 0.99),
    limit("at-most", 1e9, 0.95),
    worseRows(0),
  ];

  it("pass only a cell that has a usable value and that nothing forbids to compare", () => {
    fc.assert(
      fc.property(measure, measure, (own, other) => {
        const measures = (given: typeof own): readonly MeasureInput[] =>
          given === null ? [] : [measureOf("t", "acc", given.value, { ...given.told, settings: given.settings, unit: given.unit })];
        const { comparison, bounds } = compareForGates(
          releaseInput([columnInput(1, measures(own)), columnInput(2, measures(other))]),
          gates,
        );
        const cell = comparison.rows[0]?.cells[1];
        const isUsable =
          typeof cell?.value === "number" && !cell.differences.some(({ forbids, setting }) => forbids && setting !== "stderr");
        const views = judgeGates(
          { comparison, bounds },
          gates.map((gate, gateId) => ({ gateId, gate })),
          [NOBODY, NOBODY],
        );
        for (const { gate, cells } of views) if (!isUsable) expect([gate, cells[0]?.state]).not.toEqual([gate, "pass"]);
      }),
      { numRuns: 400 },
    );
  });
});
