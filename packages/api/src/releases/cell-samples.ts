import { AppError, type ReleaseRow, rowKey as keyOfRow, rowNameOfKey } from "@trainwatch/core";
import type { SampleColumn } from "@trainwatch/decide";
import type { EvaluationColumns } from "@trainwatch/store";
import { required } from "../not-found.ts";
import type { ApiContext } from "../context.ts";
import { loadComparison } from "./load-comparison.ts";
import { measureInputs } from "./measure-inputs.ts";
import { assertCandidate } from "./open-release.ts";

/** Samples of one side of a cell, and the set that has their texts. */
export interface CellSide {
  readonly setId: number;
  readonly epochs: number;
  readonly column: SampleColumn;
}

export interface CellSamples {
  readonly better: ReleaseRow["better"];
  /** Null: that side has no samples of this row. */
  readonly baseline: CellSide | null;
  readonly candidate: CellSide | null;
}

interface CellQuestion {
  readonly releaseId: number;
  readonly rowKey: string;
  readonly scorecardId: number;
}

/** Samples of a candidate's cell and of the baseline's. @throws AppError `not-found` for an unknown release or row, `bad-request` for no candidate of it */
export async function cellSamples(
  ctx: Pick<ApiContext, "store" | "comparisons">,
  { releaseId, rowKey, scorecardId }: CellQuestion,
): Promise<CellSamples> {
  const { records, evaluations } = ctx.store;
  const release = required(await records.releases.get(releaseId), "release", releaseId);
  assertCandidate(release, scorecardId);
  const name = rowNameOfKey(rowKey);
  const { comparison } = await loadComparison(ctx, { release, overrides: await records.releases.overrides(releaseId), records });
  const row = comparison.rows.find(({ key }) => key === rowKey);
  if (name === null || row === undefined)
    throw new AppError("not-found", `Release "${release.spec.name}" has no row ${rowKey}.`, { details: { rowKey } });
  const stored = await evaluations.columns([release.spec.baselineId, scorecardId], name.task);
  return {
    better: row.better,
    baseline: sideOf(release.spec.baselineId, rowKey, stored),
    candidate: sideOf(scorecardId, rowKey, stored),
  };
}

/** One side of a row in what is stored of its task; null where it has no samples of it. */
export function sideOf(scorecardId: number, rowKey: string, stored: EvaluationColumns): CellSide | null {
  const column = measureInputs(scorecardId, stored).find((measure) => keyOfRow(measure) === rowKey)?.samples ?? null;
  // A column is made of one set and shares its list of keys.
  const set = stored.samples.find(({ keys }) => keys === column?.keys);
  return column === null || set === undefined ? null : { setId: set.setId, epochs: set.epochs, column };
}
