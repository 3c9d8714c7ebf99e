import type { ReleaseCell, ReleaseRow } from "@trainwatch/core";

/** A judged cell: one point better, surely. */
export function aCell(over: Partial<ReleaseCell> = {}): ReleaseCell {
  return {
    value: 0.85,
    low: 0.83,
    high: 0.87,
    n: 1_319,
    unscored: 0,
    verdict: "better",
    delta: 0.031,
    deltaLow: 0.018,
    deltaHigh: 0.044,
    test: "mcnemar-exact",
    p: 0.0001,
    adjustedP: 0.002,
    pairs: 1_319,
    lost: 20,
    won: 61,
    equivalent: null,
    moreSamples: null,
    differences: [],
    overridden: false,
    notes: [],
    evaluatedAtMs: null,
    ...over,
  };
}

export function aRow(over: Partial<ReleaseRow> = {}): ReleaseRow {
  return {
    key: "gsm8k|exact_match|",
    task: "gsm8k",
    metric: "exact_match",
    filter: null,
    title: "GSM8K",
    dimension: "capability",
    unit: "%",
    scale: 100,
    digits: 1,
    better: "higher",
    group: null,
    settings: "5-shot",
    cells: [aCell({ verdict: "tie", delta: null, deltaLow: null, deltaHigh: null }), aCell()],
    order: [1, 0],
    tieGroups: [[1], [0]],
    ...over,
  };
}
