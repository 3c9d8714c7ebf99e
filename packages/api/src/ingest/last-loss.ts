import type { FoundSeries, LockedRun } from "@trainwatch/store";

interface StoredBatch {
  readonly seriesId: number;
  readonly attemptId: number;
  readonly far: boolean;
  readonly points: { readonly step: Float64Array; readonly value: Float64Array };
}

/**
 * The run's newest loss if this push brought it: of the training loss without labels (or of the lowest rank, where every rank logs its
 * own), at the last step of that series in the newest attempt. Null leaves what was known: a late push must not set it back.
 */
export async function newestLoss(
  run: Pick<LockedRun, "primaryLoss" | "lastStepOf">,
  base: readonly FoundSeries[],
  newest: number | undefined,
  batches: readonly StoredBatch[],
): Promise<number | null> {
  if (newest === undefined || !base.some((series) => series.metric === "loss")) return null;
  const primary = await run.primaryLoss();
  let last: { readonly step: number; readonly value: number } | null = null;
  for (const { seriesId, attemptId, far, points } of batches) {
    const [step, value] = [points.step.at(-1), points.value.at(-1)];
    if (far || seriesId !== primary || attemptId !== newest || step === undefined || value === undefined) continue;
    if (step >= (last?.step ?? -Infinity)) last = { step, value };
  }
  if (last === null || primary === null) return null;
  return last.step >= ((await run.lastStepOf(primary, newest)) ?? -Infinity) ? last.value : null;
}
