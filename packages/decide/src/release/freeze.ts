import type { FrozenDifference, FrozenResult, ReleaseComparison, ReleaseDetail } from "@trainwatch/core";
import { jsonNumberSchema, VERDICTS } from "@trainwatch/core";
import { canonicalJson } from "./canonical-json.ts";
import { NEWLY_LOST } from "./newly-lost-row.ts";

/** What is signed: the comparison as it was, the gates with how they came out, and who allowed what. */
export type FrozenContent = Pick<
  ReleaseDetail,
  "releaseId" | "spec" | "comparison" | "gateViews" | "gatesFixedAtMs" | "resultsBeforeGates" | "overrides"
> & {
  /** The scorecard that is signed for. */
  readonly chosenScorecardId: number;
  readonly frozenAtMs: number;
};

const FORM = "trainwatch-release";
const VERSION = 1;

/** The text whose SHA-256 is signed: canonical JSON, so that the same content has the same hash. */
export function frozenDocument({
  releaseId,
  spec,
  comparison,
  gateViews,
  gatesFixedAtMs,
  resultsBeforeGates,
  overrides,
  chosenScorecardId,
  frozenAtMs,
}: FrozenContent): string {
  const content = { releaseId, spec, comparison, gateViews, gatesFixedAtMs, resultsBeforeGates, overrides, chosenScorecardId, frozenAtMs };
  return canonicalJson({ form: FORM, version: VERSION, ...content });
}

interface Result extends FrozenResult {
  readonly key: string;
  readonly title: string;
  readonly scorecardId: number;
  readonly letter: string;
}

/**
 * Results that are others today than in the frozen text: another value or verdict, other samples, gone, or new. In the order of today's rows, those that are gone last.
 * Throws where the text is no frozen release: it was ours and has been checked by its hash.
 */
export function frozenDifferences(frozenText: string, comparison: ReleaseComparison): readonly FrozenDifference[] {
  const before = new Map(frozenResults(JSON.parse(frozenText)).map((result) => [identity(result), result]));
  // What is newly lost is counted from the samples of other rows, and those are told of.
  before.forEach(({ key }, name) => key === NEWLY_LOST && before.delete(name));
  const now = resultsOf(comparison).filter(({ key }) => key !== NEWLY_LOST);
  const differences: FrozenDifference[] = [];
  for (const result of now) {
    const old = before.get(identity(result)) ?? null;
    before.delete(identity(result));
    if (old !== null && isSame(old, result)) continue;
    if (old === null && result.verdict === "not-run") continue;
    differences.push({ key: result.key, title: result.title, letter: result.letter, before: said(old), now: said(result) });
  }
  const gone = [...before.values()].filter(({ verdict }) => verdict !== "not-run");
  return [...differences, ...gone.map((old) => ({ key: old.key, title: old.title, letter: old.letter, before: said(old), now: null }))];
}

const identity = ({ key, scorecardId }: Result): string => `${scorecardId} ${key}`;

const isSame = (one: FrozenResult, other: FrozenResult): boolean =>
  (["value", "verdict", "n", "lost", "won"] as const).every((name) => one[name] === other[name]);

function said(result: Result | null): FrozenDifference["before"] {
  if (result === null) return null;
  const { value, verdict, n, lost, won } = result;
  return { value, verdict, n, lost, won };
}

function resultsOf({ columns, rows }: ReleaseComparison): readonly Result[] {
  return rows.flatMap(({ key, title, cells }) =>
    cells.flatMap(({ value, verdict, n, lost, won }, column) => {
      const own = columns[column];
      return own === undefined ? [] : [{ key, title, scorecardId: own.scorecardId, letter: own.letter, value, verdict, n, lost, won }];
    }),
  );
}

function frozenResults(document: unknown): readonly Result[] {
  const comparison = field(document, "comparison");
  const columns = list(field(comparison, "columns")).map((column) => ({
    scorecardId: Number(field(column, "scorecardId")),
    letter: String(field(column, "letter")),
  }));
  return list(field(comparison, "rows")).flatMap((row) =>
    list(field(row, "cells")).flatMap((cell, place) => {
      const column = columns[place];
      const word = field(cell, "verdict");
      const verdict = VERDICTS.find((known) => known === word);
      if (column === undefined || verdict === undefined) throw new TypeError("Not a frozen release");
      const value = jsonNumberSchema.parse(field(cell, "value") ?? null);
      const counts = { n: count(cell, "n"), lost: count(cell, "lost"), won: count(cell, "won") };
      return [{ key: String(field(row, "key")), title: String(field(row, "title")), ...column, value, verdict, ...counts }];
    }),
  );
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !(name in value)) throw new TypeError(`Not a frozen release: no ${name}`);
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function count(cell: unknown, name: string): number | null {
  const value = field(cell, name);
  if (value !== null && typeof value !== "number") throw new TypeError(`Not a frozen release: ${name} is no number`);
  return value;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError("Not a frozen release: no list");
  return value;
}
