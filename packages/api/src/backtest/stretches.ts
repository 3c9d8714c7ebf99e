import type { RankSample } from "@trainwatch/detect";
import type { ArrivedSample } from "@trainwatch/store";

/** Samples between two turns for others. */
const SAMPLES_A_REST = 512;

/** Neighbours of one attempt, at most so many together that others have their turn; of the run's own line and its ranks. */
export function* stretches(
  samples: readonly ArrivedSample[],
): Generator<{ readonly attempt: string; readonly samples: readonly RankSample[] }> {
  let attempt = "";
  let held: RankSample[] = [];
  for (const { labels, attempt: of, ...sample } of samples) {
    const { rank = null, ...others } = labels;
    if (Object.keys(others).length > 0) continue;
    if (held.length > 0 && (of !== attempt || held.length >= SAMPLES_A_REST)) {
      yield { attempt, samples: held };
      held = [];
    }
    attempt = of;
    held.push({ ...sample, rank });
  }
  if (held.length > 0) yield { attempt, samples: held };
}
