import type { AttemptView } from "../attempt-view.ts";
import type { LineHead, WindowLine } from "../window-lines.ts";
import { type Band, WHOLE, bandSeries, lineKey } from "./band-table.ts";

/** What a window reads of some attempts: the same series in all of them. */
export interface Reading {
  readonly attempts: readonly AttemptView[];
  /** Of each line, in their order, its band alone where it has one in these attempts, else all its series. */
  readonly seriesOfLines: readonly (readonly number[])[];
}

export interface ReadingsQuestion {
  readonly lines: readonly WindowLine[];
  readonly heads: readonly LineHead[];
  readonly attempts: readonly AttemptView[];
  /** Those of the run that may stand for their lines. */
  readonly bands: readonly Band[];
  /** Far points are asked for: they are in no band. */
  readonly withFar: boolean;
}

/** Attempts by which of the lines have a whole band in them: mostly all have all. */
export function readingsOf({ lines, heads, attempts, bands, withFar }: ReadingsQuestion): readonly Reading[] {
  const lineAt = new Map(
    lines.flatMap(({ metric, labels, ranked }, line) => (ranked ? [[lineKey({ metric, shared: labels }), line] as const] : [])),
  );
  const readings = new Map<string, { attempts: AttemptView[]; seriesOfLines: readonly (readonly number[])[] }>();
  for (const attempt of attempts) {
    const own = new Map<number, number>();
    for (const band of bands) {
      const line = band.attemptId === attempt.attemptId && band.through === WHOLE ? lineAt.get(lineKey(band)) : undefined;
      if (line !== undefined) own.set(line, bandSeries(band));
    }
    if (withFar) for (const head of heads) if (head.attemptId === attempt.attemptId && head.farPoints > 0) own.delete(head.line);
    const key = JSON.stringify([...own].sort(([a], [b]) => a - b));
    const reading = readings.get(key);
    if (reading !== undefined) reading.attempts.push(attempt);
    else
      readings.set(key, {
        attempts: [attempt],
        seriesOfLines: lines.map(({ seriesIds }, line) => {
          const band = own.get(line);
          return band === undefined ? seriesIds : [band];
        }),
      });
  }
  return [...readings.values()];
}
