/** Who was compared with whom, and who won at least a part of a comparison. */
export interface ComparisonGraph {
  /** Items that are compared with one another, directly or over others, ascending; the largest group first. */
  readonly components: readonly (readonly number[])[];
  /** Items of a group that falls into two parts of which one never won anything from the other: their ratings have no finite maximum (Ford 1957). */
  readonly unbounded: readonly number[];
}

export interface Comparison {
  readonly left: number;
  readonly right: number;
  /** Share for the left: 1, 0, or between for a tie. */
  readonly preference: number;
}

export function comparisonGraph(items: number, comparisons: Iterable<Comparison>): ComparisonGraph {
  const beats = Array.from({ length: items }, () => new Set<number>());
  const beatenBy = Array.from({ length: items }, () => new Set<number>());
  const met = Array.from({ length: items }, () => new Set<number>());
  for (const { left, right, preference } of comparisons) {
    met[left]?.add(right);
    met[right]?.add(left);
    if (preference > 0) {
      beats[left]?.add(right);
      beatenBy[right]?.add(left);
    }
    if (preference < 1) {
      beats[right]?.add(left);
      beatenBy[left]?.add(right);
    }
  }
  const components: (readonly number[])[] = [];
  const placed = new Set<number>();
  for (let item = 0; item < items; item++) {
    if (placed.has(item)) continue;
    const component = reachable(item, met);
    for (const member of component) placed.add(member);
    components.push([...component].sort((a, b) => a - b));
  }
  const unbounded = components.filter((members) => {
    const [first] = members;
    if (first === undefined || members.length === 1) return false;
    return reachable(first, beats).size < members.length || reachable(first, beatenBy).size < members.length;
  });
  return { components: components.sort((a, b) => b.length - a.length), unbounded: unbounded.flat().sort((a, b) => a - b) };
}

function reachable(from: number, edges: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const reached = new Set([from]);
  // A set hands out what is added to it while it is walked.
  for (const item of reached) for (const next of edges[item] ?? []) reached.add(next);
  return reached;
}
