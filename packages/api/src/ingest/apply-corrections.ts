import type { LineageCorrection } from "@trainwatch/core";
import type { LockedRun } from "@trainwatch/store";
import type { WriterSeries } from "./writer-series.ts";

export interface StoredPlaces {
  /** Ids by name of the attempts before this push and with it. */
  readonly before: ReadonlyMap<string, number>;
  readonly now: ReadonlyMap<string, number>;
  /** Name of the newest attempt. */
  readonly newest: string | undefined;
}

type CorrectableRun = Pick<LockedRun, "hasPoints" | "knownWriterSeries" | "relabel" | "reflag" | "moveFacts">;

/** Moves what earlier pushes have stored to where it turned out to belong, samples first and then what was told of attempts that are none. */
export async function applyCorrections(
  run: CorrectableRun,
  corrections: readonly LineageCorrection[],
  { before, now, newest }: StoredPlaces,
  writers: WriterSeries,
): Promise<void> {
  for (const { series, attempt, writer, becomes, reflag } of corrections) {
    const base = Number(series);
    const [fromAttempt, toAttempt] = [before.get(attempt), now.get(becomes.attempt)];
    // What has no row yet was placed in this push, and its points come corrected.
    if (fromAttempt === undefined || toAttempt === undefined) continue;
    const from = writer === null ? base : await run.knownWriterSeries(base, writer);
    if (from === null || !(await run.hasPoints(from, fromAttempt))) continue;
    const to = await writers.id(base, becomes.writer);
    const move = { from: { seriesId: from, attemptId: fromAttempt }, to: { seriesId: to, attemptId: toAttempt } };
    writers.left(from);
    if (reflag === undefined) await run.relabel(move);
    else await run.reflag({ ...move, loStep: reflag.fromStep, hiStep: reflag.toStep, far: reflag.flag !== null });
  }
  for (const name of before.keys()) {
    const heir = corrections.findLast((each) => each.reflag === undefined && each.attempt === name)?.becomes.attempt ?? newest;
    if (!now.has(name) && heir !== undefined) await run.moveFacts(name, heir);
  }
}
