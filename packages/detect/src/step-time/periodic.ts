/** How many candidates are tried, how many of its beats must be slow, and how many there must be. */
const MOST_PERIODS = 8;
const NEIGHBOURS = 3;
const LEAST_BEATS = 4;
const LEAST_SHARE = 0.7;

/**
 * Steps that do not come at a fixed spacing. What is slow each hundredth step is a checkpoint, an evaluation or a garbage collection and no jitter (detection.md C.4).
 *
 * @param steps ascending
 */
export function withoutPeriodic(steps: readonly number[]): readonly number[] {
  let left = steps;
  for (const period of likelyPeriods(steps)) left = withoutPeriod(left, period);
  return left;
}

/** Spacings between near neighbours, the most frequent first. */
function likelyPeriods(steps: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  for (let index = 0; index < steps.length; index++) {
    for (let next = index + 1; next <= Math.min(index + NEIGHBOURS, steps.length - 1); next++) {
      const spacing = (steps[next] ?? 0) - (steps[index] ?? 0);
      counts.set(spacing, (counts.get(spacing) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([period, count]) => period >= 2 && count >= LEAST_BEATS - 1)
    .sort(([a, first], [b, second]) => second - first || a - b)
    .slice(0, MOST_PERIODS)
    .map(([period]) => period);
}

/** A residue of the period explains its steps where most of its beats between the first and the last are there. */
function withoutPeriod(steps: readonly number[], period: number): readonly number[] {
  const byResidue = new Map<number, number[]>();
  for (const step of steps) byResidue.set(step % period, [...(byResidue.get(step % period) ?? []), step]);
  const explained = new Set<number>();
  for (const [residue, held] of byResidue) {
    const beats = ((held.at(-1) ?? 0) - (held[0] ?? 0)) / period + 1;
    if (held.length >= LEAST_BEATS && held.length >= LEAST_SHARE * beats) explained.add(residue);
  }
  return explained.size === 0 ? steps : steps.filter((step) => !explained.has(step % period));
}
