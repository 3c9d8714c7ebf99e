import type { Gate, ReleaseDetail } from "@trainwatch/core";
import { compareForGates } from "./compare-release.ts";
import { judgeGates } from "./gates.ts";
import { columnInput, measureOf, passTable, releaseInput, samplesOf } from "./release.fixture.ts";

const GATES: readonly { readonly gateId: number; readonly gate: Gate }[] = [
  { gateId: 1, gate: { kind: "no-loss", row: "gsm8k|exact_match|", margin: 0.01, confidence: 0.95 } },
  { gateId: 2, gate: { kind: "worse-rows", dimension: null, most: 0 } },
];

/** A release of a baseline and two candidates with a gate that fails, an override, and one signature of two. */
export function releaseDetail(more: Partial<ReleaseDetail> = {}): ReleaseDetail {
  const { first, second } = passTable(600, 120, 40, 240);
  const scored = (scores: readonly number[]) =>
    measureOf("gsm8k", "exact_match", null, { samples: samplesOf(scores, { categories: scores.map((_, place) => `topic ${place % 3}`) }) });
  const columns = [
    columnInput(1, [scored(first), measureOf("mmlu", "acc", 0.6, { stderr: 0.01, settings: { nShot: 5 } })], { step: 1_000 }),
    columnInput(2, [scored(second), measureOf("mmlu", "acc", 0.62, { stderr: 0.01, settings: { nShot: 0 } })], { step: 2_000 }),
    columnInput(3, [scored(first), measureOf("mmlu", "acc", Number.NaN)], { warnings: ["1 open incident before it"] }),
  ];
  const facts = columns.map(({ run, step, checkpointState, turningPointStep }) => ({ run, step, checkpointState, turningPointStep }));
  const compared = compareForGates(
    releaseInput(columns),
    GATES.map(({ gate }) => gate),
  );
  const override = { reason: "the lost samples were mislabelled", actor: "ada", atMs: 2_000 };
  return {
    releaseId: 7,
    spec: {
      name: "week 49",
      baselineId: 1,
      candidateIds: [2, 3],
      correction: "holm",
      level: 0.95,
      margin: 0.01,
      taskWeights: {},
      signers: ["Owner", "Safety"],
    },
    createdAtMs: 500,
    createdBy: "ada",
    baseline: "model 1",
    candidates: ["model 2", "model 3"],
    gatesFixedAtMs: 900,
    gates: GATES.length,
    chosen: null,
    chosenScorecardId: null,
    signed: 1,
    complete: false,
    comparison: compared.comparison,
    gateViews: judgeGates(compared, GATES, facts).map((view) => ({
      ...view,
      cells: view.cells.map((cell) => (cell.state === "fail" ? { ...cell, override } : cell)),
    })),
    resultsBeforeGates: 0,
    overrides: [{ rowKey: "mmlu|acc|", scorecardId: 2, reason: "the prompts are the same", actor: "ada", atMs: 1_500 }],
    signatures: [{ role: "Owner", signedAs: "Grace Hopper", actor: "grace", atMs: 3_000, scorecardId: 2, hash: "ab".repeat(32) }],
    frozen: null,
    ...more,
  };
}
