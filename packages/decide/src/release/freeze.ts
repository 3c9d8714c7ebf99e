import type { FrozenDifference, JsonNumber, ReleaseComparison, ReleaseDetail, Verdict } from "@trainwatch/core";
import { jsonNumberSchema, VERDICTS } from "@trainwatch/core";
import { canonicalJson } from "./canonical-json.ts";

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

interface Result {
  readonly key: string;
  readonly title: string;
  readonly scorecardId: number;
  readonly letter: string;
  readonly value: JsonNumber;
  readonly verdict: Verdict;
}

/**
 * Results that are others today than in the frozen text: another value or verdict, gone, or new. In the order of today's rows, those that are gone last.
 * Throws where the text is no frozen release: it was ours and has been checked by its hash.
 */
export function frozenDifferences(frozenText: string, comparison: ReleaseComparison): readonly FrozenDifference[] {
  const before = new Map(frozenResults(JSON.parse(frozenText)).map((result) => [identity(result), result]));
  const now = resultsOf(comparison);
  const differences: FrozenDifference[] = [];
  for (const result of now) {
    const old = before.get(identity(result)) ?? null;
    before.delete(identity(result));
    if (old !== null && old.value === result.value && old.verdict === result.verdict) continue;
    if (old === null && result.verdict === "not-run") continue;
    differences.push({ key: result.key, title: result.title, letter: result.letter, before: said(old), now: said(result) });
  }
  const gone = [...before.values()].filter(({ verdict }) => verdict !== "not-run");
  return [...differences, ...gone.map((old) => ({ key: old.key, title: old.title, letter: old.letter, before: said(old), now: null }))];
}

const identity = ({ key, scorecardId }: Result): string => `${scorecardId} ${key}`;

const said = (result: Result | null): FrozenDifference["before"] =>
  result === null ? null : { value: result.value, verdict: result.verdict };

function resultsOf({ columns, rows }: ReleaseComparison): readonly Result[] {
  return rows.flatMap(({ key, title, cells }) =>
    cells.flatMap(({ value, verdict }, column) => {
      const own = columns[column];
      return own === undefined ? [] : [{ key, title, scorecardId: own.scorecardId, letter: own.letter, value, verdict }];
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
      return [{ key: String(field(row, "key")), title: String(field(row, "title")), ...column, value, verdict }];
    }),
  );
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !(name in value)) throw new TypeError(`Not a frozen release: no ${name}`);
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError("Not a frozen release: no list");
  return value;
}
