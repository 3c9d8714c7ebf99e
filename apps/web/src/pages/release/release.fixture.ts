import type { GateCell, GateView, ReleaseCell, ReleaseColumn, ReleaseDetail, ReleaseRow, Verdict } from "@trainwatch/core";

export function aCell(verdict: Verdict, over: Partial<ReleaseCell> = {}): ReleaseCell {
  return {
    value: 0.5,
    low: null,
    high: null,
    n: 100,
    unscored: 0,
    verdict,
    delta: 0.01,
    deltaLow: -0.01,
    deltaHigh: 0.03,
    test: "mcnemar-exact",
    p: 0.2,
    adjustedP: 1,
    pairs: 100,
    lost: 3,
    won: 4,
    equivalent: null,
    moreSamples: null,
    differences: [],
    overridden: false,
    notes: [],
    evaluatedAtMs: null,
    ...over,
  };
}

/** A row with the baseline and these candidates. */
export function aRow(title: string, verdicts: readonly Verdict[], over: Partial<ReleaseRow> = {}): ReleaseRow {
  return {
    key: `${title}|acc|`,
    task: title,
    metric: "acc",
    filter: null,
    title,
    dimension: "capability",
    unit: "%",
    scale: 100,
    digits: 1,
    better: "higher",
    group: null,
    settings: "",
    cells: [aCell("tie"), ...verdicts.map((verdict) => aCell(verdict))],
    order: [],
    tieGroups: [],
    ...over,
  };
}

const NO_COUNTS = { better: 0, worse: 0, tie: 0, "not-comparable": 0, missing: 0, "not-run": 0 } as const;

export function aColumn(letter: string, scorecardId: number, counts: Partial<ReleaseColumn["counts"]> = {}): ReleaseColumn {
  return {
    scorecardId,
    letter,
    model: `model ${letter}`,
    run: null,
    step: null,
    checkpointId: null,
    checkpointState: null,
    warnings: [],
    counts: { ...NO_COUNTS, ...counts },
  };
}

export function aGate(gateId: number, cells: readonly Partial<GateCell>[]): GateView {
  return {
    gateId,
    gate: { kind: "verified" },
    title: `Gate ${gateId}`,
    cells: cells.map((cell, index) => ({ column: index + 1, state: "pass", text: "yes", override: null, ...cell })),
  };
}

/** A baseline P and candidates A and B, nothing fixed and nothing signed. */
export function aDetail(over: Partial<ReleaseDetail> = {}, comparison: Partial<ReleaseDetail["comparison"]> = {}): ReleaseDetail {
  return {
    releaseId: 1,
    spec: {
      name: "r",
      baselineId: 1,
      candidateIds: [2, 3],
      correction: "holm",
      level: 0.95,
      margin: 0.01,
      taskWeights: {},
      signers: ["Owner"],
    },
    createdAtMs: 0,
    createdBy: "x",
    baseline: "P",
    candidates: ["A", "B"],
    gatesFixedAtMs: null,
    gates: 0,
    chosen: null,
    chosenScorecardId: null,
    signed: 0,
    complete: false,
    gateViews: [],
    resultsBeforeGates: null,
    overrides: [],
    signatures: [],
    frozen: null,
    comparison: {
      columns: [aColumn("P", 1), aColumn("A", 2, { better: 3, worse: 0 }), aColumn("B", 3, { better: 5, worse: 1 })],
      rows: [],
      family: { tests: 0, correction: "holm", level: 0.95, margin: 0.01 },
      dimensions: [],
      pareto: null,
      weights: null,
      breaks: [],
      notes: [],
      ...comparison,
    },
    ...over,
  };
}
