import { AppError, type Axis, effectiveView } from "@trainwatch/core";
import type pg from "pg";
import { type AxisMap, scaledMap } from "./axis-map.ts";
import { timeMaps, tokenMaps } from "./axis-source.ts";
import { type RunFacts, readRunFacts } from "./dictionary.ts";

export interface RangeQuestion {
  readonly runId: number;
  readonly fromAxis: Axis;
  readonly toAxis: Axis;
  /** Null is open and stays open. */
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * The same stretch of a run on another axis, by its effective view (A10). An end that has no place on the other axis becomes open.
 * Expects a read transaction.
 * @throws AppError `not-found` for an unknown run.
 */
export async function convertRange(
  client: pg.ClientBase,
  { runId, fromAxis, toAxis, from, to }: RangeQuestion,
): Promise<{ readonly from: number | null; readonly to: number | null }> {
  const facts = await readRunFacts(client, runId);
  if (facts === null) throw new AppError("not-found", `There is no run ${runId}.`, { details: { runId } });
  const source = await mapsFor(client, runId, fromAxis, facts);
  const target = await mapsFor(client, runId, toAxis, facts);
  const pieces = effectiveView(facts.attempts).effective.flatMap((piece) => {
    const id = facts.attempts.find((attempt) => attempt.name === piece.attempt)?.id ?? -1;
    const [there, here] = [source.get(id), target.get(id)];
    return there === undefined || here === undefined ? [] : [{ ...piece, there, here }];
  });
  const convert = (x: number | null): number | null => {
    if (x === null) return null;
    // The attempt that owns the place: the newest one that begins at or before it.
    const owner = pieces.findLast((piece) => (piece.there.at(piece.fromStep) ?? Infinity) <= x) ?? pieces[0];
    const step = owner?.there.stepAt(x);
    return step === undefined ? null : (owner?.here.at(step) ?? null);
  };
  return { from: convert(from), to: convert(to) };
}

function mapsFor(client: pg.ClientBase, runId: number, axis: Axis, facts: RunFacts): Promise<ReadonlyMap<number, AxisMap>> {
  if (axis === "time") return timeMaps(client, runId);
  if (axis === "tokens") return tokenMaps(client, runId, facts);
  return Promise.resolve(new Map(facts.attempts.map((attempt) => [attempt.id, scaledMap(1)])));
}
