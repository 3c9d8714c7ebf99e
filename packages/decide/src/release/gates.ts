import type { CheckpointState, Gate, GateCell, GateState, GateView, ReleaseCell, ReleaseComparison, ReleaseRow } from "@trainwatch/core";
import { DIMENSION_TITLES, sayInteger } from "@trainwatch/core";
import type { ComparedForGates } from "./compare-release.ts";
import type { GateBounds } from "./gate-bounds.ts";
import { gateTitle } from "./gate-title.ts";
import { inUnitOfRow, toldUnitOf, unitWords } from "./gate-unit.ts";
import { sayRowDifference, sayRowValue, signed } from "./gate-words.ts";

/** What gates ask of a column beside its results; a `ColumnInput` is one. */
export interface GateFacts {
  readonly run: unknown;
  readonly step: number | null;
  readonly checkpointState: CheckpointState | null;
  readonly turningPointStep: number | null;
}

interface Judged {
  readonly state: GateState;
  readonly text: string;
}

/**
 * Fills in the gates for every candidate: pass, fail, or unknown where it cannot be said, with the reason in words. Each is told in the unit
 * of its row. Overrides are the caller's.
 * @param facts by column, the baseline first
 */
export function judgeGates(
  { comparison, bounds }: ComparedForGates,
  gates: readonly { readonly gateId: number; readonly gate: Gate }[],
  facts: readonly GateFacts[],
): readonly GateView[] {
  return gates.map(({ gateId, gate: fixed }) => {
    const gate = asShown(fixed, comparison);
    return {
      gateId,
      gate,
      title: gateTitle(gate, comparison.rows),
      cells: comparison.columns.slice(1).map((_, place): GateCell => {
        const column = place + 1;
        return { column, ...judgeGate({ comparison, bounds }, gate, column, facts[column] ?? null), override: null };
      }),
    };
  });
}

/** In the unit that its row is shown in, where it can be turned into it. */
function asShown(gate: Gate, { rows }: ReleaseComparison): Gate {
  const row = "row" in gate ? rows.find(({ key }) => key === gate.row) : undefined;
  return row === undefined || !("row" in gate) ? gate : (inUnitOfRow(gate, row) ?? gate);
}

function judgeGate({ comparison, bounds }: ComparedForGates, gate: Gate, column: number, facts: GateFacts | null): Judged {
  if (gate.kind === "verified") return judgeVerified(facts);
  if (gate.kind === "before-turning-point") return judgeTurningPoint(facts);
  if (gate.kind === "worse-rows") return judgeWorseRows(comparison, gate, column);
  const row = comparison.rows.find(({ key }) => key === gate.row);
  const cell = row?.cells[column];
  if (row === undefined || cell === undefined) return unknown("no result");
  if (cell.verdict === "not-run" || cell.verdict === "missing") return unknown(ABSENT[cell.verdict]);
  if (inUnitOfRow(gate, row) === null) return unknown(`fixed in ${unitWords(gate.unit ?? "")}, results in ${unitWords(toldUnitOf(row))}`);
  return gate.kind === "no-loss" ? judgeLoss(row, cell, gate, { bounds, column }) : judgeLimit(row, cell, gate, { bounds, column });
}

const unknown = (text: string): Judged => ({ state: "unknown", text });

const ABSENT = { "not-run": "not run", missing: "no usable value" } as const;

interface Place {
  readonly bounds: GateBounds;
  readonly column: number;
}

/** What forbids the comparison and was not allowed, in words; null where nothing does. */
function forbidding({ differences, overridden }: ReleaseCell, counts: (setting: string) => boolean): string | null {
  const titles = differences.filter(({ forbids, setting }) => forbids && counts(setting)).map(({ title }) => title);
  return overridden || titles.length === 0 ? null : `not comparable: ${titles.join(", ")}`;
}

function judgeLoss(row: ReleaseRow, cell: ReleaseCell, gate: Extract<Gate, { kind: "no-loss" }>, { bounds, column }: Place): Judged {
  if (row.better === "none") return unknown("which way is better is not known");
  const forbidden = forbidding(cell, () => true);
  if (forbidden !== null) return unknown(forbidden);
  if (cell.delta === null) return unknown("the baseline has no result");
  const isHigher = row.better === "higher";
  const bound = bounds.of(row.key, column, gate.confidence)?.[isHigher ? "deltaLow" : "deltaHigh"] ?? null;
  if (bound === null) return unknown(`${sayRowDifference(cell.delta, row)}, no error is known`);
  const passes = isHigher ? bound >= -gate.margin : bound <= gate.margin;
  return {
    state: passes ? "pass" : "fail",
    text: `${sayRowDifference(cell.delta, row)}, ${isHigher ? "at least" : "at most"} ${signed(bound, row)}`,
  };
}

/** The limit is one for results measured as the baseline's are: under other settings the number is another one, though it stands in the same row. */
function judgeLimit(row: ReleaseRow, cell: ReleaseCell, gate: Extract<Gate, { kind: "limit" }>, { bounds, column }: Place): Judged {
  if (typeof cell.value !== "number") return unknown(ABSENT.missing);
  // The value as measured needs no error.
  const forbidden = forbidding(cell, (setting) => setting !== "stderr" || gate.confidence !== null);
  if (forbidden !== null) return unknown(forbidden);
  const isLeast = gate.bound === "at-least";
  const holds = (value: number): boolean => (isLeast ? value >= gate.value : value <= gate.value);
  const said = sayRowValue(cell.value, row);
  if (gate.confidence === null) return { state: holds(cell.value) ? "pass" : "fail", text: said };
  const bound = bounds.of(row.key, column, gate.confidence)?.[isLeast ? "low" : "high"] ?? null;
  if (bound === null) return unknown(`${said}, no error is known`);
  return { state: holds(bound) ? "pass" : "fail", text: `${said}, ${isLeast ? "at least" : "at most"} ${sayRowValue(bound, row)}` };
}

/** Rows that cannot be judged may be worse: the gate is passed only where it would be if they all were. */
function judgeWorseRows(comparison: ReleaseComparison, gate: Extract<Gate, { kind: "worse-rows" }>, column: number): Judged {
  const rows = comparison.rows.filter(
    ({ dimension, better, cells }) =>
      better !== "none" &&
      dimension !== "regression" &&
      (gate.dimension === null || dimension === gate.dimension) &&
      cells[0] !== undefined &&
      cells[0].verdict !== "not-run",
  );
  if (rows.length === 0)
    return unknown(gate.dimension === null ? "no rows" : `no rows of ${DIMENSION_TITLES[gate.dimension].toLowerCase()}`);
  const verdicts = rows.map(({ cells }) => cells[column]?.verdict ?? "not-run");
  const worse = verdicts.filter((verdict) => verdict === "worse").length;
  const open = verdicts.filter((verdict) => verdict === "not-comparable" || verdict === "missing" || verdict === "not-run").length;
  const text = open === 0 ? sayInteger(worse) : `${sayInteger(worse)}, ${sayInteger(open)} not judged`;
  if (worse > gate.most) return { state: "fail", text };
  return { state: worse + open <= gate.most ? "pass" : "unknown", text };
}

function judgeVerified(facts: GateFacts | null): Judged {
  if (facts === null || facts.checkpointState === null) return unknown("no checkpoint is known");
  if (facts.checkpointState === "unchecked") return unknown("not checked");
  return facts.checkpointState === "verified" ? { state: "pass", text: "yes" } : { state: "fail", text: "incomplete" };
}

function judgeTurningPoint(facts: GateFacts | null): Judged {
  if (facts === null || facts.run === null || facts.step === null) return unknown("not a checkpoint of a watched run");
  if (facts.turningPointStep === null) return { state: "pass", text: "none found" };
  const said = sayInteger(facts.turningPointStep);
  return facts.step <= facts.turningPointStep ? { state: "pass", text: `before ${said}` } : { state: "fail", text: `after ${said}` };
}
